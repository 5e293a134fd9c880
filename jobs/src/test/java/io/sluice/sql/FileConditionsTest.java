package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileConditionsTest {

  private static final String VERSION = "(SELECT v FROM current_snapshot_version())";

  private static String conditions(String query) {
    return Query.parse(query.replace("<in>", "read_files('/in')").replace("<v>", VERSION))
        .fileConditions()
        .stream()
        .map(each -> each.field() + "=" + each.literal().orElse("?"))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT * FROM <in> WHERE _metadata.file_path = <v> | file_path=?",
        "SELECT id FROM <in> f WHERE f._Metadata.FILE_NAME == 'a.json' AND id > 1 | file_name=a.json",
        "SELECT id FROM <in> AS f WHERE id > 1 AND <v> = _metadata.file_size AND x IN (1) |"
            + " file_size=?",
        "SELECT id FROM <in> WHERE _metadata.file_modification_time = <v> GROUP BY id |"
            + " file_modification_time=?",
        "SELECT id FROM <in> WHERE _metadata.file_path = <v> AND (a OR b) AND"
            + " _metadata.file_name = 'x' | file_path=? file_name=x"
      })
  void equationsThatEveryRowSatisfiesAreFound(String query, String found) {
    assertThat(conditions(query)).isEqualTo(found);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM <in>",
        "SELECT * FROM t WHERE _metadata.file_path = <v>",
        "SELECT * FROM <in> WHERE NOT _metadata.file_path = <v>",
        "SELECT * FROM <in> WHERE _metadata.file_path = <v> OR a",
        "SELECT * FROM <in> WHERE a BETWEEN 1 AND _metadata.file_path = <v>",
        "SELECT * FROM <in> WHERE CASE WHEN a AND _metadata.file_path = <v> AND b THEN c ELSE d END",
        "SELECT * FROM <in> WHERE (_metadata.file_path = <v>) IS NOT TRUE",
        "SELECT * FROM <in> WHERE _metadata.file_path <> <v>",
        "SELECT * FROM <in> WHERE _metadata.file_path = <v> IS NOT TRUE",
        "SELECT * FROM <in> WHERE _metadata.file_path = upper(x)",
        "SELECT * FROM <in> f WHERE g._metadata.file_path = 'x'",
        "SELECT * FROM <in> WHERE file_path = 'x'",
        "SELECT * FROM <in> WHERE _metadata.file_path = 'x' UNION ALL SELECT * FROM <in>",
        "SELECT * FROM <in> JOIN t ON a = b WHERE _metadata.file_path = 'x'",
        "SELECT * FROM <in> f, t WHERE _metadata.file_path = 'x'",
        "SELECT * FROM (SELECT * FROM <in> WHERE _metadata.file_path = 'x')"
      })
  void whatMayNotHoldForEveryRowIsNot(String query) {
    assertThat(conditions(query)).isEmpty();
  }
}
