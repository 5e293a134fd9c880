package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Laws 5 and 6 of semantics 20.7 through the product: what a bitemporal table believes, now and at
 * earlier system times, is what tables of SCD type 2 hold of the events learned until then. Events
 * arrive in a random order; a failure names its seed: run it again with {@code
 * -Dsluice.test.seed=<seed>}.
 */
class BitemporalArrivalIT {

  private static final int KEYS = 25;
  private static final int UPDATES = 3;
  private static final List<Integer> TIMES = List.of(9, 20);

  private static final String SOURCE =
      "read_files('${dir}/in', format => 'json',"
          + " schema => 'id INT, val STRING, note STRING, op STRING, bt BIGINT, st BIGINT')";

  private static String sql(int formatVersion, String clauses) {
    StringBuilder sql =
        new StringBuilder(
            """
            CREATE STREAMING TABLE beliefs TBLPROPERTIES ('format-version' = '%2$d');
            CREATE FLOW beliefs_f AS AUTO CDC INTO beliefs FROM STREAM %1$s
            KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY bt SYSTEM SEQUENCE BY st
            COLUMNS * EXCEPT (op, bt, st) STORED AS BITEMPORAL %3$s;
            """
                .formatted(SOURCE, formatVersion, clauses));
    sql.append(scd2("now_believed", "TRUE", clauses));
    TIMES.forEach(time -> sql.append(scd2("believed_at_" + time, "st <= " + time, clauses)));
    return sql.toString();
  }

  private static String scd2(String table, String condition, String clauses) {
    return """
    CREATE TEMPORARY VIEW %1$s_v AS SELECT * FROM STREAM %2$s WHERE %3$s;
    CREATE STREAMING TABLE %1$s;
    CREATE FLOW %1$s_f AS AUTO CDC INTO %1$s FROM STREAM(%1$s_v)
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY bt
    COLUMNS * EXCEPT (op, bt, st) STORED AS SCD TYPE 2 %4$s;
    """
        .formatted(table, SOURCE, condition, clauses);
  }

  @ParameterizedTest
  @CsvSource({
    "2, TRACK HISTORY ON val",
    "3, IGNORE NULL UPDATES",
    "2, IGNORE NULL UPDATES ON (note)",
    "3, IGNORE NULL UPDATES TRACK HISTORY ON val"
  })
  void what_is_believed_at_a_system_time_is_the_history_of_the_events_learned_until_then(
      int formatVersion, String clauses, @TempDir Path folder) {
    String sql = sql(formatVersion, clauses);
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("BitemporalArrivalIT seed " + seed);
    List<String> events = events(new Random(seed));
    try (Scene scene = new Scene(folder)) {
      for (int update = 0; update < UPDATES; update++) {
        int from = events.size() * update / UPDATES;
        int to = events.size() * (update + 1) / UPDATES;
        scene.json("in/" + update + ".json", events.subList(from, to).toArray(String[]::new));
        scene.run(sql);
        String what = "seed %d, update %d".formatted(seed, update + 1);
        assertThat(believed(scene, null))
            .as(what)
            .containsExactlyInAnyOrderElementsOf(scene.rows("now_believed"));
        for (int time : TIMES) {
          assertThat(believed(scene, (long) time))
              .as("%s, at %d", what, time)
              .containsExactlyInAnyOrderElementsOf(scene.rows("believed_at_" + time));
        }
      }
    }
  }

  /** The business rows that are believed at a system time; null for now. */
  private static List<String> believed(Scene scene, Long time) {
    List<String> rows = new ArrayList<>();
    for (Map<String, Object> row : scene.bench().rows("beliefs")) {
      Long start = (Long) row.get("__SYSTEM_START_AT");
      Long end = (Long) row.get("__SYSTEM_END_AT");
      boolean believed = time == null ? end == null : start <= time && (end == null || end > time);
      if (believed) {
        rows.add(
            Stream.of("id", "val", "note", "__START_AT", "__END_AT")
                .map(column -> row.get(column) == null ? "~" : row.get(column).toString())
                .collect(Collectors.joining(" ")));
      }
    }
    return rows;
  }

  /** Per key every business time once, in no order of either axis. */
  private static List<String> events(Random random) {
    List<String> events = new ArrayList<>();
    for (int key = 1; key <= KEYS; key++) {
      int count = 1 + random.nextInt(14);
      for (int business = 1; business <= count; business++) {
        boolean delete = random.nextInt(5) == 0;
        events.add(
            "{'id':%d,'val':%s,'note':%s,'op':'%s','bt':%d,'st':%d}"
                .formatted(
                    key,
                    delete || random.nextInt(3) == 0 ? "null" : "'v" + random.nextInt(2) + "'",
                    delete || random.nextInt(2) == 0 ? "null" : "'n" + random.nextInt(2) + "'",
                    delete ? "D" : "U",
                    business,
                    random.nextInt(30)));
      }
    }
    Collections.shuffle(events, random);
    return events;
  }
}
