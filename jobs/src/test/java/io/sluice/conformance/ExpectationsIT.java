package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.CutoverReport;
import io.sluice.run.ExpectationResult;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import io.sluice.sequencing.Expectation.Action;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expectations of tables through SQL, in triggered updates (semantics 0.11, 2.7, 16). */
class ExpectationsIT {

  private static final String FEED =
      "STREAM read_files('${dir}/in', format => 'json',"
          + " schema => 'id INT, v STRING, n INT, op STRING, seq INT, sys INT')";

  @TempDir private Path folder;

  /** A table kept by AUTO CDC, whose columns n and op are for the flow alone. */
  private static String changes(String constraints, String clauses) {
    return """
    CREATE STREAMING TABLE kept (%s);
    CREATE FLOW f AS AUTO CDC INTO kept FROM %s
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, v) %s;
    """
        .formatted(constraints, FEED, clauses);
  }

  private static String expect(String name, String condition, String onViolation) {
    return "CONSTRAINT " + name + " EXPECT (" + condition + ") " + onViolation;
  }

  private static String drop(String name, String condition) {
    return expect(name, condition, "ON VIOLATION DROP ROW");
  }

  private static String fail(String name, String condition) {
    return expect(name, condition, "ON VIOLATION FAIL UPDATE");
  }

  private static List<String> found(FlowResult flow) {
    return flow.expectations().stream()
        .map(each -> each.name() + " " + each.passed() + " " + each.failed())
        .toList();
  }

