package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.TargetResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** APPLY AS TRUNCATE WHEN and the floor (semantics 0.8, 9). */
class TruncateIT {

  private static String sql(int formatVersion, String more) {
    return """
    CREATE STREAMING TABLE kept TBLPROPERTIES ('format-version' = '%d');
    CREATE FLOW kept_changes AS AUTO CDC INTO kept
    FROM STREAM read_files('${dir}/in', format => 'json',
      schema => 'id INT, val STRING, op STRING, seq STRUCT<n: INT, m: INT>')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' APPLY AS TRUNCATE WHEN op = 'T'
    SEQUENCE BY %s COLUMNS (id, val) STORED AS SCD TYPE 1;
    """
        .formatted(formatVersion, more);
  }

  @Test
  void late_events_below_a_truncate_stay_out_for_keys_seen_before_and_never(@TempDir Path folder) {
    String sql = sql(3, "seq.n");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'old','op':'U','seq':{'n':1}}",
          "{'id':2,'val':'new','op':'U','seq':{'n':6}}",
          "{'id':3,'op':'D','seq':{'n':2}}");
      scene.run(sql);
      scene.json("in/2.json", "{'op':'T','seq':{'n':5}}");
      TargetResult truncated = Scene.target(scene.run(sql), "kept");
      assertThat(truncated.deleted()).isEqualTo(1);
      assertThat(scene.rows("kept")).containsExactly("2 new");
      assertThat(scene.bench().rows("kept__log")).as("the tombstone is not needed").isEmpty();

      scene.json(
          "in/3.json",
          "{'id':1,'val':'late','op':'U','seq':{'n':4}}",
          "{'id':9,'val':'unseen','op':'U','seq':{'n':4}}",
          "{'id':8,'val':'at the floor','op':'U','seq':{'n':5}}",
          "{'op':'T','seq':{'n':3}}");
      UpdateResult late = scene.run(sql);
      assertThat(Scene.flow(late, "kept_changes").late()).isEqualTo(2);
      assertThat(scene.rows("kept")).containsExactly("2 new", "8 at the floor");

      scene.refresh(sql, "kept");
      assertThat(scene.rows("kept")).containsExactly("2 new", "8 at the floor");
    }
  }

  @Test
  void a_null_condition_truncates_nothing_and_a_truncate_needs_a_sequence(@TempDir Path folder) {
    String sql = "SET 'sluice.invalid-events' = 'DROP';\n" + sql(2, "seq");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'a','op':'U','seq':{'n':1,'m':1}}",
          "{'id':2,'val':'b','seq':{'n':1,'m':2}}",
          "{'op':'T','seq':{'n':7}}",
          "{'op':'T'}");
      UpdateResult result = scene.run(sql);
      assertThat(Scene.flow(result, "kept_changes").invalid()).isEqualTo(2);
      assertThat(scene.rows("kept")).containsExactly("1 a", "2 b");
      scene.json("in/2.json", "{'op':'T','seq':{'n':1,'m':2}}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("2 b");
    }
  }

  @Test
  void a_truncate_reaches_feeds_that_are_larger_than_what_exchanges_buffer(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      int count = 200_000;
      String[] lines = new String[count + 1];
      for (int n = 0; n < count; n++) {
        lines[n] =
            "{'id':%d,'val':'a town of some length','op':'U','seq':{'n':%d}}".formatted(n, n);
      }
      lines[count] = "{'op':'T','seq':{'n':%d}}".formatted(count - 2);
      scene.json("in/1.json", lines);
      scene.run(sql(3, "seq.n"));
      assertThat(scene.rows("kept"))
          .containsExactly("199998 a town of some length", "199999 a town of some length");
    }
  }

  @Test
  void random_feeds_in_random_updates_give_the_rows_of_the_law(@TempDir Path folder) {
    for (long seed = 1; seed <= 4; seed++) {
      Random random = new Random(seed);
      String sql = sql(seed % 2 == 0 ? 2 : 3, seed < 3 ? "seq.n" : "seq");
      try (Scene scene = new Scene(folder.resolve("seed" + seed))) {
        Map<Integer, Integer> newest = new HashMap<>();
        Map<Integer, String> value = new HashMap<>();
        int floor = 0;
        List<Integer> order = new ArrayList<>();
        for (int n = 1; n <= 60; n++) {
          order.add(Math.min(order.size(), Math.max(0, order.size() - random.nextInt(20))), n);
        }
        for (int update = 0; update < 3; update++) {
          List<String> lines = new ArrayList<>();
          for (int n : order.subList(update * 20, update * 20 + 20)) {
            int key = random.nextInt(12);
            String op = Arrays.asList("U", "U", "U", "D", "T").get(random.nextInt(5));
            String id = op.equals("T") ? "" : "'id':" + key + ",";
            lines.add(
                "{" + id + "'val':'v" + n + "','op':'" + op + "','seq':{'n':" + n + ",'m':0}}");
            if (op.equals("T")) {
              floor = Math.max(floor, n);
            } else if (newest.getOrDefault(key, 0) < n) {
              newest.put(key, n);
              value.put(key, op.equals("D") ? null : "v" + n);
            }
          }
          scene.json("in/" + update + ".json", lines.toArray(String[]::new));
          scene.run(sql);
          int limit = floor;
          assertThat(scene.rows("kept"))
              .as("seed %d, update %d", seed, update)
              .isEqualTo(
                  newest.entrySet().stream()
                      .filter(entry -> entry.getValue() >= limit)
                      .filter(entry -> value.get(entry.getKey()) != null)
                      .map(entry -> entry.getKey() + " " + value.get(entry.getKey()))
                      .sorted()
                      .toList());
        }
      }
    }
  }
}
