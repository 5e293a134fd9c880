package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that cannot be applied (semantics 0.3). */
class InvalidEventsTest {

  @TempDir private Path folder;

  private static String sql(String sequence, String storedAs) {
    return """
        CREATE STREAMING TABLE people;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json',
          schema => 'id INT, town STRING, n DOUBLE, m INT')
        KEYS (id) SEQUENCE BY %s COLUMNS (id, town) STORED AS SCD TYPE %s;
        """
        .formatted(sequence, storedAs);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"town\":\"x\",\"n\":3,\"m\":1}|n|1|the key column 'id' is NULL",
        "{\"id\":null,\"town\":\"x\",\"n\":3,\"m\":1}|n|2|the key column 'id' is NULL",
        "{\"id\":7,\"town\":\"x\",\"m\":1}|n|2|the sequence is NULL",
        "{\"town\":\"neither\",\"m\":1}|n|1|the sequence is NULL",
        "{\"id\":7,\"town\":\"x\",\"n\":\"NaN\",\"m\":1}|n|1|NaN",
        "{\"id\":7,\"town\":\"x\",\"n\":1}|STRUCT(n, m)|2|'m' is NULL"
      })
  void an_event_without_key_or_order_fails_the_update_and_names_its_place(
      String bad, String sequence, String type, String reason) {
    String good = "{\"id\":1,\"town\":\"a\",\"n\":1,\"m\":1}";
    String sql = sql(sequence, type);
    try (Workbench bench = new Workbench(folder)) {
      Path file = bench.write("feed/1.json", good, bad);
      Problem problem = Failing.onlyProblem(bench, sql);
      assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(problem.message())
          .contains("default.people", "1 of flow 'changes'", reason)
          .contains(file + " (byte " + (good.length() + 1) + ")");
      assertThat(bench.table("people").currentSnapshot()).isNull();
      assertThat(DataFiles.below(folder.resolve("warehouse"))).isEmpty();

      bench.write("feed/1.json", good, "{\"id\":7,\"town\":\"x\",\"n\":3,\"m\":1}");
      assertThat(bench.update(sql).succeeded()).isTrue();
      assertThat(bench.rows("people"))
          .extracting(row -> row.get("id"), row -> row.get("town"))
          .containsExactlyInAnyOrder(
              org.assertj.core.api.Assertions.tuple(1, "a"),
              org.assertj.core.api.Assertions.tuple(7, "x"));
    }
  }

  @Test
  void every_offender_is_counted_a_few_are_shown_and_drop_applies_the_rest() {
    String sql = sql("n", "1");
    try (Workbench bench = new Workbench(folder)) {
      String[] lines = new String[40];
      for (int i = 0; i < lines.length; i++) {
        lines[i] = i % 2 == 0 ? "{\"id\":%d,\"n\":1}".formatted(i) : "{\"id\":%d}".formatted(i);
      }
      bench.write("feed/1.json", lines);
      Problem problem = Failing.onlyProblem(bench, sql);
      assertThat(problem.message()).contains("20 of flow 'changes'");
      assertThat(problem.message().lines().count()).isLessThan(10);

      UpdateResult dropped =
          bench.update(sql, Map.of("sluice.invalid-events", "DROP"), options -> options);
      assertThat(dropped.targets().get(0).flows().get(0).invalid()).isEqualTo(20);
      assertThat(bench.rows("people")).hasSize(20);
    }
  }
}
