package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.TargetStatus;
import io.sluice.run.Keeper;
import io.sluice.run.StopRequests;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A continuous run from its begin to its end, beside other runs and other writers. */
class ContinuousRunIT {

  private static final String BRONZE =
      "CREATE STREAMING TABLE bronze AS SELECT id, name FROM STREAM read_files('${dir}/in',"
          + " format => 'json', schema => 'id INT, name STRING');";

  private static final String SILVER =
      "CREATE STREAMING TABLE silver AS SELECT id, UPPER(name) AS name FROM STREAM bronze"
          + " WHERE id < 100;";

  @TempDir private Path folder;

  @Test
  void a_table_follows_one_that_follows_a_folder() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      try (Keeper keeper = scene.bench().keep(BRONZE + SILVER, Map.of(), false)) {
        keeper.until("the first row", () -> rows(scene, "silver").equals(List.of("1 ANN")));
        keeper.started();
        scene.json("in/2.json", "{'id': 2, 'name': 'ben'}", "{'id': 200, 'name': 'cleo'}");
        keeper.until(
            "the next rows", () -> rows(scene, "silver").equals(List.of("1 ANN", "2 BEN")));
        assertThat(scene.rows("bronze")).containsExactly("1 ann", "2 ben", "200 cleo");
      }
    }
  }

  @Test
  void triggered_and_continuous_runs_take_turns() {
    try (Scene scene = new Scene(folder)) {
      for (int turn = 1; turn <= 4; turn += 2) {
        scene.json("in/" + turn + ".json", "{'id': " + turn + ", 'name': 'x'}");
        try (Keeper keeper = scene.bench().keep(BRONZE + SILVER, Map.of(), false)) {
          keeper.started();
          scene.json("in/" + turn + "b.json", "{'id': " + turn + "0, 'name': 'x'}");
          keeper.hasRead("bronze", List.of("/" + turn + "b.json"));
        }
        scene.json("in/" + (turn + 1) + ".json", "{'id': " + (turn + 1) + ", 'name': 'x'}");
        scene.run(BRONZE + SILVER);
      }
      assertThat(scene.rows("silver"))
          .containsExactlyInAnyOrder("1 X", "10 X", "2 X", "3 X", "30 X", "4 X");
    }
  }

  @Test
  void columns_that_come_while_it_runs_are_added() {
    String sql =
        "CREATE STREAMING TABLE grown AS SELECT * FROM STREAM read_files('${dir}/in',"
            + " format => 'json');";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1}");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false)) {
        keeper.started();
        scene.json("in/2.json", "{'id': 2, 'town': 'Oslo'}");
        keeper.until("the new column", () -> rows(scene, "grown").contains("2 ~ Oslo"));
        assertThat(scene.rows("grown")).containsExactly("1 ~ ~", "2 ~ Oslo");
        assertThat(keeper.notices()).singleElement().asString().contains("'town'");
      }
    }
  }

  @Test
  void a_record_that_cannot_be_read_ends_the_run_and_is_not_lost() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      Keeper keeper = scene.bench().keep(BRONZE, Map.of(), false);
      keeper.started();
      scene.json("in/2.json", "{'id': 2, 'name': 'ben'}", "no json");
      assertThat(codes(keeper.failure())).containsExactly(ErrorCode.INVALID_EVENT);
      assertThat(scene.rows("bronze")).containsExactly("1 ann");
      assertThat(scene.failing(BRONZE)).extracting(Problem::code).contains(ErrorCode.INVALID_EVENT);
      String dropping = "SET 'sluice.invalid-events' = 'DROP';" + BRONZE;
      try (Keeper next = scene.bench().keep(dropping, Map.of(), false)) {
        next.hasRead("bronze", List.of("/2.json"));
        scene.json("in/3.json", "no json either", "{'id': 3, 'name': 'cleo'}");
        next.hasRead("bronze", List.of("/3.json"));
      }
      assertThat(scene.rows("bronze")).containsExactly("1 ann", "2 ben", "3 cleo");
    }
  }

  @Test
  void records_that_cannot_be_read_are_quarantined_with_their_checkpoint() {
    String sql = "SET 'sluice.invalid-events' = 'QUARANTINE';" + BRONZE;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false)) {
        keeper.started();
        scene.json("in/2.json", "broken 2", "{'id': 2, 'name': 'ben'}");
        keeper.hasRead("bronze", List.of("/2.json"));
        scene.json("in/3.json", "broken 3");
        keeper.hasRead("bronze", List.of("/3.json"));
      }
      scene.run(sql);
      assertThat(scene.rows("bronze")).containsExactly("1 ann", "2 ben");
      assertThat(scene.bench().rows("bronze__quarantine"))
          .extracting(row -> row.get("row_json").toString())
          .containsExactlyInAnyOrder("\"broken 2\"", "\"broken 3\"");
    }
  }

  @Test
  void nobody_else_writes_while_it_runs_unless_it_takes_over() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      Keeper first =
          scene.bench().keep(BRONZE, Map.of("pipeline.max-parallelism", "64"), false).started();
      assertThat(scene.failing(BRONZE))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.RUN_ACTIVE);
      Set<io.sluice.sql.QualifiedName> none = Set.of();
      UpdateResult refresh =
          scene
              .bench()
              .update(BRONZE, Map.of(), o -> new UpdateOptions(none, none, true, o.parallelism()));
      assertThat(refresh.succeeded()).isFalse();
      assertThat(codes(scene.bench().keep(BRONZE, Map.of(), false).failure()))
          .containsExactly(ErrorCode.RUN_ACTIVE);
      assertThat(
              TargetStatus.of(scene.bench().connection(), scene.bench().pipeline(BRONZE, Map.of())))
          .singleElement()
          .satisfies(
              status ->
                  assertThat(status.keptBy().orElseThrow()).endsWith("maximum parallelism 64"));

      try (Keeper second = scene.bench().keep(BRONZE, Map.of(), true)) {
        assertThat(codes(endOf(scene, first, second))).containsExactly(ErrorCode.COMMIT_CONFLICT);
        scene.json("in/9.json", "{'id': 9, 'name': 'zoe'}");
        second.hasRead("bronze", List.of("/9.json"));
      }
      assertThat(scene.rows("bronze")).doesNotHaveDuplicates().contains("1 ann", "9 zoe");
    }
  }

  @Test
  void a_stop_reaches_the_run_whatever_tables_the_file_that_asks_declares_first() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      for (String asking : List.of(SILVER + BRONZE, BRONZE, SILVER)) {
        try (Keeper keeper = scene.bench().keep(SILVER + BRONZE, Map.of(), false).started()) {
          Pipeline pipeline = scene.bench().pipeline(asking, Map.of());
          assertThat(StopRequests.request(scene.bench().connection(), pipeline)).isPresent();
          keeper.awaitDone();
          assertThat(StopRequests.running(scene.bench().connection(), pipeline)).isEmpty();
        }
      }
    }
  }

  @Test
  void an_update_that_takes_a_table_over_in_which_nothing_is_new_leaves_it_free() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      Keeper first = scene.bench().keep(BRONZE, Map.of(), false).started();
      Set<io.sluice.sql.QualifiedName> none = Set.of();
      UpdateResult taking =
          scene
              .bench()
              .update(
                  BRONZE,
                  Map.of(),
                  o -> new UpdateOptions(none, none, false, o.parallelism(), true));
      assertThat(taking.succeeded()).isTrue();
      scene.run(BRONZE);
      scene.json("in/2.json", "{'id': 2, 'name': 'ben'}");
      assertThat(codes(first.failure())).containsExactly(ErrorCode.COMMIT_CONFLICT);
      scene.run(BRONZE);
      assertThat(scene.rows("bronze")).containsExactly("1 ann", "2 ben");
    }
  }

  @Test
  void a_run_follows_a_table_that_is_rolled_back() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      scene.run(BRONZE);
      long early = scene.bench().table("bronze").currentSnapshot().snapshotId();
      scene.json("in/2.json", "{'id': 2, 'name': 'ben'}");
      try (Keeper keeper = scene.bench().keep(BRONZE, Map.of(), false).started()) {
        scene.bench().table("bronze").manageSnapshots().rollbackTo(early).commit();
        scene.json("in/3.json", "{'id': 3, 'name': 'cleo'}");
        keeper.hasRead("bronze", List.of("/2.json", "/3.json"));
        assertThat(scene.rows("bronze")).containsExactly("1 ann", "2 ben", "3 cleo");
      }
    }
  }

  @Test
  void a_run_begins_anew_when_somebody_drops_a_column_that_it_writes() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      try (Keeper keeper = scene.bench().keep(BRONZE, Map.of(), false).started()) {
        scene.bench().table("bronze").updateSchema().deleteColumn("name").commit();
        scene.json("in/2.json", "{'id': 2, 'name': 'ben'}");
        keeper.hasRead("bronze", List.of("/2.json"));
        assertThat(keeper.notices())
            .singleElement()
            .asString()
            .contains("begins anew", "dropped the column 'name'");
      }
      assertThat(scene.rows("bronze")).containsExactly("1 ~", "2 ben");
    }
  }

  @Test
  void a_run_ends_when_somebody_drops_its_table_and_the_next_one_reads_everything_again() {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1, 'name': 'ann'}");
      Keeper keeper = scene.bench().keep(BRONZE, Map.of(), false).started();
      scene
          .bench()
          .connection()
          .catalog()
          .dropTable(scene.bench().connection().identifier(List.of("bronze")), true);
      scene.json("in/2.json", "{'id': 2, 'name': 'ben'}");
      assertThat(keeper.failure()).hasMessageContaining("bronze", "somebody dropped it");
      scene.run(BRONZE);
      assertThat(scene.rows("bronze")).containsExactly("1 ann", "2 ben");
    }
  }

  /** The first run finds out with its next commit that it keeps the table no more. */
  private static Throwable endOf(Scene scene, Keeper first, Keeper second) {
    int[] files = {2};
    second.until(
        "the first run ends",
        () -> {
          int file = files[0]++;
          scene.json("in/" + file + ".json", "{'id': " + file + ", 'name': 'x'}");
          return first.ended();
        });
    return first.failure();
  }

  private static List<ErrorCode> codes(Throwable failure) {
    assertThat(failure).isInstanceOf(SluiceException.class);
    return ((SluiceException) failure).problems().stream().map(Problem::code).toList();
  }

  private static List<String> rows(Scene scene, String table) {
    try {
      return scene.rows(table);
    } catch (org.apache.iceberg.exceptions.NoSuchTableException e) {
      return List.of();
    }
  }
}
