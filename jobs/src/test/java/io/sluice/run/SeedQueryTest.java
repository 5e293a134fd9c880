package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeedQueryTest {

  private static final String LEGACY =
      """
      CREATE STREAMING TABLE legacy AS
      SELECT * FROM STREAM read_files('${dir}/legacy/*.json', format => 'json',
        schema => 'id INT, plan STRING, valid_from INT, valid_to INT');
      """;

  private static final String SEED =
      """
      CREATE STREAMING TABLE history;
      CREATE TEMPORARY VIEW legacy_changes AS
      SELECT id, plan, valid_from AS at, FALSE AS gone FROM legacy
      UNION ALL
      SELECT id, plan, valid_to AS at, TRUE AS gone
      FROM (
        SELECT id, plan, valid_to,
               LEAD(valid_from) OVER (PARTITION BY id ORDER BY valid_from) AS next_from
        FROM legacy
      )
      WHERE valid_to IS NOT NULL AND (next_from IS NULL OR next_from > valid_to);
      CREATE FLOW seed AS AUTO CDC ONCE INTO history FROM legacy_changes
      KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY at COLUMNS * EXCEPT (at, gone)
      STORED AS SCD TYPE 2;
      """;

  @TempDir Path folder;

  @Test
  void aQueryThatFlinkHasNoOperatorsForIsRefusedBeforeAnythingRuns() {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("legacy/1.json", "{\"id\":1,\"plan\":\"a\",\"valid_from\":\"2025-01-01\"}");
      String zoned = "valid_from TIMESTAMP, valid_to TIMESTAMP";
      bench.update(LEGACY.replace("valid_from INT, valid_to INT", zoned));

      assertThatThrownBy(() -> bench.validate(SEED))
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining(
              "test.sql:12:1: [INVALID_QUERY] Flink cannot run the query: LeadLag")
          .hasMessageContaining("TIMESTAMP_WITH_LOCAL_TIME_ZONE");
    }
  }

  @Test
  void aLegacyHistoryIsReplayedWithTheEndsOfItsLastPeriods() {
    try (Workbench bench = new Workbench(folder)) {
      bench.write(
          "legacy/1.json",
          "{\"id\":1,\"plan\":\"a\",\"valid_from\":1,\"valid_to\":4}",
          "{\"id\":1,\"plan\":\"b\",\"valid_from\":4}",
          "{\"id\":2,\"plan\":\"a\",\"valid_from\":2,\"valid_to\":5}",
          "{\"id\":3,\"plan\":\"a\",\"valid_from\":1,\"valid_to\":3}",
          "{\"id\":3,\"plan\":\"b\",\"valid_from\":6}");
      assertThat(bench.update(LEGACY).failures()).isEmpty();

      UpdateResult seeded = bench.update(SEED);

      assertThat(seeded.failures()).isEmpty();
      assertThat(bench.rows("history"))
          .extracting(row -> row.values().stream().map(String::valueOf).toList())
          .containsExactlyInAnyOrder(
              List.of("1", "a", "1", "4"),
              List.of("1", "b", "4", "null"),
              List.of("2", "a", "2", "5"),
              List.of("3", "a", "1", "3"),
              List.of("3", "b", "6", "null"));
    }
  }
}
