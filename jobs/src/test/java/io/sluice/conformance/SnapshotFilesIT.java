package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A snapshot that is a file reads that file alone (semantics 11.2, 17.4). */
class SnapshotFilesIT {

  private static String sql(String field, String column) {
    return """
    CREATE STREAMING TABLE towns FLOW AUTO CDC FROM SNAPSHOT (
      SELECT id, town FROM read_files('${dir}/in', format => 'json', schema => 'id INT, town STRING')
      WHERE %1$s = (SELECT v FROM current_snapshot_version()))
    WITH VERSION (
      SELECT MIN(%2$s) AS v FROM list_files('${dir}/in', pathGlobFilter => '[ab].json')
      WHERE %2$s > COALESCE((SELECT v FROM last_snapshot_version()), '')
      HAVING MIN(%2$s) IS NOT NULL)
    KEYS (id) STORED AS SCD TYPE 2;
    """
        .formatted(field, column);
  }

  /** The third file cannot be read, which nobody notices who does not read it. */
  private static Scene files(Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/a.json", "{'id':1,'town':'Oslo'}", "{'id':2,'town':'Lund'}");
    scene.json("in/b.json", "{'id':1,'town':'Bodo'}", "{'id':2,'town':'Lund'}");
    scene.json("in/c.json", "no record");
    return scene;
  }

  @ParameterizedTest
  @CsvSource({"_metadata.file_path, path", "_metadata.file_name, name"})
  void other_files_are_not_read(String field, String column, @TempDir Path folder) {
    try (Scene scene = files(folder)) {
      scene.run(sql(field, column));
      assertThat(scene.rows("towns"))
          .hasSize(3)
          .anyMatch(row -> row.startsWith("1 Oslo ") && row.endsWith("b.json"))
          .anyMatch(row -> row.startsWith("1 Bodo ") && row.endsWith(" ~"))
          .anyMatch(row -> row.startsWith("2 Lund ") && row.endsWith(" ~"));
    }
  }

  @Test
  void a_condition_that_says_less_reads_them_all(@TempDir Path folder) {
    try (Scene scene = files(folder)) {
      assertThat(scene.failing(sql("UPPER(_metadata.file_name)", "UPPER(name)")).get(0).code())
          .isEqualTo(ErrorCode.INVALID_EVENT);
    }
  }
}
