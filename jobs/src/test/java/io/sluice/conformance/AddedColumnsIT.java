package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that a source gets later are not authored by older rows (semantics 0.13, 8.3). */
class AddedColumnsIT {

  private static final String OLD = "id INT, a STRING, s STRUCT<l: STRING>";
  private static final String NEW =
      "id INT, a STRING, s STRUCT<l: STRING>, n STRUCT<x: INT, y: INT>, c STRING";

  private static String table(String name, String folder, String schema, String clauses) {
    return """
    CREATE STREAMING TABLE %1$s;
    CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
    FROM STREAM read_files('${dir}/%2$s', format => 'json', schema => '%3$s, op STRING, seq INT, st INT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY %5$s COLUMNS * EXCEPT (op, seq, st) %4$s;
    """
        .formatted(
            name,
            folder,
            schema,
            clauses,
            clauses.contains("BITEMPORAL") ? "seq / 24 SYSTEM SEQUENCE BY st" : "seq");
  }

  @Test
  void late_and_early_events_fill_a_new_column_of_an_old_current_row(@TempDir Path folder) {
    String partial = "IGNORE NULL UPDATES";
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','s':{'l':'l'},'seq':20}",
          "{'id':2,'a':'y','seq':20}",
          "{'id':3,'a':'z','seq':20}");
      scene.run(table("kept", "in", OLD, partial));
      scene.json(
          "in/2.json",
          "{'id':1,'a':'w','s':{'l':'k'},'n':{'x':1},'c':'late','seq':10}",
          "{'id':2,'c':'early','seq':30}",
          "{'id':3,'op':'D','seq':15}",
          "{'id':3,'c':'before the delete','seq':10}");
      scene.run(table("kept", "in", NEW, partial));
      assertThat(scene.rows("kept"))
          .containsExactly("1 x l 1/~ late", "2 y ~ ~ early", "3 z ~ ~ ~");
      scene.json(
          "in/3.json",
          "{'id':1,'c':'nearer','seq':15}",
          "{'id':2,'a':'v','c':'between','seq':25}",
          "{'id':3,'c':'behind the delete','seq':16}");
      scene.run(table("kept", "in", NEW, partial));
      assertThat(scene.rows("kept"))
          .containsExactly("1 x l 1/~ nearer", "2 v ~ ~ early", "3 z ~ ~ behind the delete");
    }
  }

  @Test
  void old_versions_inherit_a_new_column_from_late_events(@TempDir Path folder) {
    String partial = "IGNORE NULL UPDATES STORED AS SCD TYPE 2";
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','s':{'l':'k'},'seq':10}",
          "{'id':1,'a':'y','s':{'l':'k'},'seq':20}",
          "{'id':1,'op':'D','seq':30}",
          "{'id':1,'a':'z','s':{'l':'k'},'seq':40}");
      scene.run(table("kept", "in", OLD, partial));
      assertThat(scene.bench().rows("kept__log")).isEmpty();
      scene.json("in/2.json", "{'id':1,'c':'five','seq':15}");
      scene.run(table("kept", "in", NEW, partial));
      assertThat(scene.rows("kept"))
          .containsExactly(
              "1 x k ~ five 15 20", "1 x k ~ ~ 10 15", "1 y k ~ five 20 30", "1 z k ~ ~ 40 ~");
      scene.json("in/3.json", "{'id':1,'a':'w','c':'one','seq':5}", "{'id':1,'c':'six','seq':50}");
      scene.run(table("kept", "in", NEW, partial));
      assertThat(scene.rows("kept"))
          .containsExactly(
              "1 w ~ ~ one 5 10",
              "1 x k ~ five 15 20",
              "1 x k ~ one 10 15",
              "1 y k ~ five 20 30",
              "1 z k ~ six 50 ~",
              "1 z k ~ ~ 40 50");
    }
  }

  /**
   * Semantics 0.6, 0.13: in every belief, from the system time on at which the event was learned.
   */
  @Test
  void beliefs_inherit_a_new_column_from_events_that_come_late(@TempDir Path folder) {
    String schema = "format => 'json', schema => 'id INT, a STRING, op STRING, bt INT, st INT%s'";
    String sql =
        """
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM read_files('${dir}/in', %s)
        KEYS (id) IGNORE NULL UPDATES APPLY AS DELETE WHEN op = 'D'
        SEQUENCE BY bt SYSTEM SEQUENCE BY st COLUMNS * EXCEPT (op, bt, st) STORED AS BITEMPORAL;
        """;
    String before = sql.formatted(schema.formatted(""));
    String after = sql.formatted(schema.formatted(", c STRING"));
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','bt':10,'st':1}",
          "{'id':1,'a':'y','bt':20,'st':2}",
          "{'id':1,'op':'D','bt':30,'st':3}",
          "{'id':1,'a':'z','bt':40,'st':3}");
      scene.run(before);
      assertThat(scene.bench().rows("kept__log")).isEmpty();
      scene.json("in/2.json", "{'id':1,'a':'w','c':'five','bt':5,'st':6}");
      scene.run(after);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 x ~ 10 ~ 1 2",
              "1 x ~ 10 20 2 6",
              "1 y ~ 20 ~ 2 3",
              "1 y ~ 20 30 3 6",
              "1 z ~ 40 ~ 3 ~",
              "1 w five 5 10 6 ~",
              "1 x five 10 20 6 ~",
              "1 y five 20 30 6 ~");
      // Learned before that, about a time in between: its own step gives it to the row behind it.
      scene.json("in/3.json", "{'id':1,'c':'fifteen','bt':15,'st':4}");
      scene.run(after);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 x ~ 10 ~ 1 2",
              "1 x ~ 10 20 2 4",
              "1 y ~ 20 ~ 2 3",
              "1 y ~ 20 30 3 4",
              "1 x ~ 10 15 4 6",
              "1 x fifteen 15 20 4 ~",
              "1 y fifteen 20 30 4 ~",
              "1 z ~ 40 ~ 3 ~",
              "1 w five 5 10 6 ~",
              "1 x five 10 15 6 ~");
    }
  }

  @Test
  void null_is_written_into_a_new_column_only_by_events_that_could_know_it(@TempDir Path folder) {
    String listed = "IGNORE NULL UPDATES ON (a)";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'a':'x','seq':20}", "{'id':2,'a':'y','seq':20}");
      scene.run(table("kept", "in", OLD, listed));
      scene.json("in/2.json", "{'id':2,'a':'y','seq':30}");
      scene.run(table("kept", "in", NEW, listed));
      scene.json("in/3.json", "{'id':1,'c':'late','seq':10}", "{'id':2,'c':'late','seq':10}");
      scene.run(table("kept", "in", NEW, listed));
      assertThat(scene.rows("kept")).containsExactly("1 x ~ ~ late", "2 y ~ ~ ~");
    }
  }

  @Test
  void a_column_that_a_failed_update_added_stays_and_is_not_written_by_older_rows(
      @TempDir Path folder) {
    String partial = "IGNORE NULL UPDATES STORED AS SCD TYPE 2";
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','s':{'l':'k'},'seq':10}",
          "{'id':1,'a':'y','s':{'l':'k'},'seq':20}");
      scene.run(table("kept", "in", OLD, partial));
      scene.json("in/2.json", "{'id':1,'c':'late','seq':5}", "{'c':'no key','seq':5}");
      scene.failing(table("kept", "in", NEW, partial));
      assertThat(scene.columnNames("kept")).contains("c");
      assertThat(scene.rows("kept")).containsExactly("1 x k ~ ~ 10 20", "1 y k ~ ~ 20 ~");
      scene.json("in/2.json", "{'id':1,'c':'late','seq':5}");
      scene.run(table("kept", "in", NEW, partial));
      assertThat(scene.rows("kept"))
          .containsExactly("1 x k ~ late 10 20", "1 y k ~ late 20 ~", "1 ~ ~ ~ late 5 10");
    }
  }

  /** Old events know nothing of the new columns, so reading them later is no different. */
  @ParameterizedTest
  @ValueSource(longs = {3, 4})
  void rows_are_the_same_as_if_the_columns_had_always_been_there(long seed, @TempDir Path folder) {
    TreeMap<String, String> clauses = new TreeMap<>();
    clauses.put("plain1", "");
    clauses.put("plain2", "STORED AS SCD TYPE 2");
    clauses.put("tracked2", "STORED AS SCD TYPE 2 TRACK HISTORY ON (a)");
    clauses.put("partial1", "IGNORE NULL UPDATES");
    clauses.put("partial2", "IGNORE NULL UPDATES STORED AS SCD TYPE 2");
    clauses.put(
        "partial_tracked2", "IGNORE NULL UPDATES STORED AS SCD TYPE 2 TRACK HISTORY ON (a)");
    clauses.put("plain_b", "STORED AS BITEMPORAL");
    clauses.put("partial_b", "IGNORE NULL UPDATES STORED AS BITEMPORAL");
    clauses.put(
        "partial_tracked_b", "IGNORE NULL UPDATES STORED AS BITEMPORAL TRACK HISTORY ON (a)");
    Random random = new Random(seed);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < 240; i++) {
      places.add(i);
    }
    Collections.shuffle(places, random);
    try (Scene scene = new Scene(folder)) {
      for (int update = 0; update < 3; update++) {
        List<String> lines = new ArrayList<>();
        for (int place : places.subList(update * 80, update * 80 + 80)) {
          lines.add(event(place, update > 0, random));
        }
        scene.json("in/" + update + ".json", lines.toArray(String[]::new));
        String schema = update > 0 ? NEW : OLD;
        StringBuilder sql = new StringBuilder();
        clauses.forEach((name, each) -> sql.append(table(name, "in", schema, each)));
        scene.run(sql.toString());
      }
      StringBuilder sql = new StringBuilder();
      clauses.forEach((name, each) -> sql.append(table("once_" + name, "in", NEW, each)));
      scene.run("SET 'sluice.pipeline' = 'once';\n" + sql);
      for (String name : clauses.keySet()) {
        assertThat(scene.rows(name))
            .as("%s of seed %d", name, seed)
            .isEqualTo(scene.rows("once_" + name))
            .isNotEmpty();
      }
      Table kept = scene.bench().table("partial2");
      assertThat(kept.properties().get("sluice.added-columns")).isNotNull();
    }
  }

  /** Eight keys; a quarter of the values is missing. */
  private static String event(int place, boolean newColumns, Random random) {
    int learned = (place * 37 + 11) % 240;
    StringBuilder line = new StringBuilder("{'id':" + place % 8 + ",'st':" + learned);
    if (random.nextInt(8) == 0) {
      return line.append(",'op':'D','seq':").append(place).append('}').toString();
    }
    if (random.nextInt(4) > 0) {
      line.append(",'a':'a").append(random.nextInt(3)).append('\'');
    }
    if (random.nextInt(4) > 0) {
      String left = random.nextInt(4) > 0 ? "'l':'l" + random.nextInt(2) + "'" : "'l':null";
      line.append(",'s':{").append(left).append('}');
    }
    if (newColumns && random.nextInt(2) > 0) {
      String field = random.nextBoolean() ? "'x':" : "'y':";
      line.append(",'n':{").append(field).append(random.nextInt(2)).append('}');
    }
    if (newColumns && random.nextInt(2) > 0) {
      line.append(",'c':'c").append(random.nextInt(3)).append('\'');
    }
    return line.append(",'seq':").append(place).append('}').toString();
  }
}
