package io.sluice.conformance;

import static io.sluice.conformance.PartialUpdatesIT.sql;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random partial updates, in any order, give the rows that the law says (semantics 8, 0.6). */
class RandomPartialUpdatesIT {

  private record Change(Integer a, Integer b, boolean delete) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void random_feeds_in_random_updates_give_the_rows_of_the_law(long seed, @TempDir Path folder) {
    Random random = new Random(seed);
    String schema = "id INT, a INT, b INT";
    String sql =
        sql(schema, "IGNORE NULL UPDATES")
            + sql(
                    schema,
                    "IGNORE NULL UPDATES STORED AS SCD TYPE 2"
                        + (seed % 2 == 0 ? " TRACK HISTORY ON (a)" : ""))
                .replace("kept", "versions");
    List<Integer> order = new ArrayList<>();
    for (int n = 1; n <= 90; n++) {
      order.add(Math.min(order.size(), Math.max(0, order.size() - random.nextInt(30))), n);
    }
    TreeMap<Integer, TreeMap<Integer, Change>> logs = new TreeMap<>();
    try (Scene scene = new Scene(folder)) {
      for (int update = 0; update < 3; update++) {
        List<String> lines = new ArrayList<>();
        for (int n : order.subList(update * 30, update * 30 + 30)) {
          int key = random.nextInt(6);
          Change change =
              new Change(
                  random.nextBoolean() ? null : random.nextInt(3),
                  random.nextBoolean() ? null : random.nextInt(3),
                  random.nextInt(8) == 0);
          logs.computeIfAbsent(key, k -> new TreeMap<>()).put(n, change);
          lines.add(
              "{'id':%d,'a':%s,'b':%s,'op':'%s','seq':%d}"
                  .formatted(key, change.a, change.b, change.delete ? "D" : "U", n));
        }
        scene.json("in/" + update + ".json", lines.toArray(String[]::new));
        scene.run(sql);
        List<String> versions = new ArrayList<>();
        logs.forEach((key, log) -> versions.addAll(versions(key, log, seed % 2 == 0)));
        assertThat(scene.rows("versions")).as("update %d", update).isEqualTo(sorted(versions));
        List<String> current = new ArrayList<>();
        logs.forEach((key, log) -> current.addAll(versions(key, log, false)));
        assertThat(scene.rows("kept"))
            .as("update %d", update)
            .isEqualTo(
                sorted(
                    current.stream()
                        .filter(row -> row.endsWith(" ~"))
                        .map(row -> row.replaceFirst(" \\d+ ~$", ""))
                        .toList()));
      }
    }
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  private static List<String> versions(int key, TreeMap<Integer, Change> log, boolean onlyA) {
    List<String> rows = new ArrayList<>();
    Integer start = null;
    String columns = null;
    String tracked = null;
    Integer a = null;
    Integer b = null;
    for (var entry : log.entrySet()) {
      Change change = entry.getValue();
      a = change.delete ? null : change.a == null ? a : change.a;
      b = change.delete ? null : change.b == null ? b : change.b;
      String now = (a == null ? "~" : a) + " " + (b == null ? "~" : b);
      String nowTracked = onlyA ? String.valueOf(a) : now;
      if (start != null && (change.delete || !nowTracked.equals(tracked))) {
        rows.add(key + " " + columns + " " + start + " " + entry.getKey());
        start = null;
      }
      if (!change.delete) {
        start = start == null ? entry.getKey() : start;
        columns = now;
        tracked = nowTracked;
      }
    }
    if (start != null) {
      rows.add(key + " " + columns + " " + start + " ~");
    }
    return rows;
  }
}
