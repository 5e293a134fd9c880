package io.sluice.faults;

import static io.sluice.faults.MaintenanceIT.fewerFiles;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plan.AsOf;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readers of a table see behind maintenance. */
class MaintenanceReadersIT {

  @TempDir private Path folder;

  @Test
  void a_reader_of_another_pipeline_goes_on_behind_rewrites_and_expired_snapshots() {
    String landing =
        "CREATE STREAMING TABLE bronze AS SELECT id, name FROM STREAM read_files('${dir}/in',"
            + " format => 'json', schema => 'id INT, name STRING');";
    String reading =
        "SET 'sluice.pipeline' = 'reader';"
            + " CREATE STREAMING TABLE silver AS SELECT id, name FROM STREAM bronze;";
    try (Workbench bench = new Workbench(folder)) {
      for (int i = 0; i < 4; i++) {
        bench.write("in/" + i + ".json", "{\"id\": " + i + ", \"name\": \"n\"}");
        assertThat(bench.update(landing).failures()).isEmpty();
        if (i == 0) {
          assertThat(bench.update(reading).failures()).isEmpty();
        }
      }
      for (int i = 4; i < 8; i++) {
        bench.write("in/" + i + ".json", "{\"id\": " + i + ", \"name\": \"n\"}");
        assertThat(bench.update(landing).failures()).isEmpty();
        bench.maintain(landing);
      }
      assertThat(bench.table("bronze").snapshots()).hasSizeGreaterThan(7);
      assertThat(bench.update(reading).targets().get(0).flows().get(0).rowsRead()).isEqualTo(7);
      assertThat(bench.rows("silver")).hasSize(8);
      bench.maintain(landing);
      assertThat(bench.table("bronze").snapshots()).hasSizeLessThan(4);
      bench.write("in/8.json", "{\"id\": 8, \"name\": \"n\"}");
      assertThat(bench.update(landing).failures()).isEmpty();
      assertThat(bench.update(reading).targets().get(0).flows().get(0).rowsRead()).isEqualTo(1);
    }
  }

  @Test
  void bitemporal_answers_stay_and_so_does_a_rollback_to_a_kept_snapshot() {
    String sql =
        """
        CREATE STREAMING TABLE beliefs;
        CREATE FLOW believed AS AUTO CDC INTO beliefs
        FROM STREAM read_files('${dir}/in', format => 'json',
          schema => 'id INT, town STRING, n BIGINT, s BIGINT')
        KEYS (id) SEQUENCE BY n SYSTEM SEQUENCE BY s COLUMNS (id, town)
        STORED AS BITEMPORAL;
        """;
    Random random = new Random(5);
    try (Workbench bench = new Workbench(folder)) {
      for (int i = 1; i <= 8; i++) {
        List<String> lines = new ArrayList<>();
        for (int j = 0; j < 6; j++) {
          lines.add(
              "{\"id\": %d, \"town\": \"t%d\", \"n\": %d, \"s\": %d}"
                  .formatted(random.nextInt(4), random.nextInt(9), random.nextInt(50), 10 * i + j));
        }
        bench.write("in/" + i + ".json", lines.toArray(String[]::new));
        assertThat(bench.update(sql).failures()).isEmpty();
      }
      List<String> all = answers(bench);
      Table table = bench.table("beliefs");
      long kept = table.currentSnapshot().snapshotId();
      assertThat(fewerFiles(bench.maintain(sql))).isPositive();
      assertThat(answers(bench)).isEqualTo(all);
      bench.write("in/9.json", "{\"id\": 1, \"town\": \"late\", \"n\": 3, \"s\": 200}");
      assertThat(bench.update(sql).failures()).isEmpty();
      List<String> later = answers(bench);
      assertThat(later).isNotEqualTo(all);
      Table now = bench.table("beliefs");
      if (now.snapshot(kept) == null) {
        kept =
            StreamSupport.stream(now.snapshots().spliterator(), false)
                .filter(snapshot -> snapshot.snapshotId() != now.currentSnapshot().snapshotId())
                .map(Snapshot::snapshotId)
                .findFirst()
                .orElseThrow();
      }
      now.manageSnapshots().setCurrentSnapshot(kept).commit();
      assertThat(answers(bench)).isEqualTo(all);
      assertThat(bench.update(sql).failures()).isEmpty();
      assertThat(answers(bench)).isEqualTo(later);
    }
  }

  private static List<String> answers(Workbench bench) {
    List<String> answers = new ArrayList<>();
    for (long system : new long[] {15, 42, 61, 300}) {
      answers.addAll(
          bench
              .query(
                  "SELECT id, town, __START_AT, __END_AT FROM beliefs"
                      + " WHERE __SYSTEM_START_AT <= "
                      + system
                      + " AND (__SYSTEM_END_AT IS NULL OR __SYSTEM_END_AT > "
                      + system
                      + ")",
                  AsOf.ALL)
              .stream()
              .sorted()
              .map(row -> system + ": " + row)
              .toList());
    }
    return answers;
  }
}
