package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.run.CutoverReport;
import io.sluice.run.CutoverReport.FlowReport;
import io.sluice.run.Keeper;
import io.sluice.run.UpdateResult;
import io.sluice.sequencing.UpdateOutput.CutoverSample;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cut-over from a seed to a live flow holds per key, or is told (semantics 0.15). */
class CutoverIT {

  private static String empty(int format) {
    return "CREATE STREAMING TABLE members TBLPROPERTIES ('format-version' = '" + format + "');\n";
  }

  private static String table(int type) {
    return table(type, 3);
  }

  private static String table(int type, int format) {
    return empty(format)
        + """
    CREATE FLOW members_seed AS AUTO CDC ONCE INTO members
    FROM STREAM read_files('${dir}/old', format => 'json', schema => 'id INT, town STRING, seq INT')
    KEYS (id) SEQUENCE BY seq COLUMNS (id, town) STORED AS SCD TYPE %1$d;
    """
            .formatted(type);
  }

  private static String live(int type) {
    return """
    CREATE FLOW members_live AS AUTO CDC INTO members
    FROM STREAM read_files('${dir}/live', format => 'json', schema => 'id INT, town STRING, seq INT')
    KEYS (id) SEQUENCE BY seq COLUMNS (id, town) STORED AS SCD TYPE %1$d;
    """
        .formatted(type);
  }

  private static String event(int id, String town, int seq) {
    return "{'id':%d,'town':'%s','seq':%d}".formatted(id, town, seq);
  }

  private static FlowReport report(Scene scene, String sql) {
    List<CutoverReport> reports = scene.bench().validateCutover(sql);
    assertThat(reports).singleElement().matches(report -> !report.untold());
    assertThat(reports.get(0).flows()).hasSize(1);
    return reports.get(0).flows().get(0);
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 3", "2, 2", "2, 3"})
  void live_events_at_or_below_the_last_seeded_one_of_their_key_are_counted_in_every_update(
      int type, int format, @TempDir Path folder) {
    String sql = table(type, format) + live(type);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "old/1.json",
          event(1, "a", 10),
          event(1, "b", 20),
          event(1, "b", 25),
          event(2, "c", 90),
          event(3, "d", 5));
      // 21 is behind the last row of key 1, and not behind its last event, which changed nothing.
      scene.json("live/1.json", event(1, "x", 21), event(2, "y", 91), event(4, "z", 1));
      FlowReport before = report(scene, sql);
      assertThat(before.violatingKeys()).isEqualTo(1);
      assertThat(before.liveKeys()).isEqualTo(3);

      UpdateResult first = scene.run(sql);
      assertThat(flow(first, "members_live").cutoverViolations()).isEqualTo(1);
      assertThat(flow(first, "members_seed").cutoverViolations()).isZero();
      assertThat(first.notices()).singleElement().asString().contains("members_live", "1 live");

      // Behind the seed, though below a live event: late, and no violation.
      scene.json("live/2.json", event(3, "q", 8), event(3, "p", 7));
      scene.json("live/3.json", event(3, "r", 6), event(2, "v", 90), event(2, "w", 30));
      UpdateResult second = scene.run(sql);
      assertThat(flow(second, "members_live").cutoverViolations()).isEqualTo(2);
      scene.json("live/4.json", event(3, "s", 5), event(9, "t", 1));
      UpdateResult third = scene.run(sql);
      assertThat(flow(third, "members_live").cutoverViolations()).isEqualTo(1);
      scene.json("live/5.json", event(3, "s", 6), event(2, "t", 92));
      assertThat(flow(scene.run(sql), "members_live").cutoverViolations()).isZero();

      FlowReport report = report(scene, sql);
      assertThat(report.violations()).isEqualTo(4);
      assertThat(report.violatingKeys()).isEqualTo(3);
      assertThat(report.safeBoundary()).contains("90");
      assertThat(report.samples())
          .containsExactly(
              new CutoverSample("id=1", "25", "21"),
              new CutoverSample("id=2", "90", "30"),
              new CutoverSample("id=3", "5", "5"));
      assertThat(scene.bench().validateCutover(sql).get(0).seededKeys()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 3", "2, 2", "2, 3"})
  void the_rows_do_not_depend_on_which_flow_ran_first(int type, int format, @TempDir Path folder) {
    try (Scene together = new Scene(folder.resolve("a"));
        Scene seedFirst = new Scene(folder.resolve("b"));
        Scene liveFirst = new Scene(folder.resolve("c"))) {
      for (Scene scene : List.of(together, seedFirst, liveFirst)) {
        scene.json("old/1.json", event(1, "a", 10), event(1, "b", 20), event(2, "c", 90));
        scene.json("live/1.json", event(1, "x", 15), event(2, "y", 91), event(1, "z", 30));
      }
      together.run(table(type, format) + live(type));
      seedFirst.run(table(type, format));
      seedFirst.run(table(type, format) + live(type));
      String onlyLive = empty(format) + live(type);
      liveFirst.run(onlyLive);
      UpdateResult seeding = liveFirst.run(table(type, format) + live(type));

      assertThat(seedFirst.rows("members")).isEqualTo(together.rows("members"));
      assertThat(liveFirst.rows("members")).isEqualTo(together.rows("members")).isNotEmpty();
      // What was there before the seed and is not behind it counts for the seed.
      assertThat(flow(seeding, "members_seed").cutoverViolations()).isEqualTo(type == 2 ? 1 : 0);

      // Live events of before the seed's commit are not taken for seeded ones.
      liveFirst.json("live/2.json", event(1, "w", 25), event(1, "v", 12));
      UpdateResult later = liveFirst.run(table(type, format) + live(type));
      assertThat(flow(later, "members_live").cutoverViolations()).isEqualTo(type == 2 ? 1 : 0);
    }
  }

  @Test
  void live_versions_that_ended_before_a_later_seed_begins_are_counted_too(@TempDir Path folder) {
    String onlyLive = empty(2) + live(2);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "live/1.json", event(1, "a", 5), event(1, "b", 8), event(1, "c", 40), event(2, "d", 50));
      scene.run(onlyLive);
      scene.json("old/1.json", event(1, "s", 20), event(2, "s", 30));
      UpdateResult seeding = scene.run(table(2, 2) + live(2));
      assertThat(flow(seeding, "members_seed").cutoverViolations()).isEqualTo(2);
      assertThat(report(scene, table(2, 2) + live(2)).violations()).isEqualTo(2);
      assertThat(scene.rows("members"))
          .containsExactly("1 a 5 8", "1 b 8 20", "1 c 40 ~", "1 s 20 40", "2 d 50 ~", "2 s 30 50");
    }
  }

