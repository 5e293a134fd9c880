package io.sluice.conformance;

import static io.sluice.conformance.Snapshots.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot flow beside change feeds in one SCD type 1 target (semantics 12, 0.8, 0.9). */
class UnifiedTargetIT {

  private static final List<Integer> FORMAT_VERSIONS = List.of(2, 3);

  /** One target per case and format version; each case has folders of its own. */
  private static String sql(String name, int format, String once) {
    String snapshots = Snapshots.ROWS + Snapshots.NEXT;
    return """
        CREATE STREAMING TABLE %1$s_v%2$d TBLPROPERTIES ('format-version' = '%2$d');
        CREATE FLOW %1$s_v%2$d_changes AS AUTO CDC INTO %1$s_v%2$d
        FROM STREAM read_files('${dir}/%1$s/changes', format => 'json',
          schema => 'id INT, town STRING, op STRING, seq INT')
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, town);
        """
            .formatted(name, format)
        + Snapshots.flow(
                "%s_v%d_state".formatted(name, format),
                once,
                "%s_v%d".formatted(name, format),
                snapshots,
                "")
            .replace("${dir}/in", "${dir}/" + name + "/snapshots")
            .replace("KEYS (id)", "KEYS (ID)");
  }

  private static String both(String name) {
    return sql(name, 2, "") + sql(name, 3, "");
  }

  private static String change(int id, String town, int seq) {
    return "{'id':%d,'town':'%s','op':'U','seq':%d}".formatted(id, town, seq);
  }

  private static String delete(int id, int seq) {
    return "{'id':%d,'op':'D','seq':%d}".formatted(id, seq);
  }

  private static void hasRows(Scene scene, String name, String... rows) {
    for (int format : FORMAT_VERSIONS) {
      assertThat(scene.rows(name + "_v" + format))
          .as("%s, version %d", name, format)
          .containsExactly(rows);
    }
  }

  @Test
  void snapshots_and_events_are_one_ordering_domain(@TempDir Path folder) {
    String sql = both("u");
    try (Scene scene = new Scene(folder)) {
      scene.json("u/snapshots/0.json", "");
      scene.json(
          "u/changes/1.json",
          change(1, "newer", 20),
          change(2, "older", 5),
          change(4, "same", 5),
          change(5, "tie", 10),
          delete(6, 10),
          delete(7, 9));
      scene.run(sql);
      hasRows(scene, "u", "1 newer", "2 older", "4 same", "5 tie");

      // A newer event and one with the very version beat the snapshot; a key that it lacks is gone.
      scene.json(
          "u/snapshots/10.json",
          row(10, 1, "s"),
          row(10, 3, "s"),
          row(10, 4, "same"),
          row(10, 5, "s"),
          row(10, 6, "s"),
          row(10, 7, "s"),
          row(10, 8, "s"));
      scene.run(sql);
      hasRows(scene, "u", "1 newer", "3 s", "4 same", "5 tie", "7 s", "8 s");

      // The snapshot beats older events that come later, also of keys that nobody has seen, and of
      // rows that it confirmed; newer ones restore a key.
      scene.json(
          "u/changes/2.json",
          change(2, "restored", 12),
          change(3, "late", 7),
          change(4, "late", 8),
          change(9, "late", 9),
          change(8, "tie", 10),
          change(10, "tie", 10),
          delete(7, 9));
      UpdateResult late = scene.run(sql);
      hasRows(
          scene, "u", "1 newer", "10 tie", "2 restored", "3 s", "4 same", "5 tie", "7 s", "8 tie");
      assertThat(Scene.flow(late, "u_v3_changes").late()).isEqualTo(4);
    }
  }

  /** An event with the very version beats the snapshot, whichever comes first: that is no tie. */
  @Test
  void with_ties_as_errors_an_event_of_the_very_version_beats_the_snapshot(@TempDir Path folder) {
    String sql = "SET 'sluice.ties' = 'FAIL';\n" + both("f");
    try (Scene scene = new Scene(folder)) {
      scene.json("f/changes/1.json", change(1, "before", 10));
      scene.json("f/snapshots/10.json", row(10, 1, "s"), row(10, 2, "s"), row(10, 3, "s"));
      scene.run(sql);
      hasRows(scene, "f", "1 before", "2 s", "3 s");
      scene.json("f/changes/2.json", change(2, "after", 10), delete(3, 10), change(4, "new", 10));
      UpdateResult after = scene.run(sql);
      hasRows(scene, "f", "1 before", "2 after", "4 new");
      assertThat(Scene.flow(after, "f_v3_changes").ties()).isZero();
      // Two events with that sequence are a tie as any other.
      scene.json("f/changes/3.json", change(5, "one", 10), change(5, "other", 10));
      assertThat(scene.failing(sql))
          .hasSize(2)
          .allSatisfy(problem -> assertThat(problem.code()).isEqualTo(ErrorCode.TIE));
      hasRows(scene, "f", "1 before", "2 after", "4 new");
    }
  }

