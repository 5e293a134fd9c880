package io.sluice.conformance;

import static io.sluice.conformance.Snapshots.FILES;
import static io.sluice.conformance.Snapshots.NEXT;
import static io.sluice.conformance.Snapshots.ROWS;
import static io.sluice.conformance.Snapshots.row;
import static io.sluice.conformance.Snapshots.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Snapshots that must not be applied: wrong versions, too many deletes, rows that cannot be used.
 */
class SnapshotGuardIT {

  private static final String ALL = "FROM SNAPSHOT (SELECT id, town FROM " + FILES + ")\n";

  @Test
  void versions_that_do_not_rise_or_cannot_be_used_fail_the_update(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"));
      String five = table("t") + Snapshots.flow("t", ALL + "WITH VERSION (SELECT 5 AS v)", "");
      UpdateResult first = scene.run(five);
      assertThat(Scene.target(first, "t").steps())
          .as("a version that nothing can change is taken once an update")
          .isEqualTo(1);
      for (int next : new int[] {5, 4}) {
        Problem problem = scene.failing(five.replace("5 AS", next + " AS")).get(0);
        assertThat(problem.code()).isEqualTo(ErrorCode.OUT_OF_ORDER_SNAPSHOT_VERSION);
        assertThat(problem.message())
            .isEqualTo(
                "flow 't_snapshots': version "
                    + next
                    + " is not greater than 5, which was applied last");
      }
      refuseVersion(
          scene,
          "SELECT MAX(version) AS v FROM " + FILES + " WHERE version > 90",
          "the version cannot be used: the sequence is NULL");
      refuseVersion(
          scene,
          "SELECT v FROM (VALUES (6), (7)) AS a (v)",
          "WITH VERSION gives more than one row, the first of them");
      assertThat(scene.rows("t")).containsExactly("1 Oslo");

      scene.run(five.replace("5 AS", "6 AS"));
      for (String changed : new String[] {"7 AS w", "CAST(7 AS BIGINT) AS v"}) {
        Problem problem = scene.refused(five.replace("5 AS v", changed)).get(0);
        assertThat(problem.code())
            .isEqualTo(ErrorCode.AUTO_CDC_FROM_SNAPSHOT_VERSION_SCHEMA_CHANGED);
        assertThat(problem.message())
            .startsWith("flow 't_snapshots': the version was 'v' INT and is ");
      }
      scene.refresh(five.replace("5 AS v", "CAST(7 AS BIGINT) AS w"), "t");
      assertThat(scene.columns("t")).contains("__SEQUENCE long");
    }
  }

  private static void refuseVersion(Scene scene, String query, String message) {
    String sql = table("t") + Snapshots.flow("t", ALL + "WITH VERSION (" + query + ")", "");
    Problem problem = scene.failing(sql).get(0);
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY);
    assertThat(problem.message()).startsWith("flow 't_snapshots': " + message);
  }

  @Test
  void a_snapshot_that_deletes_too_much_or_is_empty_is_stopped_unless_that_is_wanted(
      @TempDir Path folder) {
    String source =
        ALL.replace("in'", "state'")
            + "WITH VERSION (SELECT MAX(version) AS v FROM "
            + FILES
            + " WHERE version > COALESCE((SELECT v FROM last_snapshot_version()), 0)"
            + " HAVING MAX(version) IS NOT NULL)";
    String sql = table("t") + Snapshots.flow("t", source, "STORED AS SCD TYPE 2");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 0, ""));
      scene.json("state/s.json", row(0, 1, "a"), row(0, 2, "b"), row(0, 3, "c"), row(0, 4, "d"));
      scene.run(sql);
      scene.json("in/2.json", row(2, 0, ""));
      scene.json("state/s.json", row(0, 1, "a"));
      Problem problem = scene.failing(sql).get(0);
      assertThat(problem.code()).isEqualTo(ErrorCode.SNAPSHOT_DELETES_TOO_MUCH);
      assertThat(problem.message())
          .isEqualTo(
              "table default.t: the snapshot of flow 't_snapshots' at version 2 would delete 3 of 4"
                  + " live keys, and 'sluice.snapshot.max-delete-ratio' is 0.5");
      assertThat(scene.rows("t")).hasSize(4).allMatch(row -> row.endsWith("~"));
      scene.bench().update(sql, Map.of("sluice.snapshot.max-delete-ratio", "0.75"), o -> o);
      assertThat(scene.rows("t")).containsExactly("1 a 1 ~", "2 b 1 2", "3 c 1 2", "4 d 1 2");

      scene.json("in/3.json", row(3, 0, ""));
      scene.json("state/s.json", "");
      assertThat(scene.failing(sql).get(0).message()).contains("at version 3 is empty");
      scene.bench().update(sql, Map.of("sluice.snapshot.max-delete-ratio", "1"), o -> o);
      assertThat(scene.rows("t")).contains("1 a 1 3").noneMatch(row -> row.endsWith("~"));

      // The table is empty now, and an empty snapshot is still a suspicious one.
      scene.json("in/4.json", row(4, 0, ""));
      assertThat(scene.failing(sql).get(0).code()).isEqualTo(ErrorCode.SNAPSHOT_DELETES_TOO_MUCH);
    }
  }

  @Test
  void rows_that_cannot_be_used_fail_the_snapshot_whatever_becomes_of_invalid_events(
      @TempDir Path folder) {
    String sql =
        "SET 'sluice.invalid-events' = 'DROP';\n"
            + table("t")
            + Snapshots.flow("t", ROWS + NEXT, "");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"), "{'version':1,'town':'Lund'}");
      Problem problem = scene.failing(sql).get(0);
      assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(problem.message()).contains("1 of flow 't_snapshots'").contains("'id' is NULL");

      scene.json("in/1.json", row(1, 1, "Oslo"), "{'version':1,");
      assertThat(scene.failing(sql).get(0).code()).isEqualTo(ErrorCode.MALFORMED_RECORD);
      scene.json("in/1.json", row(1, 1, "Oslo"));
      scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 Oslo");
    }
  }
}
