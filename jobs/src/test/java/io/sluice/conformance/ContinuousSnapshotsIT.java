package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.run.Keeper;
import io.sluice.run.StopRequests;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that snapshots keep, in continuous runs. */
class ContinuousSnapshotsIT {

  private static final Map<String, String> OFTEN = Map.of("sluice.snapshot.interval", "50 ms");

  private static final String LISTS =
      """
      CREATE TEMPORARY VIEW lists AS SELECT item, name, v
      FROM read_files('${dir}/lists', format => 'json',
        schema => 'item INT, name STRING, v INT');
      CREATE STREAMING TABLE prices;
      CREATE FLOW price_lists AS AUTO CDC INTO prices
      FROM SNAPSHOT (
        SELECT item, name FROM lists WHERE v = (SELECT v FROM current_snapshot_version()))
      WITH VERSION (
        SELECT MIN(v) AS v FROM lists
        WHERE v > COALESCE((SELECT v FROM last_snapshot_version()), 0)
        HAVING MIN(v) IS NOT NULL)
      KEYS (item) STORED AS SCD TYPE 2;
      """;

  private static final String CHANGES =
      """
      CREATE STREAMING TABLE orders;
      CREATE FLOW order_changes AS AUTO CDC INTO orders
      FROM STREAM read_files('${dir}/in', format => 'json',
        schema => 'id INT, state STRING, n INT')
      KEYS (id) SEQUENCE BY n COLUMNS (id, state);
      """;

  @TempDir private Path folder;

  @Test
  void new_versions_are_taken_in_beside_a_stream() {
    try (Scene scene = new Scene(folder)) {
      scene.json("lists/1.json", "{'item':1,'name':'cup','v':1}", "{'item':2,'name':'jug','v':1}");
      scene.json("in/1.json", "{'id':7,'state':'new','n':1}");
      try (Keeper keeper = scene.bench().keep(CHANGES + LISTS, OFTEN, false).started()) {
        move(
            scene,
            "lists/2.json",
            "{'item':1,'name':'cup','v':2}",
            "{'item':3,'name':'pan','v':2}");
        move(scene, "lists/3.json", "{'item':1,'name':'big cup','v':3}");
        scene.json("in/2.json", "{'id':7,'state':'paid','n':2}");
        keeper.until("the orders", () -> scene.rows("orders").equals(List.of("7 paid")));
        keeper.until("the lists", () -> scene.rows("prices").contains("1 big cup 3 ~"));
        assertThat(scene.failing(LISTS))
            .extracting(Problem::code)
            .containsExactly(ErrorCode.RUN_ACTIVE);
        assertThat(keeper.notices()).isEmpty();
      }
      assertThat(scene.rows("prices"))
          .containsExactly("1 big cup 3 ~", "1 cup 1 3", "2 jug 1 2", "3 pan 2 3");
      move(
          scene,
          "lists/4.json",
          "{'item':1,'name':'big cup','v':4}",
          "{'item':3,'name':'pot','v':4}");
      scene.run(CHANGES + LISTS);
      assertThat(scene.rows("prices")).contains("3 pot 4 ~");
    }
  }

