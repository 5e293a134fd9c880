package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partial updates of bitemporal tables (semantics 0.6): what an event leaves alone it has from its
 * predecessor in business time, as that was believed at each system time.
 */
class BitemporalPartialIT {

  private static final String COLUMNS = "a STRING, b INT";

  private static String sql(String columns, int formatVersion, String clause) {
    return """
    CREATE STREAMING TABLE kept TBLPROPERTIES ('format-version' = '%2$d');
    CREATE FLOW changes AS AUTO CDC INTO kept FROM STREAM read_files('${dir}/in',
      format => 'json', schema => 'id INT, %1$s, op STRING, bt BIGINT, st BIGINT')
    KEYS (id) %3$s APPLY AS DELETE WHEN op = 'D' SEQUENCE BY bt SYSTEM SEQUENCE BY st
    COLUMNS * EXCEPT (op, bt, st) STORED AS BITEMPORAL;
    """
        .formatted(columns, formatVersion, clause);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_column_that_is_not_written_has_what_was_believed_of_the_time_before(
      int formatVersion, @TempDir Path folder) {
    String sql = sql(COLUMNS, formatVersion, "IGNORE NULL UPDATES");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'bt':10,'st':100}",
          "{'id':1,'b':2,'bt':20,'st':200}");
      scene.run(sql);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder("1 x 1 10 ~ 100 200", "1 x 1 10 20 200 ~", "1 x 2 20 ~ 200 ~");

      // Late in business time: the row of 20 inherits a anew, from 300 on; b it has written itself.
      scene.json("in/2.json", "{'id':1,'a':'y','bt':15,'st':300}");
      scene.run(sql);
      List<String> corrected =
          List.of(
              "1 x 1 10 ~ 100 200",
              "1 x 1 10 20 200 300",
              "1 x 2 20 ~ 200 300",
              "1 x 1 10 15 300 ~",
              "1 y 1 15 20 300 ~",
              "1 y 2 20 ~ 300 ~");
      assertThat(scene.rows("kept")).containsExactlyInAnyOrderElementsOf(corrected);

