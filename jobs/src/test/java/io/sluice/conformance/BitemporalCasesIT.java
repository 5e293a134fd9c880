package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cases of semantics 10 through SQL and several updates: JSON files in triggered ones, messages
 * of a real broker in continuous runs. Each is a key of its own, and a key more for every order in
 * which its events can arrive, one by one and the last one apart.
 */
class BitemporalCasesIT {

  private static final int UPDATES = 4;
  private static final String AGAIN = "again";
  private static final String FILES = "read_files('${dir}/in',";
  private static final List<Integer> FORMAT_VERSIONS = List.of(2, 3);

  private static String sql(int formatVersion, String source) {
    return """
    CREATE STREAMING TABLE states_v%1$d TBLPROPERTIES ('format-version' = '%1$d');
    CREATE FLOW changes_v%1$d AS AUTO CDC INTO states_v%1$d
    FROM STREAM %2$s format => 'json',
      schema => 'id STRING, val STRING, op STRING, bt BIGINT, st BIGINT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY bt SYSTEM SEQUENCE BY st
    COLUMNS (id, val) STORED AS BITEMPORAL;
    """
        .formatted(formatVersion, source);
  }

  private static String sql(String source) {
    return sql(2, source) + sql(3, source);
  }

  /** A case in one order of arrival; lines by update. */
  private record Arrival(BitemporalCase of, String key, List<List<String>> updates) {}

  /** What lets the events of an update come and takes them in. */
  @FunctionalInterface
  private interface Intake {
    void take(Scene scene, String update, String... lines);
  }

  @Test
  void every_order_of_arrival_gives_the_documented_rows(@TempDir Path folder) {
    check(
        folder,
        (scene, update, lines) -> {
          scene.json("in/" + update + ".json", lines);
          scene.run(sql(FILES));
        });
  }

  @Test
  void continuous_runs_that_begin_anew_after_each_update_give_them_too(@TempDir Path folder) {
    Broker broker = Broker.shared();
    String topic = broker.topic(1);
    String sql =
        sql(
            "read_kafka(bootstrapServers => '%s', topic => '%s',"
                .formatted(broker.servers(), topic));
    int[] sent = new int[1];
    check(
        folder,
        (scene, update, lines) -> {
          try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
            broker.sendAll(topic, lines);
            sent[0] += lines.length;
            String end = "\"offsets\":{\"0\":" + sent[0] + "}";
            FORMAT_VERSIONS.forEach(version -> keeper.hasRead("states_v" + version, List.of(end)));
          }
        });
  }

  private static void check(Path folder, Intake intake) {
    List<BitemporalCase> cases = BitemporalCase.load("/conformance/bitemporal.txt");
    List<Arrival> arrivals = new ArrayList<>();
    cases.forEach(each -> permute(each, new ArrayList<>(), arrivals));
    assertThat(arrivals).hasSizeGreaterThan(100);
    try (Scene scene = new Scene(folder)) {
      for (int update = 0; update < UPDATES; update++) {
        List<String> lines = new ArrayList<>();
        for (BitemporalCase each : cases) {
          if (update < each.updates().size()) {
            each.updates().get(update).forEach(event -> lines.add(event.json(each.id())));
          }
        }
        for (Arrival each : arrivals) {
          lines.addAll(update < each.updates().size() ? each.updates().get(update) : List.of());
        }
        intake.take(scene, String.valueOf(update), lines.toArray(String[]::new));
        for (BitemporalCase each : cases) {
          if (update < each.updates().size()) {
            requireRows(scene, each.id(), each.rows().get(update), "update " + (update + 1));
          }
        }
      }
      requireAll(scene, arrivals, "the last update");
      for (int version : FORMAT_VERSIONS) {
        assertThat(scene.columns("states_v" + version))
            .containsExactly(
                "id string",
                "val string",
                "__START_AT long",
                "__END_AT long",
                "__SYSTEM_START_AT long",
                "__SYSTEM_END_AT long");
      }

      intake.take(
          scene,
          AGAIN,
          arrivals.stream()
              .flatMap(each -> each.updates().stream().flatMap(List::stream))
              .toArray(String[]::new));
      requireAll(scene, arrivals, "everything came once more");
    }
  }

  private static void requireAll(Scene scene, List<Arrival> arrivals, String when) {
    List<String> wanted = new ArrayList<>();
    for (Arrival each : arrivals) {
      each.of().lastRows().forEach(row -> wanted.add(each.key() + " " + row));
    }
    for (int version : FORMAT_VERSIONS) {
      assertThat(scene.rows("states_v" + version).stream().filter(row -> row.contains("/")))
          .as("rows of version %d after %s", version, when)
          .containsExactlyInAnyOrderElementsOf(wanted);
    }
  }

  private static void requireRows(Scene scene, String key, List<String> rows, String when) {
    for (int version : FORMAT_VERSIONS) {
      assertThat(scene.rows("states_v" + version).stream().filter(r -> r.startsWith(key + " ")))
          .as("rows of version %d of %s after %s", version, key, when)
          .containsExactlyInAnyOrderElementsOf(rows.stream().map(row -> key + " " + row).toList());
    }
  }

  private static void permute(BitemporalCase of, List<Integer> order, List<Arrival> arrivals) {
    List<BitemporalCase.Event> events = of.events();
    if (order.size() == events.size()) {
      String key = of.id() + "/" + order;
      key = key.replace(" ", "");
      arrivals.add(new Arrival(of, key, oneByOne(events, order, key)));
      arrivals.add(new Arrival(of, key + "+", lastApart(events, order, key + "+")));
      return;
    }
    IntStream.range(0, events.size())
        .filter(next -> !order.contains(next))
        .forEach(
            next -> {
              List<Integer> longer = new ArrayList<>(order);
              longer.add(next);
              permute(of, longer, arrivals);
            });
  }

  private static List<List<String>> oneByOne(
      List<BitemporalCase.Event> events, List<Integer> order, String key) {
    return order.stream().map(at -> List.of(events.get(at).json(key))).toList();
  }

  private static List<List<String>> lastApart(
      List<BitemporalCase.Event> events, List<Integer> order, String key) {
    int last = order.size() - 1;
    return List.of(
        order.subList(0, last).stream().map(at -> events.get(at).json(key)).toList(),
        List.of(events.get(order.get(last)).json(key)));
  }
}
