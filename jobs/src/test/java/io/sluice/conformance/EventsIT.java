package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ties, events that cannot be applied, conditions that are NULL (semantics 0.2, 0.3, 4.1). */
class EventsIT {

  private static String changes(int type) {
    return """
    CREATE STREAMING TABLE kept_%1$d;
    CREATE FLOW kept_%1$d_changes AS AUTO CDC INTO kept_%1$d
    FROM STREAM read_files('${dir}/in', format => 'json',
      schema => 'id INT, val STRING, op STRING, seq DOUBLE')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
    STORED AS SCD TYPE %1$d;
    """
        .formatted(type);
  }

  @Test
  void of_a_tie_the_later_position_wins_and_every_tie_is_counted(@TempDir Path folder) {
    String sql = changes(1) + changes(2);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/b.json",
          "{'id':1,'val':'first','op':'U','seq':1}",
          "{'id':1,'val':'second','op':'U','seq':1}",
          "{'id':2,'val':'gone','op':'D','seq':1}",
          "{'id':2,'val':'here','op':'U','seq':1}",
          "{'id':3,'val':'here','op':'U','seq':1}",
          "{'id':3,'op':'D','seq':1}",
          "{'id':4,'val':'same','op':'U','seq':1}",
          "{'id':4,'val':'same','op':'U','seq':1}");
      UpdateResult first = scene.run(sql);
      assertThat(flow(first, "kept_1_changes").ties()).isEqualTo(3);
      assertThat(flow(first, "kept_2_changes").ties()).isEqualTo(3);
      List<String> rows = List.of("1 second", "2 here", "4 same");
      assertThat(scene.rows("kept_1")).isEqualTo(rows);
      assertThat(scene.rows("kept_2")).isEqualTo(rows.stream().map(row -> row + " 1.0 ~").toList());

      // The losers once more, from a file whose name comes first: the winners' places are known.
      scene.json(
          "in/a.json",
          "{'id':1,'val':'first','op':'U','seq':1}",
          "{'id':2,'op':'D','seq':1}",
          "{'id':3,'val':'here','op':'U','seq':1}");
      scene.run(sql);
      assertThat(scene.rows("kept_1")).isEqualTo(rows);
      assertThat(scene.rows("kept_2")).isEqualTo(rows.stream().map(row -> row + " 1.0 ~").toList());
    }
  }

  @Test
  void ties_can_be_made_an_error_that_names_both_events(@TempDir Path folder) {
    String sql = "SET 'sluice.ties' = 'FAIL';\n" + changes(2);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':4,'val':'same','op':'U','seq':1}",
          "{'id':4,'val':'same','op':'U','seq':1}");
      scene.run(sql);
      scene.json(
          "in/2.json",
          "{'id':7,'val':'left','op':'U','seq':2.5}",
          "{'id':7,'val':'right','op':'U','seq':2.5}");
      List<Problem> problems = scene.failing(sql);
      assertThat(problems).singleElement().extracting(Problem::code).isEqualTo(ErrorCode.TIE);
      assertThat(problems.get(0).message()).contains("7", "2.5", "left", "right", "in/2.json");
      assertThat(scene.rows("kept_2")).containsExactly("4 same 1.0 ~");
    }
  }

  @Test
  void events_that_cannot_be_applied_fail_the_update_or_are_dropped_and_counted(
      @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'good','op':'U','seq':1}",
          "{'val':'no key','op':'U','seq':1}",
          "{'id':2,'val':'no sequence','op':'U'}",
          "{'id':3,'val':'not a number','op':'U','seq':'NaN'}",
          "{'op':'D'}");
      List<Problem> problems = scene.failing(changes(1));
      assertThat(problems)
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
                assertThat(problem.message())
                    .contains("4 of flow 'kept_1_changes'")
                    .contains("in/1.json")
                    .contains("no key")
                    .contains("no sequence")
                    .contains("not a number");
              });
      assertThat(scene.rows("kept_1")).isEmpty();
      UpdateResult dropping = scene.run("SET 'sluice.invalid-events' = 'DROP';\n" + changes(1));
      assertThat(flow(dropping, "kept_1_changes").invalid()).isEqualTo(4);
      assertThat(scene.rows("kept_1")).containsExactly("1 good");
    }
  }

  @Test
  void a_struct_sequence_with_a_null_field_is_no_sequence(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE t FLOW AUTO CDC
        FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT, a INT, b INT')
        KEYS (id) SEQUENCE BY STRUCT(a, b);
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'a':1,'b':2}", "{'id':2,'a':1}");
      assertThat(scene.failing(sql))
          .singleElement()
          .extracting(Problem::code)
          .isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(scene.rows("t")).isEmpty();
    }
  }

  @Test
  void a_null_condition_is_an_upsert_and_conditions_see_columns_that_are_left_out(
      @TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE t;
        CREATE FLOW f AS AUTO CDC INTO t
        FROM STREAM read_files('${dir}/in', format => 'json',
          schema => 'id INT, val STRING, meta STRUCT<op: STRING, weight: INT>, seq INT')
        KEYS (id) APPLY AS DELETE WHEN meta.op = "gone" AND meta.weight > 1 SEQUENCE BY seq
        COLUMNS (id, val);
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'a','seq':1}",
          "{'id':2,'val':'b','meta':{'op':'gone'},'seq':1}",
          "{'id':3,'val':'c','meta':{'op':'gone','weight':1},'seq':1}",
          "{'id':4,'val':'d','meta':{'op':'gone','weight':2},'seq':1}");
      scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 a", "2 b", "3 c");
    }
  }
}
