package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.ExpectationResult;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import io.sluice.sequencing.Expectation.Action;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Expectations of views: what they leave out, the flows that read the view never see. */
class ViewExpectationsIT {

  private static final String FEED =
      "STREAM read_files('${dir}/in', format => 'json', schema => 'id INT, v STRING, seq INT')";

  @TempDir private Path folder;

  private static String view(String onViolation, String query) {
    return "CREATE TEMPORARY VIEW w (CONSTRAINT named EXPECT (v IS NOT NULL) "
        + onViolation
        + ") AS "
        + query
        + ";\n";
  }

  @Test
  void a_view_filters_for_every_flow_that_reads_it_and_each_counts_for_itself() {
    String sql =
        view("ON VIOLATION DROP ROW", "SELECT * FROM " + FEED)
            + """
            CREATE TEMPORARY VIEW upper_case AS SELECT id, UPPER(v) AS v, seq FROM STREAM w;
            CREATE STREAMING TABLE t (CONSTRAINT small EXPECT (id < 100)) AS
              SELECT id, v FROM STREAM upper_case;
            CREATE STREAMING TABLE kept;
            CREATE FLOW f AS AUTO CDC INTO kept FROM STREAM(w) KEYS (id) SEQUENCE BY seq
              COLUMNS (id, v);
            """;
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'v':'a','seq':1}",
          "{'id':1,'seq':2}",
          "{'id':100,'v':'b','seq':1}");
      UpdateResult result = scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 A", "100 B");
      assertThat(scene.rows("kept")).containsExactly("1 a", "100 b");
      ExpectationResult named = new ExpectationResult("default.w", "named", Action.DROP, 2, 1);
      FlowResult flow = Scene.flow(result, "t");
      assertThat(flow.expectations())
          .containsExactly(named, new ExpectationResult("default.t", "small", Action.KEEP, 1, 1));
      assertThat(flow.rowsRead()).isEqualTo(3);
      assertThat(flow.inserted()).isEqualTo(2);
      assertThat(Scene.flow(result, "f").expectations()).containsExactly(named);
    }
  }

  @Test
  void a_row_below_a_view_with_expectations_keeps_its_place_in_the_source() {
    String sql =
        view("", "SELECT * FROM " + FEED)
            + """
            SET 'sluice.ties' = 'RESOLVE';
            CREATE STREAMING TABLE kept (
              CONSTRAINT keyed EXPECT (id IS NOT NULL) ON VIOLATION FAIL UPDATE);
            CREATE FLOW f AS AUTO CDC INTO kept FROM STREAM(w) KEYS (id) SEQUENCE BY seq
              COLUMNS (id, v);
            """;
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json", "{'id':1,'v':'z','seq':1}", "{'id':1,'v':'a','seq':1}", "{'id':2,'seq':1}");
      FlowResult flow = Scene.flow(scene.run(sql), "f");
      // The place of a record, not its content, decides a tie.
      assertThat(scene.rows("kept")).containsExactly("1 a", "2 ~");
      assertThat(flow.ties()).isEqualTo(1);
      Path file = scene.json("in/2.json", "{'seq':3}");
      assertThat(scene.failing(sql).get(0).message())
          .contains(file + " (byte 0): {id=NULL, v=NULL, seq=3}");
    }
  }

  @Test
  void a_view_that_joins_and_aggregates_may_fail_the_update() {
    String sql =
        view(
                "ON VIOLATION FAIL UPDATE",
                "SELECT a.id, MAX(names.v) AS v FROM "
                    + FEED
                    + " AS a LEFT JOIN names ON a.id = names.id GROUP BY a.id")
            + "CREATE STREAMING TABLE names AS SELECT * FROM STREAM read_files('${dir}/names',"
            + " format => 'json', schema => 'id INT, v STRING');"
            + "CREATE STREAMING TABLE t AS SELECT id, v FROM w;";
    try (Scene scene = new Scene(folder)) {
      scene.json("names/1.json", "{'id':1,'v':'ann'}");
      scene.json("in/1.json", "{'id':1}", "{'id':2}", "{'id':2}");
      List<Problem> problems = scene.failing(sql);
      assertThat(problems).singleElement();
      assertThat(problems.get(0).code()).isEqualTo(ErrorCode.EXPECTATION_VIOLATED);
      assertThat(problems.get(0).message())
          .startsWith(
              "table default.t: expectation 'named' of view default.w (v IS NOT NULL) is violated"
                  + " by 1 row of flow 't', among them:\n  {id=2, v=NULL}\n");
      assertThat(scene.bench().table("t").currentSnapshot()).isNull();
      scene.json("names/2.json", "{'id':2,'v':'ben'}");
      scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 ann", "2 ben");
    }
  }

  @Test
  void a_view_that_is_read_twice_counts_twice() {
    String sql =
        view("ON VIOLATION DROP ROW", "SELECT * FROM " + FEED)
            + "CREATE STREAMING TABLE t AS SELECT id FROM STREAM w UNION ALL SELECT -id FROM STREAM w;";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'a'}", "{'id':2}");
      UpdateResult result = scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("-1", "1");
      assertThat(Scene.flow(result, "t").expectations())
          .containsExactly(new ExpectationResult("default.w", "named", Action.DROP, 2, 2));
    }
  }
}
