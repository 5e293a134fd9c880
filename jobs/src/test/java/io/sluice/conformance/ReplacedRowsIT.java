package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.TargetResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows of SCD type 1 below every new event are replaced whatever they hold, so an update reads no
 * more of them than key and sequence; whichever rows it reads whole, the result is the same.
 */
class ReplacedRowsIT {

  @TempDir private Path folder;

  private static String sql(String table, String input, String properties) {
    return """
        CREATE STREAMING TABLE %1$s%3$s;
        CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
        FROM STREAM read_files('${dir}/%2$s', format => 'json',
          schema => 'id INT, val STRING, op STRING, n INT')
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (id, val)
        STORED AS SCD TYPE 1;
        """
        .formatted(table, input, properties.isEmpty() ? "" : " TBLPROPERTIES (" + properties + ")");
  }

  private static String event(int id, String value, int n) {
    return "{'id': %d, 'val': '%s', 'op': '%s', 'n': %d}"
        .formatted(id, value, value.isEmpty() ? "D" : "U", n);
  }

  @Test
  void only_keys_and_sequences_are_read_of_rows_below_every_event() {
    Random random = new Random(1);
    String sql = sql("t", "in", "");
    try (Scene scene = new Scene(folder)) {
      String[] events =
          IntStream.range(0, 3_000)
              .mapToObj(id -> event(id, text(random), id))
              .toArray(String[]::new);
      scene.json("in/1.json", events);
      scene.run(sql);
      long size =
          Long.parseLong(
              scene.bench().table("t").currentSnapshot().summary().get("total-files-size"));
      assertThat(size).isGreaterThan(500_000);

      scene.json("in/2.json", event(7, "new", 4_000), event(2_999, "", 4_001));
      TargetResult above = Scene.target(scene.run(sql), "default.t");
      assertThat(above.existingRowsRead()).isEqualTo(2);
      assertThat(above.existingBytesRead()).isLessThan(size / 5);

      scene.json("in/3.json", event(8, "late", 3), event(9, "late", 10), event(10, "", 9));
      TargetResult late = Scene.target(scene.run(sql), "default.t");
      assertThat(late.existingBytesRead()).isGreaterThan(size / 2);
      assertThat(scene.rows("t"))
          .hasSize(2_999)
          .contains("7 new", "9 late")
          .noneMatch(row -> row.startsWith("2999 ") || row.equals("8 late"))
          .anyMatch(row -> row.startsWith("10 "));

      // What is there already is no tie, and no reason to write anything.
      scene.json("in/4.json", event(7, "new", 4_000), event(9, "late", 10));
      assertThat(Scene.flow(scene.run(sql), "t_changes"))
          .satisfies(
              again -> {
                assertThat(again.ties()).isZero();
                assertThat(again.updated() + again.inserted() + again.deleted()).isZero();
              });
      scene.json("in/5.json", event(7, "newer", 4_000));
      assertThat(Scene.flow(scene.run(sql), "t_changes").ties()).isEqualTo(1);
      assertThat(scene.rows("t")).contains("7 newer");
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 25; i++) {
      text.append(Long.toHexString(random.nextLong()));
    }
    return text.toString();
  }

  /** Ties, late events and deletes included, for which each table has to know its rows exactly. */
  @ParameterizedTest
  @CsvSource({"2, true", "3, true", "3, false"})
  void many_updates_and_one_give_the_same(int format, boolean few) {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("ReplacedRowsIT seed " + seed);
    Random random = new Random(seed);
    String version = "'format-version' = '" + format + "'";
    // With many keys an update touches few rows of each file, which are then looked for first.
    int keys = few ? 30 : 2_000;
    try (Scene scene = new Scene(folder)) {
      List<String> all = new ArrayList<>();
      for (int update = 0; update < 12; update++) {
        List<String> events = new ArrayList<>();
        int size = update == 0 ? keys : 1 + random.nextInt(12);
        for (int i = 0; i < size; i++) {
          // Often above everything, sometimes at or below what is there.
          int n = 40 * update + random.nextInt(40) - (random.nextInt(4) == 0 ? 80 : 0);
          String value = random.nextInt(5) == 0 ? "" : "v" + random.nextInt(50);
          events.add(event(update == 0 ? i : random.nextInt(keys), value, Math.max(n, 0)));
        }
        scene.json("many/%02d.json".formatted(update), events.toArray(String[]::new));
        scene.run(sql("many", "many", version));
        all.addAll(events);
        scene.json("one" + update + "/1.json", all.toArray(String[]::new));
        if (update % 4 == 3) {
          scene.run(sql("one" + update, "one" + update, version));
          assertThat(scene.rows("many"))
              .as("seed %d, update %d", seed, update)
              .isEqualTo(scene.rows("one" + update));
          assertThat(tombstones(scene, "many")).isEqualTo(tombstones(scene, "one" + update));
        }
      }
    }
  }

  private static List<String> tombstones(Scene scene, String table) {
    return scene.bench().rows(table + "__log").stream()
        .filter(row -> "DELETE".equals(row.get("__KIND")))
        .map(ReplacedRowsIT::keyAndSequence)
        .sorted()
        .toList();
  }

  private static String keyAndSequence(Map<String, Object> row) {
    return row.get("id") + " " + row.get("__SEQUENCE");
  }
}