  @Test
  void with_fail_an_update_stops_before_the_commit_of_the_live_flow(@TempDir Path folder) {
    String sql = "SET 'sluice.cutover' = 'FAIL';\n" + table(2) + live(2);
    try (Scene scene = new Scene(folder)) {
      scene.json("old/1.json", event(1, "a", 10));
      scene.json("live/1.json", event(1, "x", 10), event(2, "y", 1));
      assertThat(scene.failing(sql))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.CUTOVER_VIOLATION);
                assertThat(problem.message()).contains("key id=1", "at 10", "'members_live'");
              });
      assertThat(scene.rows("members")).containsExactly("1 a 10 ~");
      // Without the event, only the live flow runs.
      scene.bench().write("live/1.json", event(1, "x", 11).replace('\'', '"'));
      UpdateResult second = scene.run(sql);
      assertThat(flow(second, "members_seed").rowsRead()).isZero();
      assertThat(scene.rows("members")).containsExactly("1 a 10 11", "1 x 11 ~");
    }
  }

  @Test
  void switched_off_nothing_is_tagged_and_nothing_counted(@TempDir Path folder) {
    String sql = "SET 'sluice.cutover' = 'OFF';\n" + table(2) + live(2);
    try (Scene scene = new Scene(folder)) {
      scene.json("old/1.json", event(1, "a", 10));
      scene.json("live/1.json", event(1, "x", 9));
      UpdateResult result = scene.run(sql);
      assertThat(flow(result, "members_live").cutoverViolations()).isZero();
      assertThat(scene.commits("members")).isEqualTo(1);
      assertThat(scene.bench().table("members").refs()).containsOnlyKeys("main");
      assertThat(scene.bench().validateCutover(sql)).singleElement().matches(CutoverReport::untold);
    }
  }

  @Test
  void a_full_refresh_tags_the_seed_anew_and_the_tag_outlives_the_expiry_of_snapshots(
      @TempDir Path folder) {
    String sql = table(2) + live(2);
    try (Scene scene = new Scene(folder)) {
      scene.json("old/1.json", event(1, "a", 10), event(1, "a", 30));
      scene.json("live/1.json", event(2, "x", 9));
      scene.run(sql);
      long seed =
          scene.bench().table("members").refs().get("sluice-seed-members_seed").snapshotId();
      scene.refresh(sql, "members");
      Table table = scene.bench().table("members");
      assertThat(table.refs()).containsOnlyKeys("main", "sluice-seed-members_seed");
      assertThat(table.refs().get("sluice-seed-members_seed").snapshotId()).isNotEqualTo(seed);
      table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
      scene.json("live/2.json", event(1, "b", 20));
      assertThat(flow(scene.run(sql), "members_live").cutoverViolations()).isEqualTo(1);
      assertThat(scene.rows("members"))
          .containsExactly("1 a 10 20", "1 a 30 ~", "1 b 20 30", "2 x 9 ~");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void continuous_runs_tell_live_events_that_are_not_behind_the_seed(
      int type, @TempDir Path folder) {
    String sql = table(type) + live(type);
    try (Scene scene = new Scene(folder)) {
      scene.json("old/1.json", event(1, "a", 10), event(1, "b", 20), event(2, "c", 90));
      scene.json("live/1.json", event(3, "x", 1));
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        scene.json("live/2.json", event(1, "x", 21), event(2, "y", 91), event(4, "z", 1));
        keeper.hasRead("members", List.of("/2.json"));
        assertThat(keeper.notices()).isEmpty();
        scene.json("live/3.json", event(1, "w", 15), event(2, "v", 90), event(2, "z", 92));
        keeper.hasRead("members", List.of("/3.json"));
        keeper.until("the notice", () -> !keeper.notices().isEmpty());
        assertThat(keeper.notices())
            .singleElement()
            .asString()
            .contains("members_live", "2 live events", "validate-cutover");
      }
      String failing = "SET 'sluice.cutover' = 'FAIL';" + sql;
      Keeper keeper = scene.bench().keep(failing, Map.of(), false).started();
      List<String> before = scene.rows("members");
      scene.json("live/4.json", event(1, "q", 19), event(5, "q", 19));
      assertThat(keeper.failure())
          .isInstanceOfSatisfying(
              SluiceException.class,
              error -> {
                assertThat(error.code()).isEqualTo(ErrorCode.CUTOVER_VIOLATION);
                assertThat(error).hasMessageContaining("id=1").hasMessageContaining("19");
              });
      assertThat(scene.rows("members")).isEqualTo(before);
      String off = "SET 'sluice.cutover' = 'OFF';" + sql;
      try (Keeper next = scene.bench().keep(off, Map.of(), false)) {
        next.hasRead("members", List.of("/4.json"));
        assertThat(next.notices()).isEmpty();
      }
    }
  }
}
