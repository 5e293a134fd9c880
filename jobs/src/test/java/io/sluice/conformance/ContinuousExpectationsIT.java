package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.run.Keeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expectations while a continuous run keeps a table (semantics 0.11). */
class ContinuousExpectationsIT {

  private static final String FEED =
      "STREAM read_files('${dir}/in', format => 'json', schema => 'id INT, v STRING, seq INT')";

  /** The same expectation on an append-only table, a table of AUTO CDC and a view below one. */
  private static final Map<String, String> PIPELINES =
      Map.of(
          "append",
          "CREATE STREAMING TABLE t (§) AS SELECT id, v FROM " + FEED + ";",
          "SCD 1",
          "CREATE STREAMING TABLE t (§); CREATE FLOW f AS AUTO CDC INTO t FROM "
              + FEED
              + " KEYS (id) SEQUENCE BY seq COLUMNS (id, v);",
          "view",
          "CREATE VIEW w (§) AS SELECT id, v, seq FROM "
              + FEED
              + "; CREATE STREAMING TABLE t; CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(w)"
              + " KEYS (id) SEQUENCE BY seq COLUMNS (id, v);");

  @TempDir private Path folder;

  private static String sql(String kind, String onViolation) {
    return PIPELINES
        .get(kind)
        .replace("§", "CONSTRAINT named EXPECT (v IS NOT NULL) " + onViolation);
  }

  private static List<String> rows(Scene scene) {
    try {
      return scene.rows("t");
    } catch (NoSuchTableException e) {
      return List.of();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "SCD 1", "view"})
  void drop_row_leaves_out_what_arrives(String kind) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'a','seq':1}", "{'id':2,'seq':1}");
      String sql = sql(kind, "ON VIOLATION DROP ROW");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false)) {
        keeper.started();
        scene.json("in/2.json", "{'id':3,'v':'c','seq':1}", "{'id':1,'seq':2}", "{'id':4,'seq':1}");
        keeper.until("the next rows", () -> rows(scene).equals(List.of("1 a", "3 c")));
        scene.json("in/3.json", "{'id':5,'seq':1}");
        keeper.hasRead("t", List.of("/3.json"));
      }
      assertThat(rows(scene)).containsExactly("1 a", "3 c");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "SCD 1", "view"})
  void a_violation_without_action_goes_on(String kind) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'a','seq':1}");
      try (Keeper keeper = scene.bench().keep(sql(kind, ""), Map.of(), false)) {
        keeper.started();
        scene.json("in/2.json", "{'id':2,'seq':1}");
        keeper.until("the next row", () -> rows(scene).equals(List.of("1 a", "2 ~")));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "SCD 1", "view"})
  void fail_update_ends_the_run_before_the_checkpoint_is_committed(String kind) {
    String sql = sql(kind, "ON VIOLATION FAIL UPDATE");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'v':'a','seq':1}");
      Keeper keeper = scene.bench().keep(sql, Map.of(), false);
      keeper.started();
      scene.json("in/2.json", "{'id':2,'v':'b','seq':1}");
      keeper.until("the next row", () -> rows(scene).equals(List.of("1 a", "2 b")));
      Path file = scene.json("in/3.json", "{'id':3,'v':'c','seq':1}", "{'id':4,'seq':1}");
      assertThat(keeper.failure()).isInstanceOf(SluiceException.class);
      List<Problem> problems = ((SluiceException) keeper.failure()).problems();
      assertThat(problems)
          .extracting(Problem::code)
          .containsExactly(ErrorCode.EXPECTATION_VIOLATED);
      assertThat(problems.get(0).message())
          .contains("table default.t: expectation 'named'", "is violated by 1 row of flow '")
          .contains(file + " (byte 25): {id=4, v=NULL");
      assertThat(rows(scene)).containsExactly("1 a", "2 b");

      // The next run meets it again, until it is mended.
      assertThat(scene.failing(sql))
          .extracting(Problem::code)
          .contains(ErrorCode.EXPECTATION_VIOLATED);
      String dropping = sql(kind, "ON VIOLATION DROP ROW");
      try (Keeper next = scene.bench().keep(dropping, Map.of(), true)) {
        next.until("the row beside it", () -> rows(scene).equals(List.of("1 a", "2 b", "3 c")));
      }
    }
  }
}