  @Test
  void a_backfill_runs_once_into_a_table_that_a_feed_goes_on_with(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("b/changes/1.json", change(1, "live", 20), change(2, "early", 3));
      scene.json("b/snapshots/10.json", row(10, 1, "s"), row(10, 2, "s"), row(10, 3, "s"));
      String live = sql("b", 3, "").replaceFirst("(?s)CREATE FLOW b_v3_state.*", "");
      scene.run(live);
      assertThat(scene.rows("b_v3")).containsExactly("1 live", "2 early");

      UpdateResult backfill = scene.run(sql("b", 3, "ONCE"));
      assertThat(Scene.flow(backfill, "b_v3_state").state()).isEqualTo(FlowResult.State.RAN);
      assertThat(scene.rows("b_v3")).containsExactly("1 live", "2 s", "3 s");

      scene.json("b/snapshots/30.json", row(30, 9, "not taken"));
      scene.json("b/changes/2.json", change(2, "late", 9), change(3, "next", 11), delete(1, 21));
      UpdateResult next = scene.run(sql("b", 3, "ONCE"));
      assertThat(Scene.flow(next, "b_v3_state").state()).isEqualTo(FlowResult.State.DONE);
      assertThat(Scene.flow(next, "b_v3_changes").late()).isEqualTo(1);
      assertThat(scene.rows("b_v3")).containsExactly("2 s", "3 next");

      // A full refresh takes the snapshots of then.
      scene.json("b/snapshots/30.json", row(30, 2, "s30"));
      scene.refresh(
          "SET 'sluice.snapshot.max-delete-ratio' = '1';\n" + sql("b", 3, "ONCE"), "b_v3");
      assertThat(scene.rows("b_v3")).containsExactly("2 s30");

      // Without versions a snapshot cannot enter a table that holds rows already.
      String bare =
          sql("b", 3, "ONCE")
              .replaceFirst("(?s)WITH VERSION.*KEYS", "KEYS")
              .replaceFirst("WHERE version = .*", ")")
              .replace("SEQUENCE BY seq", "SEQUENCE BY TO_TIMESTAMP_LTZ(seq, 3)");
      scene.json("c/changes/1.json", change(1, "live", 20));
      scene.json("c/snapshots/1.json", row(1, 1, "s"));
      String other = bare.replace("b_v3", "c_v3").replace("/b/", "/c/");
      scene.run(other.replaceFirst("(?s)CREATE FLOW c_v3_state.*", ""));
      assertThat(scene.failing(other).get(0).code())
          .isEqualTo(ErrorCode.AUTO_CDC_FROM_SNAPSHOT_NON_EMPTY_TARGET_WITHOUT_VERSION);
    }
  }

  /** What arrives: an event of one key, or a whole snapshot. */
  private record Arrival(int sequence, Map<Integer, String> rows, int key, String town) {

    boolean isSnapshot() {
      return rows != null;
    }
  }

  @Test
  void random_arrivals_give_the_rows_of_the_newest_statement_about_each_key(@TempDir Path folder) {
    long seed = Long.getLong("sluice.test.seed", 11);
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    for (int sequence = 1; sequence <= 60; sequence++) {
      if (random.nextInt(12) == 0) {
        Map<Integer, String> rows = new TreeMap<>();
        for (int key = 1; key <= 6; key++) {
          if (random.nextInt(3) > 0) {
            rows.put(key, "s" + sequence % 4);
          }
        }
        arrivals.add(new Arrival(sequence, rows, 0, null));
      } else {
        String town = random.nextInt(4) == 0 ? null : "e" + random.nextInt(4);
        arrivals.add(new Arrival(sequence, null, 1 + random.nextInt(8), town));
      }
    }
    Map<Integer, String> expected = expected(arrivals);
    List<Arrival> events =
        new ArrayList<>(arrivals.stream().filter(each -> !each.isSnapshot()).toList());
    List<Arrival> snapshots = arrivals.stream().filter(Arrival::isSnapshot).toList();
    Collections.shuffle(events, random);
    String sql = "SET 'sluice.snapshot.max-delete-ratio' = '1';\n" + sql("r", 3, "");
    int updates = 4;
    try (Scene scene = new Scene(folder)) {
      scene.json("r/changes/0.json", "");
      scene.json("r/snapshots/0.json", "");
      for (int update = 0; update < updates; update++) {
        scene.json("r/changes/" + (update + 1) + ".json", lines(part(events, update, updates)));
        List<Arrival> due = part(snapshots, update, updates);
        for (Arrival each : due) {
          scene.json("r/snapshots/" + each.sequence() + ".json", lines(List.of(each)));
        }
        scene.run(sql);
      }
      assertThat(scene.rows("r_v3"))
          .as("seed %d", seed)
          .containsExactlyElementsOf(
              expected.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
    }
  }

  private static Map<Integer, String> expected(List<Arrival> arrivals) {
    Map<Integer, String> rows = new TreeMap<>();
    for (Arrival each : arrivals) {
      if (each.isSnapshot()) {
        rows.clear();
        rows.putAll(each.rows());
      } else if (each.town() == null) {
        rows.remove(each.key());
      } else {
        rows.put(each.key(), each.town());
      }
    }
    return rows;
  }

  private static <T> List<T> part(List<T> all, int number, int parts) {
    return all.subList(all.size() * number / parts, all.size() * (number + 1) / parts);
  }

  private static String[] lines(List<Arrival> arrivals) {
    List<String> lines = new ArrayList<>();
    for (Arrival each : arrivals) {
      if (each.isSnapshot()) {
        each.rows().forEach((key, town) -> lines.add(row(each.sequence(), key, town)));
      } else {
        lines.add(
            each.town() == null
                ? delete(each.key(), each.sequence())
                : change(each.key(), each.town(), each.sequence()));
      }
    }
    return lines.toArray(String[]::new);
  }
}