      // Late in system time: what was believed from 150 on is told anew, in every row after it.
      scene.json("in/3.json", "{'id':1,'b':9,'bt':12,'st':150}");
      scene.run(sql);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 x 1 10 ~ 100 150",
              "1 x 1 10 12 150 ~",
              "1 x 9 12 ~ 150 200",
              "1 x 9 12 20 200 300",
              "1 x 2 20 ~ 200 300",
              "1 x 9 12 15 300 ~",
              "1 y 9 15 20 300 ~",
              "1 y 2 20 ~ 300 ~");

      // Sent once more, nothing changes.
      scene.json("in/4.json", "{'id':1,'b':9,'bt':12,'st':150}", "{'id':1,'b':2,'bt':20,'st':200}");
      scene.run(sql);
      assertThat(scene.rows("kept")).hasSize(8);
    }
  }

  @Test
  void a_correction_states_its_business_time_anew(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'bt':10,'st':100}",
          "{'id':1,'a':'y','b':2,'bt':20,'st':200}",
          "{'id':1,'a':'z','bt':20,'st':300}");
      scene.run(sql(COLUMNS, 2, "IGNORE NULL UPDATES"));
      assertThat(scene.rows("kept"))
          .contains("1 x 1 10 20 200 ~", "1 y 2 20 ~ 200 300", "1 z 1 20 ~ 300 ~");
    }
  }

  @Test
  void nothing_is_inherited_across_a_delete_in_the_belief_that_has_it(@TempDir Path folder) {
    String sql = sql(COLUMNS, 3, "IGNORE NULL UPDATES");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'bt':10,'st':100}",
          "{'id':1,'b':2,'bt':30,'st':200}");
      scene.run(sql);
      scene.json("in/2.json", "{'id':1,'op':'D','bt':20,'st':300}");
      scene.run(sql);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 x 1 10 ~ 100 200",
              "1 x 1 10 30 200 300",
              "1 x 2 30 ~ 200 300",
              "1 x 1 10 20 300 ~",
              "1 ~ 2 30 ~ 300 ~");
    }
  }

  @Test
  void the_columns_that_may_be_left_alone_can_be_listed(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json", "{'id':1,'a':'x','b':1,'bt':10,'st':100}", "{'id':1,'bt':20,'st':200}");
      scene.run(sql(COLUMNS, 2, "IGNORE NULL UPDATES ON (a)"));
      assertThat(scene.rows("kept")).contains("1 x 1 10 20 200 ~", "1 x ~ 20 ~ 200 ~");
    }
    try (Scene scene = new Scene(folder.resolve("except"))) {
      scene.json(
          "in/1.json", "{'id':1,'a':'x','b':1,'bt':10,'st':100}", "{'id':1,'bt':20,'st':200}");
      scene.run(sql(COLUMNS, 2, "IGNORE NULL UPDATES ON * EXCEPT (a)"));
      assertThat(scene.rows("kept")).contains("1 x 1 10 20 200 ~", "1 ~ 1 20 ~ 200 ~");
    }
  }

  @Test
  void fields_of_structs_are_left_alone_one_by_one_and_so_is_what_was_not_sent(
      @TempDir Path folder) {
    String sql =
        "SET 'sluice.unavailable-value' = '?';\n"
            + sql("s STRUCT<l: STRING, r: INT>, t STRING", 3, "IGNORE NULL UPDATES ON (s)");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'s':{'l':'l1','r':1},'t':'long','bt':10,'st':100}",
          "{'id':1,'s':{'r':2},'t':'?','bt':30,'st':100}");
      scene.run(sql);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder("1 l1/1 long 10 30 100 ~", "1 l1/2 long 30 ~ 100 ~");
      scene.json("in/2.json", "{'id':1,'s':{'l':'l2'},'t':'longer','bt':20,'st':200}");
      scene.run(sql);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 l1/1 long 10 30 100 200",
              "1 l1/2 long 30 ~ 100 200",
              "1 l1/1 long 10 20 200 ~",
              "1 l2/1 longer 20 30 200 ~",
              "1 l2/2 longer 30 ~ 200 ~");
    }
  }

  @Test
  void every_order_of_updates_gives_the_same_rows(@TempDir Path folder) {
    List<String> events =
        List.of(
            "{'id':1,'a':'x','b':1,'bt':10,'st':100}",
            "{'id':1,'b':2,'bt':20,'st':300}",
            "{'id':1,'a':'y','bt':15,'st':200}",
            "{'id':1,'op':'D','bt':18,'st':400}",
            "{'id':1,'a':'z','bt':30,'st':150}");
    String sql = sql(COLUMNS, 3, "IGNORE NULL UPDATES");
    List<String> wanted = null;
    for (int seed = 0; seed < 3; seed++) {
      List<String> shuffled = new ArrayList<>(events);
      Collections.shuffle(shuffled, new Random(seed));
      try (Scene scene = new Scene(folder.resolve("s" + seed))) {
        for (int update = 0; update < shuffled.size(); update++) {
          scene.json("in/" + update + ".json", shuffled.get(update));
          scene.run(sql);
        }
        wanted = wanted == null ? scene.rows("kept") : wanted;
        assertThat(scene.rows("kept")).as("order %s", shuffled).isEqualTo(wanted);
      }
    }
    assertThat(wanted)
        .containsExactlyInAnyOrder(
            "1 x 1 10 ~ 100 150",
            "1 x 1 10 30 150 200",
            "1 x 1 10 15 200 ~",
            "1 z 1 30 ~ 150 300",
            "1 y 1 15 30 200 300",
            "1 y 1 15 20 300 400",
            "1 y 2 20 30 300 400",
            "1 z 2 30 ~ 300 ~",
            "1 y 1 15 18 400 ~",
            "1 ~ 2 20 30 400 ~");
  }

  @Test
  void who_wrote_what_lies_in_the_companion_and_complete_events_leave_it_empty(
      @TempDir Path folder) {
    String sql = sql(COLUMNS, 2, "IGNORE NULL UPDATES");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'bt':10,'st':100}",
          "{'id':1,'a':'y','b':2,'bt':20,'st':200}");
      scene.run(sql);
      assertThat(scene.bench().rows("kept__log")).isEmpty();
      scene.json("in/2.json", "{'id':1,'b':3,'bt':30,'st':300}");
      scene.run(sql);
      assertThat(scene.bench().rows("kept__log"))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.get("__AUTHORED")).isEqualTo("id,b");
                assertThat(row.get("__SYSTEM_SEQUENCE")).isEqualTo(300L);
              });
    }
  }

  @Test
  void the_clause_may_come_later_and_old_rows_count_as_fully_written(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json", "{'id':1,'a':'x','b':1,'bt':10,'st':100}", "{'id':1,'bt':20,'st':200}");
      scene.run(sql(COLUMNS, 2, ""));
      scene.json(
          "in/2.json", "{'id':1,'a':'y','bt':15,'st':300}", "{'id':1,'b':3,'bt':30,'st':300}");
      scene.run(sql(COLUMNS, 2, "IGNORE NULL UPDATES"));
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 x 1 10 ~ 100 200",
              "1 x 1 10 20 200 300",
              "1 x 1 10 15 300 ~",
              "1 y 1 15 20 300 ~",
              "1 ~ ~ 20 ~ 200 300",
              "1 ~ ~ 20 30 300 ~",
              "1 ~ 3 30 ~ 300 ~");
    }
  }
}
