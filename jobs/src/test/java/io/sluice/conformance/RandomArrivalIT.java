package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.conformance.RandomFeed.Arrival;
import io.sluice.conformance.RandomFeed.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Law 1 of semantics 20.7 through the product: one set of changes, arriving in two random orders
 * and batchings, gives after every update the rows that all that has arrived determines. A failure
 * names its seed: run it again with {@code -Dsluice.test.seed=<seed>}.
 */
class RandomArrivalIT {

  private static final List<String> FEEDS = List.of("north", "south");

  private static final Map<String, Function<NaiveTable, List<String>>> STORES =
      Map.of(
          "SCD TYPE 1", NaiveTable::latest,
          "SCD TYPE 2", NaiveTable::versions,
          "SCD TYPE 2 TRACK HISTORY ON name", NaiveTable::versionsOfName,
          "SCD TYPE 2 TRACK HISTORY ON * EXCEPT (name, town)", NaiveTable::lives);

  private record Kept(String name, String feed, String store, int formatVersion) {

    String sql() {
      return """
      CREATE STREAMING TABLE %1$s TBLPROPERTIES ('format-version' = '%2$d');
      CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
      FROM STREAM read_files('${dir}/%3$s', format => 'json',
        schema => 'id INT, name STRING, town STRING, op STRING, n BIGINT')
      KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS * EXCEPT (op, n)
      STORED AS %4$s;
      """
          .formatted(name, formatVersion, feed, store);
    }
  }

  private static List<Kept> tables() {
    List<Kept> tables = new ArrayList<>();
    for (String store : STORES.keySet()) {
      for (String feed : FEEDS) {
        int version = 2 + tables.size() % 2;
        tables.add(new Kept("kept_" + tables.size(), feed, store, version));
      }
    }
    return tables;
  }

  @Test
  void any_order_and_batching_of_arrival_gives_the_rows_of_the_changes(@TempDir Path folder) {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("RandomArrivalIT seed " + seed);
    RandomFeed feed = new RandomFeed(seed);
    List<Change> changes = feed.changes();
    List<List<List<Arrival>>> arranged = FEEDS.stream().map(name -> feed.arrange(changes)).toList();
    List<Kept> tables = tables();
    String sql = String.join("\n", tables.stream().map(Kept::sql).toList());
    try (Scene scene = new Scene(folder)) {
      int updates = arranged.stream().mapToInt(List::size).max().orElseThrow();
      for (int update = 0; update < updates; update++) {
        for (int i = 0; i < FEEDS.size(); i++) {
          write(scene, FEEDS.get(i), arranged.get(i), update);
        }
        scene.run(sql);
        for (Kept table : tables) {
          List<List<Arrival>> files = arranged.get(FEEDS.indexOf(table.feed()));
          NaiveTable oracle = new NaiveTable(arrived(files, update));
          List<String> wanted = STORES.get(table.store()).apply(oracle);
          assertThat(differences(scene.rows(table.name()), wanted, arrived(files, update)))
              .as("seed %d, update %d of %s", seed, update + 1, table)
              .isEmpty();
        }
      }
    }
  }

  private static void write(Scene scene, String feed, List<List<Arrival>> files, int update) {
    if (update < files.size() && !files.get(update).isEmpty()) {
      List<Arrival> file = files.get(update);
      scene
          .bench()
          .write(
              feed + "/" + file.get(0).file(),
              file.stream().map(arrival -> arrival.change().json()).toArray(String[]::new));
    }
  }

  private static List<Arrival> arrived(List<List<Arrival>> files, int update) {
    return Stream.of(files.subList(0, Math.min(update + 1, files.size())))
        .flatMap(List::stream)
        .flatMap(List::stream)
        .toList();
  }

  /** A line per key whose rows differ, with everything that arrived of it. */
  private static List<String> differences(
      List<String> found, List<String> wanted, List<Arrival> arrived) {
    return IntStream.rangeClosed(1, RandomFeed.KEYS)
        .filter(key -> !ofKey(found, key).equals(ofKey(wanted, key)))
        .mapToObj(
            key ->
                "is "
                    + ofKey(found, key)
                    + ", not "
                    + ofKey(wanted, key)
                    + arrivalsOf(arrived, key))
        .toList();
  }

  private static List<String> ofKey(List<String> rows, int key) {
    return rows.stream().filter(row -> row.startsWith(key + " ")).toList();
  }

  private static String arrivalsOf(List<Arrival> arrived, int key) {
    return arrived.stream()
        .filter(arrival -> arrival.change().key() == key)
        .map(each -> "\n  " + each.file() + ":" + each.line() + " " + each.change())
        .collect(Collectors.joining());
  }
}
