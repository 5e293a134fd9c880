package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.run.Keeper;
import io.sluice.run.UpdateOptions;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How continuous runs begin: ONCE flows, full refreshes, savepoints, and each other. */
class ContinuousBeginIT {

  @TempDir private Path folder;

  private static String table(String name) {
    return """
    CREATE STREAMING TABLE %1$s;
    CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
    FROM STREAM read_files('${dir}/feed', format => 'json',
      schema => 'id INT, town STRING, n BIGINT')
    KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 2;
    """
        .formatted(name);
  }

  private static String seed(String name) {
    return """
    CREATE FLOW %1$s AS AUTO CDC ONCE INTO people
    FROM read_files('${dir}/%1$s', format => 'json', schema => 'id INT, town STRING, n BIGINT')
    KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 2;
    """
        .formatted(name);
  }

  private static String event(int id, String town, int n) {
    return "{\"id\":%d,\"town\":\"%s\",\"n\":%d}".formatted(id, town, n);
  }

  private static List<String> history(Workbench bench) {
    return Towns.texts(bench, "people", "id", "town", "__START_AT", "__END_AT");
  }

  @Test
  void flows_that_run_once_do_so_before_the_stream_also_where_they_are_added_later() {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("old/1.json", event(1, "Ulm", 1), event(2, "Ulm", 1));
      bench.write("feed/1.json", event(1, "Bonn", 5));
      String first = table("people") + seed("old");
      try (Keeper keeper = bench.keep(first, Map.of(), false).started()) {
        assertThat(history(bench)).containsExactly("1 Bonn 5 open", "1 Ulm 1 5", "2 Ulm 1 open");
        bench.write("old/2.json", event(9, "never", 1));
        bench.write("feed/2.json", event(2, "Bonn", 6));
        keeper.hasRead("people", List.of("/2.json"));
      }
      bench.write("older/1.json", event(1, "Trier", 0), event(3, "Trier", 0));
      try (Keeper keeper = bench.keep(first + seed("older"), Map.of(), false).started()) {
        bench.write("feed/3.json", event(3, "Ulm", 7));
        keeper.hasRead("people", List.of("/3.json"));
      }
      assertThat(history(bench))
          .containsExactly(
              "1 Bonn 5 open",
              "1 Trier 0 1",
              "1 Ulm 1 5",
              "2 Bonn 6 open",
              "2 Ulm 1 6",
              "3 Trier 0 7",
              "3 Ulm 7 open");
      assertThat(Towns.ledger(bench, "people").once("older")).isPresent();
    }
  }

  @Test
  void a_full_refresh_is_not_repeated_where_the_run_begins_anew() throws IOException {
    try (Workbench bench = new Workbench(folder)) {
      Path gone = bench.write("feed/1.json", event(1, "Ulm", 1));
      assertThat(bench.update(table("people")).failures()).isEmpty();
      String lineage = Towns.ledger(bench, "people").lineage();
      UpdateOptions refresh = new UpdateOptions(Set.of(), Set.of(), true, 2);
      try (Keeper keeper = bench.keep(table("people"), Map.of(), refresh).started()) {
        String refreshed = Towns.ledger(bench, "people").lineage();
        assertThat(refreshed).isNotEqualTo(lineage);
        Files.delete(gone);
        ForeignRows.compact(bench.table("people"));
        bench.write("feed/2.json", event(1, "Bonn", 2));
        keeper.hasRead("people", List.of("/2.json"));
        assertThat(keeper.notices()).isNotEmpty();
        assertThat(Towns.ledger(bench, "people").lineage()).isEqualTo(refreshed);
      }
      assertThat(history(bench)).containsExactly("1 Bonn 2 open", "1 Ulm 1 2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"execution.state-recovery.path", "execution.savepoint.path"})
  void a_savepoint_is_refused_before_anything_moves(String key) {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/1.json", event(1, "Ulm", 1));
      Map<String, String> settings = Map.of(key, folder.resolve("savepoint-1").toString());
      SluiceException kept =
          (SluiceException) bench.keep(table("people"), settings, false).failure();
      List<Problem> problems = new ArrayList<>(kept.problems());
      problems.addAll(Failing.update(bench, table("people"), settings));
      assertThat(problems)
          .hasSize(2)
          .allSatisfy(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_CALL);
                assertThat(problem.message())
                    .contains("execution.state-recovery.path", "savepoint-1", "tables");
                Failing.requireClear(problem);
              });
      assertThat(bench.connection().catalog().tableExists(TableIdentifier.of("default", "people")))
          .isFalse();
    }
  }

  @Test
  void of_two_runs_that_begin_at_once_only_one_gets_a_table() {
    Keeper[] other = new Keeper[1];
    int[] commits = {0};
    ScriptedCatalog.Script script =
        (table, commit) -> {
          commit.run();
          if (table.name().equals("first") && ++commits[0] == 1) {
            try (Workbench here = new Workbench(folder)) {
              other[0] = new Workbench(folder).keep(table("second"), Map.of(), false);
              other[0].until(
                  "the other run keeps its table",
                  () -> !Towns.ledger(here, "second").extra("continuous").orElse("").isEmpty());
            }
          }
        };
    String both = table("first") + table("second");
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("feed/1.json", event(1, "Ulm", 1));
      try (Workbench before = new Workbench(folder)) {
        assertThat(before.update(both).failures()).isEmpty();
      }
      // Nothing is new: the first commit is the begin of the run.
      SluiceException refused = (SluiceException) bench.keep(both, Map.of(), false).failure();
      assertThat(refused.code()).isEqualTo(ErrorCode.RUN_ACTIVE);
      assertThat(refused).hasMessageContaining("second");
      assertThat(Towns.ledger(bench, "first").extra("continuous")).contains("");
      bench.write("feed/2.json", event(1, "Bonn", 2));
      other[0].hasRead("second", List.of("/2.json"));
      other[0].close();
      assertThat(bench.update(both).failures()).isEmpty();
      for (String table : List.of("first", "second")) {
        assertThat(Towns.texts(bench, table, "id", "town", "__START_AT", "__END_AT"))
            .containsExactly("1 Bonn 2 open", "1 Ulm 1 2");
      }
    }
  }
}