  @Test
  void the_state_of_a_table_of_the_same_file_is_followed() {
    String sql =
        CHANGES
            + """
            CREATE STREAMING TABLE states;
            CREATE FLOW order_states AS AUTO CDC INTO states
            FROM SNAPSHOT (SELECT id, state FROM orders)
            WITH VERSION (SELECT CURRENT_TIMESTAMP AS taken_at)
            KEYS (id) STORED AS SCD TYPE 1;
            """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'state':'new','n':1}");
      try (Keeper keeper = scene.bench().keep(sql, OFTEN, false).started()) {
        scene.json("in/2.json", "{'id':7,'state':'paid','n':2}", "{'id':8,'state':'new','n':1}");
        keeper.until("the states", () -> scene.rows("states").equals(List.of("7 paid", "8 new")));
      }
    }
  }

  @Test
  void a_snapshot_that_is_refused_is_told_once_and_the_next_look_goes_on() {
    try (Scene scene = new Scene(folder)) {
      scene.json("lists/1.json", "{'item':1,'name':'cup','v':1}", "{'item':2,'name':'jug','v':1}");
      try (Keeper keeper = scene.bench().keep(LISTS, OFTEN, false).started()) {
        move(scene, "lists/2.json", "{'item':3,'name':'pan','v':2}");
        keeper.until("the notice", () -> !keeper.notices().isEmpty());
        move(
            scene,
            "lists/2b.json",
            "{'item':1,'name':'cup','v':2}",
            "{'item':2,'name':'jug','v':2}");
        keeper.until("the whole list", () -> scene.rows("prices").contains("3 pan 2 ~"));
        assertThat(keeper.notices())
            .singleElement()
            .asString()
            .contains("SNAPSHOT_DELETES_TOO_MUCH", "price_lists");
      }
      assertThat(scene.rows("prices")).containsExactly("1 cup 1 ~", "2 jug 1 ~", "3 pan 2 ~");
    }
  }

  @Test
  void a_run_that_is_stopped_while_a_snapshot_is_refused_says_so() {
    try (Scene scene = new Scene(folder)) {
      scene.json("lists/1.json", "{'item':1,'name':'cup','v':1}");
      Keeper keeper = scene.bench().keep(LISTS, OFTEN, false).started();
      move(scene, "lists/2.json", "{'item':3,'name':'pan','v':2}");
      keeper.until("the notice", () -> !keeper.notices().isEmpty());
      assertThat(StopRequests.request(scene.bench().connection(), pipeline(scene, LISTS)))
          .isPresent();
      assertThat(((SluiceException) keeper.failure()).code())
          .isEqualTo(ErrorCode.SNAPSHOT_DELETES_TOO_MUCH);
      assertThat(StopRequests.running(scene.bench().connection(), pipeline(scene, LISTS)))
          .isEmpty();
      assertThat(scene.rows("prices")).containsExactly("1 cup 1 ~");
    }
  }

  @Test
  void snapshots_and_changes_of_one_table_are_refused_before_anything_moves() {
    String sql =
        CHANGES
            + """
            CREATE FLOW order_lists AS AUTO CDC INTO orders
            FROM SNAPSHOT (
              SELECT id, state FROM read_files('${dir}/all', format => 'json',
                schema => 'id INT, state STRING'))
            WITH VERSION (SELECT 5 AS n)
            KEYS (id);
            """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'state':'new','n':1}");
      scene.json("all/1.json", "{'id':7,'state':'paid'}");
      assertThat(((SluiceException) scene.bench().keep(sql, OFTEN, false).failure()).problems())
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INTEROP_CONTINUOUS_NOT_SUPPORTED);
                assertThat(problem.message()).contains("orders", "'order_changes'");
                assertThat(problem.location()).isPresent();
              });
      assertThat(
              scene
                  .bench()
                  .connection()
                  .catalog()
                  .tableExists(TableIdentifier.of("default", "orders")))
          .isFalse();
    }
  }

  @Test
  void the_conformance_cases_hold() {
    List<ConformanceCase> cases = CaseText.load("/conformance/snapshots.txt");
    try (Workbench bench = new Workbench(folder);
        Looking looking = new Looking()) {
      assertThat(new CaseRun(bench, cases, looking).run()).isEmpty();
    }
  }

  /** Waits until a look that began after the files were there has ended. */
  private static final class Looking implements CaseRun.Intake, AutoCloseable {

    /** A table that every look changes. */
    private static final String LOOKS =
        """

        CREATE STREAMING TABLE looks;
        CREATE FLOW look AS AUTO CDC INTO looks FROM SNAPSHOT (SELECT 1 AS id)
        WITH VERSION (SELECT CURRENT_TIMESTAMP AS looked_at)
        KEYS (id) STORED AS SCD TYPE 1;
        """;

    /** The look that saw the files, and the one whose end shows that all tables are done. */
    private static final int LOOKS_BEHIND = 3;

    private Keeper keeper;

    @Override
    public UpdateResult take(Workbench bench, String sql) {
      if (keeper == null) {
        keeper = bench.keep(sql + LOOKS, OFTEN, false).started();
      }
      long before = looks(bench);
      keeper.until("further looks", () -> looks(bench) >= before + LOOKS_BEHIND);
      return new UpdateResult(List.of(), Map.of(), List.of(), List.of());
    }

    private static long looks(Workbench bench) {
      return bench.table("looks").currentSnapshot().sequenceNumber();
    }

    @Override
    public void close() {
      if (keeper != null) {
        keeper.close();
      }
    }
  }

  private static Pipeline pipeline(Scene scene, String sql) {
    return scene.bench().pipeline(sql, Map.of());
  }

  /** A file that appears whole. */
  private static void move(Scene scene, String name, String... lines) {
    Path written = scene.json("staged.json", lines);
    try {
      Files.move(written, scene.bench().folder().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
