package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.plan.TargetStatus;
import io.sluice.run.Tombstones;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered, and for how long (semantics 0.5, 0.16). */
class TombstonesIT {

  private static final String SHORT =
      "TBLPROPERTIES ('sluice.tombstone-retention' = 'PT0.000001S')";

  private static String sql(int type, String properties) {
    return """
    CREATE STREAMING TABLE kept %s;
    CREATE FLOW kept_changes AS AUTO CDC INTO kept
    FROM STREAM read_files('${dir}/in', format => 'json', maxFilesPerTrigger => '1',
      schema => 'id INT, val STRING, op STRING, seq INT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
    STORED AS SCD TYPE %d;
    """
        .formatted(properties, type);
  }

  private static Tombstones update(Scene scene, String sql, int number, String... lines) {
    scene.json("in/" + number + ".json", lines);
    return Scene.target(scene.run(sql), "kept").tombstones();
  }

  private static String upsert(int id, String val, int seq) {
    return "{'id':%d,'val':'%s','op':'U','seq':%d}".formatted(id, val, seq);
  }

  private static String delete(int id, int seq) {
    return "{'id':%d,'op':'D','seq':%d}".formatted(id, seq);
  }

  private static List<String> remembered(Scene scene) {
    return scene.bench().rows("kept__log").stream()
        .filter(row -> !row.get("__KIND").equals("FILE"))
        .map(row -> row.get("__KIND") + " " + row.get("id"))
        .sorted()
        .toList();
  }

  @Test
  void a_tombstone_goes_after_its_retention_and_two_later_updates_and_late_events_are_counted(
      @TempDir Path folder) {
    String sql = sql(1, SHORT);
    try (Scene scene = new Scene(folder)) {
      // Two files are two commits of one update: it is the update that counts.
      scene.json("in/0.json", upsert(1, "a", 1));
      assertThat(update(scene, sql, 1, delete(1, 10))).isEqualTo(new Tombstones(1, 0, 0));
      scene.json("in/2.json", upsert(2, "b", 1));
      assertThat(update(scene, sql, 3, upsert(3, "c", 1))).isEqualTo(new Tombstones(1, 0, 0));
      assertThat(update(scene, sql, 4, upsert(1, "late", 5))).isEqualTo(new Tombstones(1, 0, 0));
      assertThat(scene.rows("kept")).containsExactly("2 b", "3 c");
      assertThat(update(scene, sql, 5, upsert(4, "d", 1))).isEqualTo(new Tombstones(0, 1, 0));
      assertThat(remembered(scene)).isEmpty();
      assertThat(update(scene, sql, 6, upsert(1, "too late", 5)))
          .isEqualTo(new Tombstones(0, 0, 1));
      assertThat(scene.rows("kept")).contains("1 too late");
      assertThat(TargetStatus.of(scene.bench().connection(), scene.bench().pipeline(sql, Map.of())))
          .singleElement()
          .extracting(TargetStatus::tombstones)
          .isEqualTo(0L);
    }
  }

  @Test
  void absorbed_events_of_a_run_go_except_its_last_and_rows_stay(@TempDir Path folder) {
    String sql = "SET 'sluice.tombstone-retention' = 'PT0.000001S';\n" + sql(2, "");
    try (Scene scene = new Scene(folder)) {
      update(
          scene,
          sql,
          1,
          upsert(1, "a", 10),
          upsert(1, "a", 20),
          upsert(1, "a", 30),
          upsert(2, "b", 10),
          delete(2, 20),
          delete(2, 30),
          delete(3, 40));
      List<String> rows = scene.rows("kept");
      assertThat(rows).containsExactly("1 a 10 ~", "2 b 10 20");
      assertThat(update(scene, sql, 2, upsert(9, "x", 1)).live()).isEqualTo(2);
      update(scene, sql, 3, upsert(9, "y", 2));
      assertThat(remembered(scene)).containsExactly("DELETE 2", "DELETE 3", "UPSERT 1", "UPSERT 1");
      assertThat(update(scene, sql, 4, upsert(9, "z", 3))).isEqualTo(new Tombstones(0, 3, 0));
      assertThat(remembered(scene)).containsExactly("UPSERT 1");
      assertThat(scene.rows("kept")).containsAll(rows);

      // The run is 10 to 30 with nothing between: the late event splits it there.
      assertThat(update(scene, sql, 5, upsert(1, "late", 15)).arrivedAfterCollection())
          .isEqualTo(1);
      assertThat(scene.rows("kept")).contains("1 a 10 15", "1 late 15 30", "1 a 30 ~");
    }
  }

