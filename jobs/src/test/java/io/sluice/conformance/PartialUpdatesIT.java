package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateResult;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Partial updates through SQL, JSON files and several updates (semantics 8, 0.6). */
class PartialUpdatesIT {

  static String sql(String schema, String clauses) {
    return """
    CREATE STREAMING TABLE kept;
    CREATE FLOW kept_changes AS AUTO CDC INTO kept
    FROM STREAM read_files('${dir}/in', format => 'json', schema => '%s, op STRING, seq INT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op, seq) %s;
    """
        .formatted(schema, clauses);
  }

  private static final String LISTED = "id INT, a STRING, b INT, changed ARRAY<STRING>";

  @Test
  void an_array_names_the_columns_that_are_written_and_never_lands_itself(@TempDir Path folder) {
    String sql = sql(LISTED, "COLUMNS TO UPDATE changed");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'changed':['a','b'],'seq':1}",
          "{'id':2,'a':'x','b':1,'changed':null,'seq':1}",
          "{'id':3,'a':'ignored','b':9,'changed':[],'seq':1}");
      scene.run(sql);
      assertThat(scene.columnNames("kept")).containsExactly("id", "a", "b", "__SEQUENCE");
      assertThat(scene.rows("kept")).containsExactly("1 x 1", "2 x 1", "3 ~ ~");
      scene.json(
          "in/2.json",
          "{'id':1,'a':'ignored','changed':['B'],'seq':2}",
          "{'id':2,'a':'ignored','b':7,'changed':['id'],'seq':2}",
          "{'id':3,'a':'late','b':8,'changed':['a'],'seq':0}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 x ~", "2 x 1", "3 late ~");

      scene.json("in/3.json", "{'id':1,'b':5,'changed':['b','c'],'seq':3}");
      Problem problem = scene.failing(sql).get(0);
      assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(problem.message()).contains("COLUMNS TO UPDATE names 'c', which is no column");
      UpdateResult dropped = scene.run("SET 'sluice.invalid-events' = 'DROP';\n" + sql);
      assertThat(Scene.flow(dropped, "kept_changes").invalid()).isEqualTo(1);
    }
  }

  @Test
  void columns_to_update_keeps_a_history_out_of_order(@TempDir Path folder) {
    String sql = sql(LISTED, "STORED AS SCD TYPE 2 COLUMNS TO UPDATE changed");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'seq':10}",
          "{'id':1,'b':3,'changed':['b'],'seq':30}");
      scene.run(sql);
      scene.json("in/2.json", "{'id':1,'changed':['a'],'seq':20}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 x 1 10 20", "1 ~ 1 20 30", "1 ~ 3 30 ~");
    }
  }

  @Test
  void the_fields_of_structs_are_written_one_by_one(@TempDir Path folder) {
    String struct = "id INT, s STRUCT<l: STRING, r: STRUCT<x: INT, y: INT>>";
    String first = sql(struct, "IGNORE NULL UPDATES");
    String second =
        sql(struct, "IGNORE NULL UPDATES STORED AS SCD TYPE 2").replace("kept", "versions");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'s':{'l':'l1','r':{'x':1}},'seq':10}",
          "{'id':1,'s':{'l':'l3'},'seq':30}",
          "{'id':2,'seq':10}",
          "{'id':2,'seq':20}",
          "{'id':3,'s':{'l':'old','r':{'x':1,'y':1}},'seq':1}",
          "{'id':3,'op':'D','seq':2}",
          "{'id':3,'s':{'r':{'y':5}},'seq':3}");
      scene.run(first + second);
      assertThat(scene.rows("kept")).containsExactly("1 l3/1/~", "2 ~", "3 ~/~/5");
      scene.json("in/2.json", "{'id':1,'s':{'l':'l2','r':{'y':2}},'seq':20}");
      scene.run(first + second);
      assertThat(scene.rows("kept")).containsExactly("1 l3/1/2", "2 ~", "3 ~/~/5");
      assertThat(scene.rows("versions"))
          .containsExactly(
              "1 l1/1/~ 10 20",
              "1 l2/1/2 20 30",
              "1 l3/1/2 30 ~",
              "2 ~ 10 ~",
              "3 old/1/1 1 2",
              "3 ~/~/5 3 ~");
    }
  }

  @Test
  void complete_events_leave_the_companion_empty_and_partial_ones_do_not(@TempDir Path folder) {
    String sql = sql("id INT, a STRING, b INT", "IGNORE NULL UPDATES STORED AS SCD TYPE 2");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'a':'x','b':1,'seq':1}", "{'id':1,'a':'y','b':2,'seq':2}");
      scene.run(sql);
      assertThat(scene.bench().rows("kept__log")).isEmpty();
      scene.json("in/2.json", "{'id':1,'a':'z','seq':3}");
      scene.run(sql);
      assertThat(scene.bench().rows("kept__log"))
          .singleElement()
          .satisfies(row -> assertThat(row.get("__AUTHORED")).isEqualTo("id,a"));
    }
  }

  @Test
  void the_option_may_come_later_and_old_rows_count_as_fully_written(@TempDir Path folder) {
    String schema = "id INT, a STRING, b INT";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'b':1,'seq':5}", "{'id':2,'op':'D','seq':5}");
      scene.run(sql(schema, ""));
      scene.json(
          "in/2.json",
          "{'id':1,'a':'late','seq':3}",
          "{'id':1,'b':2,'seq':7}",
          "{'id':2,'a':'late','seq':3}");
      scene.run(sql(schema, "IGNORE NULL UPDATES"));
      assertThat(scene.rows("kept")).containsExactly("1 ~ 2");
      // Without the clause NULL is written again; what was written before keeps its author.
      scene.json("in/3.json", "{'id':1,'a':'x','seq':6}", "{'id':3,'a':'y','seq':6}");
      scene.run(sql(schema, ""));
      assertThat(scene.rows("kept")).containsExactly("1 x 2", "3 y ~");
    }
  }

  @Test
  void a_column_that_disappears_or_appears_is_not_written_by_events_without_it(
      @TempDir Path folder) {
    String clause = "IGNORE NULL UPDATES";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'a':'x','b':1,'seq':1}");
      scene.run(sql("id INT, a STRING, b INT", clause));
      scene.json("in/2.json", "{'id':1,'b':2,'seq':2}");
      scene.run(sql("id INT, b INT", clause));
      assertThat(scene.rows("kept")).containsExactly("1 x 2");
      scene.json("in/3.json", "{'id':1,'c':'new','seq':3}");
      scene.run(sql("id INT, b INT, c STRING", clause));
      assertThat(scene.rows("kept")).containsExactly("1 x 2 new");
    }
  }

  @Test
  void what_was_written_below_a_truncate_becomes_null(@TempDir Path folder) {
    String sql =
        sql("id INT, a STRING, b INT", "IGNORE NULL UPDATES APPLY AS TRUNCATE WHEN op = 'T'");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'a':'x','b':1,'seq':1}",
          "{'id':1,'b':2,'seq':9}",
          "{'id':2,'a':'y','b':2,'seq':9}",
          "{'id':3,'a':'z','b':3,'seq':2}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 x 2", "2 y 2", "3 z 3");
      scene.json("in/2.json", "{'op':'T','seq':5}", "{'id':3,'b':4,'seq':6}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 ~ 2", "2 y 2", "3 ~ 4");
    }
  }

  @Test
  void a_key_that_was_not_sent_is_invalid_and_never_the_marker(@TempDir Path folder) {
    String sql =
        """
        SET 'sluice.unavailable-value' = '?';
        SET 'sluice.invalid-events' = 'QUARANTINE';
        CREATE STREAMING TABLE kept;
        CREATE FLOW live AS AUTO CDC INTO kept
        FROM STREAM read_files('${dir}/live', format => 'json',
          schema => 'k STRING, n INT, op STRING, town STRING')
        KEYS (n, k) APPLY AS DELETE WHEN op = 'd' SEQUENCE BY n COLUMNS * EXCEPT (op);
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "live/1.json",
          "{'k':'a','n':1,'town':'?'}",
          "{'k':'?','n':2,'town':'Oslo'}",
          "{'k':'?','n':1,'op':'d'}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("a 1 ~");
      assertThat(scene.bench().rows("kept__quarantine"))
          .hasSize(2)
          .allSatisfy(
              row ->
                  assertThat(row.get("reason"))
                      .isEqualTo(
                          "the key column 'k' was not sent: it has the value of"
                              + " sluice.unavailable-value"));
    }
  }

  @Test
  void what_the_source_marks_as_not_sent_is_left_alone(@TempDir Path folder) {
    String marker = "__unavailable";
    String base64 = Base64.getEncoder().encodeToString(marker.getBytes());
    String sql =
        "SET 'sluice.unavailable-value' = '%s';\n".formatted(marker)
            + sql("id INT, a STRING, b BYTES, s STRUCT<t: STRING, n: INT>", "");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'a':'long','b':'AQI=','s':{'t':'text','n':1},'seq':1}");
      scene.run(sql);
      scene.json(
          "in/2.json",
          "{'id':1,'a':'%1$s','b':'%2$s','s':{'t':'%1$s','n':2},'seq':2}".formatted(marker, base64),
          "{'id':2,'a':'%1$s','seq':2}".formatted(marker));
      scene.run(sql);
      assertThat(scene.bench().rows("kept"))
          .anySatisfy(
              row -> {
                assertThat(row.get("a")).isEqualTo("long");
                assertThat(row.get("b")).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
                assertThat(row.get("s").toString()).contains("text", "2");
              })
          .anySatisfy(row -> assertThat(row.get("a")).isNull());
      // An explicit NULL is sent.
      scene.json("in/3.json", "{'id':1,'a':null,'b':'%s','seq':3}".formatted(base64));
      scene.run(sql);
      assertThat(scene.bench().rows("kept"))
          .anySatisfy(
              row -> {
                assertThat(row.get("id")).isEqualTo(1);
                assertThat(row.get("a")).isNull();
                assertThat(row.get("b")).isNotNull();
                assertThat(row.get("s")).isNull();
              });
    }
  }

  @Test
  void values_that_are_not_sent_are_refused_beside_a_snapshot_and_no_matter_to_one(
      @TempDir Path folder) {
    String snapshots =
        "SET 'sluice.unavailable-value' = '?';\nCREATE STREAMING TABLE kept;\n"
            + Snapshots.flow("kept", Snapshots.ROWS + Snapshots.NEXT, "");
    String live =
        """
        CREATE FLOW live AS AUTO CDC INTO kept
        FROM STREAM read_files('${dir}/live', format => 'json',
          schema => 'id INT, town STRING, n INT')
        KEYS (id) SEQUENCE BY n COLUMNS (id, town);
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", Snapshots.row(10, 1, "Oslo"), Snapshots.row(10, 2, "?"));
      scene.run(snapshots);
      assertThat(scene.rows("kept")).containsExactly("1 Oslo", "2 ?");
      scene.json("live/1.json", "{'id':1,'town':'?','n':12}");
      assertThat(scene.refused(snapshots + live).get(0).code())
          .isEqualTo(ErrorCode.INTEROP_IGNORE_NULL_UNSUPPORTED);
    }
  }

  private static final String KEYED = "KEYS (id) SEQUENCE BY seq ";

  @TestFactory
  Stream<DynamicTest> definitions_that_are_refused(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/1.json", "{'id':1}");
    return Stream.of(
            Definition.flow(
                KEYED + "IGNORE NULL UPDATES ON (val, §vall)",
                ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
                "flow 'f': IGNORE NULL UPDATES ON names column 'vall'"),
            Definition.flow(
                KEYED + "COLUMNS TO UPDATE §tag",
                ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
                "flow 'f': COLUMNS TO UPDATE names column 'tag'"),
            Definition.flow(
                KEYED + "COLUMNS TO UPDATE §val",
                ErrorCode.INVALID_QUERY,
                "flow 'f': COLUMNS TO UPDATE names column 'val' of type STRING instead of"),
            Definition.flow(
                KEYED + "IGNORE NULL UPDATES COLUMNS TO UPDATE §tags",
                ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
                "COLUMNS TO UPDATE and IGNORE NULL UPDATES exclude each other"))
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }
}