  @Test
  void an_append_flow_keeps_counts_and_drops_rows() {
    String sql =
        "CREATE STREAMING TABLE t (id INT, v STRING, %s, %s) AS SELECT id, v, n FROM %s;"
            .formatted(expect("named", "v IS NOT NULL", ""), drop("positive", "n > 0"), FEED);
    sql = sql.replace("(id INT, v STRING,", "(");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'v':'a','n':1}",
          "{'id':2,'n':2}",
          "{'id':3,'v':'c','n':-3}",
          "{'id':4,'v':'d'}",
          "{'id':5}");
      UpdateResult result = scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 a 1", "2 ~ 2");
      FlowResult flow = Scene.flow(result, "t");
      assertThat(flow.rowsRead()).isEqualTo(5);
      assertThat(flow.inserted()).isEqualTo(2);
      assertThat(flow.dropped()).isEqualTo(3);
      assertThat(flow.expectations())
          .containsExactly(
              new ExpectationResult("default.t", "named", Action.KEEP, 3, 2),
              new ExpectationResult("default.t", "positive", Action.DROP, 2, 3));
      assertThat(scene.run(sql).targets().get(0).flows().get(0).expectations()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "STORED AS SCD TYPE 1|1 a",
        "STORED AS SCD TYPE 2|1 a 1 ~",
        "SYSTEM SEQUENCE BY sys STORED AS BITEMPORAL|1 a 1 ~ 11 ~",
        "IGNORE NULL UPDATES|1 a",
        "IGNORE NULL UPDATES STORED AS SCD TYPE 2|1 a 1 ~"
      })
  void a_dropped_event_has_never_been_sent(String clauses, String row) {
    String sql = changes(drop("positive", "n > 0"), clauses);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'v':'a','n':1,'seq':1,'sys':11}",
          "{'id':1,'v':'newest','n':-1,'seq':9,'sys':19}",
          "{'id':1,'v':'tie','n':0,'seq':1,'sys':11}",
          "{'id':2,'v':'new key','seq':1,'sys':11}");
      FlowResult flow = Scene.flow(scene.run(sql), "f");
      assertThat(scene.rows("kept")).containsExactly(row);
      assertThat(flow.ties()).isZero();
      assertThat(flow.dropped()).isEqualTo(3);
      assertThat(found(flow)).containsExactly("positive 1 3");

      // Neither a sequence floor nor anything late is left of them.
      scene.json("in/2.json", "{'id':1,'v':'b','n':1,'seq':5,'sys':15}", "{'id':1,'n':-1,'seq':0}");
      FlowResult second = Scene.flow(scene.run(sql), "f");
      assertThat(second.late()).isZero();
      assertThat(scene.rows("kept")).anySatisfy(each -> assertThat(each).contains("1 b"));
    }
  }

  @Test
  void a_violation_without_action_is_applied_and_counted() {
    String sql = changes(expect("positive", "n > 0", ""), "");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'a','n':1,'seq':1}", "{'id':1,'v':'b','seq':2}");
      FlowResult flow = Scene.flow(scene.run(sql), "f");
      assertThat(scene.rows("kept")).containsExactly("1 b");
      assertThat(found(flow)).containsExactly("positive 1 1");
      assertThat(flow.dropped()).isZero();
    }
  }

  @Test
  void fail_update_commits_nothing_and_names_the_rows_and_other_tables_go_on() {
    String sql =
        changes(fail("positive", "n > 0") + ", " + drop("named", "v <> 'x'"), "")
            + "CREATE STREAMING TABLE all_rows AS SELECT id FROM "
            + FEED
            + ";";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'a','n':1,'seq':1}");
      scene.run(sql);
      int commits = scene.commits("kept");
      Path file =
          scene.json(
              "in/2.json",
              "{'id':2,'v':'b','n':1,'seq':1}",
              "{'id':3,'v':'c','n':-7,'seq':1}",
              "{'id':4,'v':'x','seq':1}",
              "{'id':5,'v':'e','seq':1}");
      List<Problem> problems = scene.failing(sql);
      assertThat(problems).singleElement();
      assertThat(problems.get(0).code()).isEqualTo(ErrorCode.EXPECTATION_VIOLATED);
      assertThat(problems.get(0).toString())
          .startsWith(
              "test.sql:1:30: [EXPECTATION_VIOLATED] table default.kept: expectation"
                  + " 'positive' (n > 0) is violated by 2 rows of flow 'f', among them:")
          .contains("\n  " + file + " (byte 31): {id=3, v=c, n=-7, op=NULL, seq=1, sys=NULL}\n")
          .contains("{id=5, v=e, n=NULL,")
          // It is dropped, so it cannot fail the update.
          .doesNotContain("id=4")
          .endsWith("Nothing was committed. Correct the source, or write ON VIOLATION DROP ROW");
      assertThat(scene.rows("kept")).containsExactly("1 a");
      assertThat(scene.commits("kept")).isEqualTo(commits);
      assertThat(scene.rows("all_rows")).hasSize(5);

      scene.json("in/2.json", "{'id':2,'v':'b','n':1,'seq':1}");
      assertThat(found(Scene.flow(scene.run(sql), "f")))
          .containsExactly("positive 1 0", "named 1 0");
      assertThat(scene.rows("kept")).containsExactly("1 a", "2 b");
    }
  }

  @Test
  void expectations_come_before_the_rule_for_invalid_events_and_before_casts() {
    String sql =
        """
        CREATE STREAMING TABLE kept (%s, %s);
        CREATE FLOW f AS AUTO CDC INTO kept FROM %s
        KEYS (id) SEQUENCE BY CAST(v AS INT) COLUMNS (id);
        """
            .formatted(
                drop("keyed", "id IS NOT NULL"), drop("ordered", "v SIMILAR TO '[0-9]+'"), FEED);
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'1'}", "{'v':'2'}", "{'id':3,'v':'three'}");
      FlowResult flow = Scene.flow(scene.run(sql), "f");
      assertThat(scene.rows("kept")).containsExactly("1");
      assertThat(flow.invalid()).isZero();
      assertThat(flow.dropped()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 / n > 0|/ by zero",
        "CAST(v AS INT) > 0|'x'",
        "CAST(v AS DATE) > DATE '2020-01-01'|x"
      })
  void a_condition_without_a_result_fails_the_update_and_says_how_to_write_it(
      String condition, String reason) {
    String sql = changes(drop("c", condition), "");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'x','n':0,'seq':1}");
      List<Problem> problems = scene.failing(sql);
      assertThat(problems).singleElement();
      assertThat(problems.get(0).code()).isEqualTo(ErrorCode.UPDATE_FAILED);
      assertThat(problems.get(0).toString())
          .contains("default.kept", "an expression has no result for one of the rows", reason)
          .contains("TRY_CAST", "NULLIF")
          .doesNotContain("Exception");
    }
  }

  @Test
  void deletes_and_truncates_are_events_with_expectations_too() {
    String sql =
        changes(
            drop("valued", "v IS NOT NULL OR op = 'D' AND n = 1"),
            "APPLY AS TRUNCATE WHEN op = 'T'");
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'v':'a','seq':1}",
          "{'id':2,'v':'b','seq':1}",
          "{'id':1,'op':'D','n':1,'seq':2}",
          "{'id':2,'op':'D','n':0,'seq':2}",
          "{'op':'T','seq':3}");
      FlowResult flow = Scene.flow(scene.run(sql), "f");
      assertThat(scene.rows("kept")).containsExactly("2 b");
      assertThat(found(flow)).containsExactly("valued 3 2");
      scene.json("in/2.json", "{'op':'T','v':'','seq':4}");
      scene.run(sql);
      assertThat(scene.rows("kept")).isEmpty();
    }
  }

  @Test
  void every_flow_of_a_table_is_counted_for_itself_and_once_flows_are_no_exception() {
    String sql =
        """
        CREATE STREAMING TABLE kept (%s);
        CREATE FLOW seed AS AUTO CDC ONCE INTO kept
          FROM read_files('${dir}/old', format => 'json', schema => 'id INT, v STRING, seq INT')
          KEYS (id) SEQUENCE BY seq COLUMNS (id, v);
        CREATE FLOW live AS AUTO CDC INTO kept FROM %s KEYS (id) SEQUENCE BY seq COLUMNS (id, v);
        CREATE STREAMING TABLE log (%s);
        CREATE FLOW old_log AS INSERT INTO ONCE log BY NAME
          SELECT COUNT(*) AS amount, v FROM read_files('${dir}/old', format => 'json',
          schema => 'id INT, v STRING, seq INT') GROUP BY v;
        """
            .formatted(drop("named", "v IS NOT NULL"), FEED, drop("many", "amount > 1"));
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "old/1.json", "{'id':1,'v':'a','seq':1}", "{'id':2,'seq':2}", "{'id':3,'v':'a','seq':2}");
      scene.json("in/1.json", "{'id':1,'seq':0}", "{'id':4,'v':'d','seq':6}", "{'id':4,'seq':6}");
      UpdateResult result = scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a", "3 a", "4 d");
      assertThat(found(Scene.flow(result, "seed"))).containsExactly("named 2 1");
      assertThat(found(Scene.flow(result, "live"))).containsExactly("named 1 2");
      // What is dropped is not behind the seed either.
      assertThat(Scene.flow(result, "live").cutoverViolations()).isZero();
      assertThat(scene.bench().validateCutover(sql))
          .flatExtracting(CutoverReport::flows)
          .isNotEmpty()
          .allSatisfy(live -> assertThat(live.violations()).isZero());
      assertThat(scene.rows("log")).containsExactly("2 a");
      assertThat(found(Scene.flow(result, "old_log"))).containsExactly("many 1 1");
    }
  }

  @Test
  void values_of_every_type_go_through_as_they_are() {
    String columns =
        "i INT, s STRING, d DECIMAL(20, 5), f DOUBLE, b BOOLEAN, y BYTES, dt DATE,"
            + " ts TIMESTAMP(6), tz TIMESTAMP_LTZ(6), a ARRAY<STRING>, m MAP<STRING, INT>,"
            + " r STRUCT<x: INT, y: STRUCT<z: STRING>>, l ARRAY<STRUCT<p: INT>>";
    String source = "STREAM read_files('${dir}/in', format => 'json', schema => '" + columns + "')";
    String query = "SELECT *, CAST('c' AS CHAR(3)) AS c, 5 AS k, i IS NULL AS n FROM " + source;
    String sql =
        "CREATE STREAMING TABLE plain AS %s;\n".formatted(query)
            + "CREATE VIEW seen (%s) AS %s;\n".formatted(drop("one", "k = 5"), query)
            + "CREATE STREAMING TABLE checked (%s) AS SELECT * FROM STREAM seen;"
                .formatted(drop("two", "r.y.z = 'deep' OR r IS NULL"));
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'i':1,'s':'ä','d':123.45,'f':1.5,'b':true,'y':'AQID','dt':'2024-02-29',"
              + "'ts':'2024-02-29 12:00:00.123456','tz':'2024-02-29T12:00:00.123456Z',"
              + "'a':['p',null],'m':{'k':1},'r':{'x':1,'y':{'z':'deep'}},'l':[{'p':1},null]}",
          "{}");
      scene.run(sql);
      assertThat(scene.columns("checked")).isEqualTo(scene.columns("plain"));
      assertThat(scene.rows("checked")).hasSize(2).isEqualTo(scene.rows("plain"));
    }
  }
}