  @Test
  void of_a_bitemporal_key_goes_what_has_changed_no_belief(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE kept %s;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept
        FROM STREAM read_files('${dir}/in', format => 'json',
          schema => 'id INT, val STRING, op STRING, seq INT, st INT')
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq SYSTEM SEQUENCE BY st
        COLUMNS (id, val) STORED AS BITEMPORAL;
        """
            .formatted(SHORT);
    try (Scene scene = new Scene(folder)) {
      update(
          scene,
          sql,
          1,
          learned(upsert(1, "a", 10), 1),
          learned(upsert(1, "a", 20), 2),
          learned(upsert(1, "a", 30), 3),
          learned(upsert(2, "b", 10), 1),
          learned(delete(2, 20), 2),
          learned(delete(2, 30), 3),
          learned(delete(3, 40), 1),
          learned(upsert(4, "c", 10), 1),
          learned(upsert(4, "c", 10), 2));
      List<String> rows = scene.rows("kept");
      assertThat(rows)
          .containsExactly("1 a 10 ~ 1 ~", "2 b 10 20 2 ~", "2 b 10 ~ 1 2", "4 c 10 ~ 1 ~");
      assertThat(update(scene, sql, 2, learned(upsert(9, "x", 1), 1)).live()).isEqualTo(2);
      update(scene, sql, 3, learned(upsert(9, "y", 2), 2));
      assertThat(remembered(scene))
          .containsExactly("DELETE 2", "DELETE 3", "UPSERT 1", "UPSERT 1", "UPSERT 4");
      assertThat(update(scene, sql, 4, learned(upsert(9, "z", 3), 3)))
          .isEqualTo(new Tombstones(0, 4, 0));
      assertThat(remembered(scene)).containsExactly("UPSERT 1");
      assertThat(scene.rows("kept")).containsAll(rows);

      // The run is 10 to 30 with nothing between: the late event splits it there.
      assertThat(update(scene, sql, 5, learned(upsert(1, "late", 15), 9)).arrivedAfterCollection())
          .isEqualTo(1);
      update(scene, sql, 6, learned(upsert(1, "b", 40), 10));
      assertThat(scene.rows("kept"))
          .contains(
              "1 a 10 ~ 1 9",
              "1 a 10 15 9 ~",
              "1 late 15 30 9 ~",
              "1 a 30 ~ 9 10",
              "1 a 30 40 10 ~",
              "1 b 40 ~ 10 ~");
    }
  }

  private static String learned(String event, int system) {
    return event.replace("}", ",'st':%d}".formatted(system));
  }

  @Test
  void by_default_two_days_are_remembered_and_with_zero_everything(@TempDir Path folder) {
    for (String properties :
        List.of("", "TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '0')")) {
      try (Scene scene = new Scene(folder.resolve("p" + properties.length()))) {
        String sql = sql(1, properties);
        update(scene, sql, 1, delete(1, 10));
        for (int number = 2; number < 6; number++) {
          assertThat(update(scene, sql, number, upsert(number, "x", 1)).live()).isEqualTo(1);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET 'sluice.tombstone-retention' = '2 fortnights';|",
        "SET 'sluice.tombstone-retention' = '-1 day';|",
        "|TBLPROPERTIES ('sluice.tombstone-retention' = 'soon')",
        "|TBLPROPERTIES ('pipelines.cdc.tombstoneGCThresholdInSeconds' = '2 days')"
      })
  void a_retention_that_is_none_is_refused(
      String setting, String properties, @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", upsert(1, "a", 1));
      String sql = (setting == null ? "" : setting) + sql(1, properties == null ? "" : properties);
      assertThat(scene.refused(sql))
          .singleElement()
          .extracting(problem -> problem.code())
          .isEqualTo(ErrorCode.INVALID_OPTION);
    }
  }
}
