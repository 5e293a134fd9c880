package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainSelectTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT * FROM STREAM a | SELECT `x`, `y z`, `_p` FROM <stream a> AS `a`",
        "SELECT s.*, upper(x) u FROM a AS s WHERE x > 1 |"
            + " SELECT `x`, `y z`, upper(x) u, `_p` FROM <a> AS s WHERE x > 1",
        "SELECT x, x * 2 FROM a s | SELECT x, x * 2, `_p` FROM <a> s",
        "SELECT c.a.* FROM c.a | SELECT `x`, `y z`, `_p` FROM <c.a> AS `a`",
        "SELECT count(*) FROM a | SELECT count(*), `_p` FROM <a> AS `a`",
        "SELECT offset, EXTRACT(DAY FROM t) FROM a | SELECT `offset`, EXTRACT(DAY FROM t), `_p` FROM"
            + " <a> AS `a`",
        "SELECT x FROM STREAM read_files('/in') WHERE y IN (1, 2) |"
            + " SELECT x, `_p` FROM <stream /in> WHERE y IN (1, 2)",
        "SELECT x FROM a /*+ OPTIONS('k'='v') */ |"
            + " SELECT x, `_p` FROM <a> /*+ OPTIONS('k'='v') */ AS `a`"
      })
  void projectionsAndFiltersOverOneSourceTakeMoreColumns(String query, String extended) {
    PlainSelect plain = Query.parse(query).plain().orElseThrow();

    assertThat(plain.renderWith(Parsing::mark, List.of("x", "y z"), List.of("_p")).text())
        .isEqualTo(extended);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT x, upper(y) FROM a WHERE z > 1 | true",
        "SELECT x, overs FROM a | true",
        "SELECT x, sum(y) OVER (PARTITION BY x ORDER BY z) FROM a | false",
        "SELECT x, row_number() over (ORDER BY z) FROM a | false"
      })
  void windowFunctionsLookAtMoreThanOneRow(String query, boolean rowByRow) {
    assertThat(Query.parse(query).plain().orElseThrow().isRowByRow()).isEqualTo(rowByRow);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DISTINCT x FROM a",
        "SELECT x FROM a GROUP BY x",
        "SELECT x FROM a HAVING count(*) > 1",
        "SELECT x FROM a WHERE y ORDER BY x",
        "SELECT x FROM a LIMIT 1",
        "SELECT x FROM a OFFSET 1",
        "SELECT x FROM a WINDOW w AS (PARTITION BY x)",
        "SELECT x FROM a UNION ALL SELECT x FROM b",
        "SELECT x FROM a EXCEPT SELECT 1",
        "SELECT x FROM a JOIN b ON 1 = 1",
        "SELECT x FROM a, b",
        "SELECT x FROM a, UNNEST(a.y) AS u (z)",
        "SELECT x FROM (SELECT * FROM a)",
        "SELECT x FROM a WHERE x IN (SELECT x FROM b)",
        "WITH w AS (SELECT 1) SELECT x FROM a",
        "(SELECT x FROM a)",
        "SELECT 1",
        "VALUES (1)",
        "TABLE a",
        "SELECT x FROM a FOR SYSTEM_TIME AS OF a.t",
        "SELECT x FROM a AS b (c)",
        "SELECT x FROM TUMBLE(TABLE a, DESCRIPTOR(t), INTERVAL '1' DAY)"
      })
  void everythingElseIsNotPlain(String query) {
    assertThat(Query.parse(query).plain()).isEmpty();
  }
}
