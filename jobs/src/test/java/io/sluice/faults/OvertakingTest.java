package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Other writers that come between two commits of an update: made to happen inside the catalog, at a
 * commit of choice, so that no test depends on time.
 */
class OvertakingTest {

  private static final String HISTORY =
      """
      CREATE STREAMING TABLE people;
      CREATE FLOW changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, op STRING, n BIGINT')
      KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (id, town)
      STORED AS SCD TYPE 2;
      """;

  @TempDir private Path folder;

  /** Does something once, before the given commit of a table, counted from 1 per table. */
  private static final class Before implements ScriptedCatalog.Script {

    private final String table;
    private final Runnable what;
    private int left;

    Before(String table, int commit, Runnable what) {
      this.table = table;
      this.left = commit;
      this.what = what;
    }

    @Override
    public void commit(TableIdentifier changed, Runnable commit) {
      if (changed.name().equals(table) && --left == 0) {
        what.run();
      }
      commit.run();
    }

    boolean happened() {
      return left <= 0;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void two_processes_that_run_the_same_pipeline_at_once_ingest_once(int commit) {
    TownFeed feed = new TownFeed(commit, 12);
    int[] left = {commit};
    ScriptedCatalog.Script script =
        (table, real) -> {
          boolean now;
          synchronized (left) {
            now = --left[0] == 0;
          }
          if (now) {
            try (Workbench other = new Workbench(folder)) {
              assertThat(other.update(Towns.SQL).failures()).isEmpty();
            }
          }
          real.run();
        };
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      for (int i = 0; i < 3; i++) {
        bench.write("feed/%d.json".formatted(i), feed.lines(15));
      }
      UpdateResult result = bench.update(Towns.SQL);
      result
          .failures()
          .values()
          .forEach(
              problems -> {
                assertThat(problems)
                    .extracting(Problem::code)
                    .containsOnly(ErrorCode.COMMIT_CONFLICT);
                problems.forEach(Failing::requireClear);
              });
      bench.write("feed/9.json", feed.lines(15));
      assertThat(bench.update(Towns.SQL).failures()).isEmpty();
      Towns.assertHolds(bench, feed);
    }
    assertThat(left[0]).as("the other process ran").isNotPositive();
  }

  @Test
  void a_step_that_is_planned_again_does_not_take_its_first_companion_for_the_new_one() {
    // The first plan absorbs Ulm at 20 into a run; after the foreign row it is no run any more.
    Before script =
        new Before("people", 3, () -> ForeignRows.append(table(), row(1, "Bonn", 15L, null)));
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"Ulm\",\"n\":10}");
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      assertThat(script.happened()).isFalse();
      ForeignRows.delete(table(), record -> record.getField("id").equals(1));
      bench.write(
          "feed/2.json",
          "{\"id\":1,\"town\":\"Bonn\",\"n\":20}",
          "{\"id\":2,\"town\":\"Ulm\",\"n\":1}",
          "{\"id\":2,\"town\":\"Ulm\",\"n\":2}");
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      assertThat(script.happened()).isTrue();
      assertThat(rows(bench))
          .containsExactlyInAnyOrder(tuple(1, "Bonn", 15L, null), tuple(2, "Ulm", 1L, null));
      assertThat(Towns.companion(bench, "people"))
          .extracting(event -> event.getField("id"), event -> event.getField("__SEQUENCE"))
          .containsExactlyInAnyOrder(tuple(1, 20L), tuple(2, 2L));
    }
  }

  @Test
  void a_commit_that_landed_stays_landed_though_the_catalog_falls_silent_behind_it() {
    boolean[] silent = {false};
    ScriptedCatalog.Script script =
        new ScriptedCatalog.Script() {
          private int commits;

          @Override
          public void commit(TableIdentifier table, Runnable commit) {
            commit.run();
            silent[0] = table.name().equals("people") && ++commits == 3;
          }

          @Override
          public void read(TableIdentifier table) {
            if (silent[0]) {
              throw new IllegalStateException("scripted: no answer");
            }
          }
        };
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("feed/1.json", lines(30, 1));
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      bench.write("feed/2.json", "{\"id\":7,\"town\":\"Bonn\",\"n\":5}");
      bench.update(HISTORY);
      assertThat(silent[0]).isTrue();
      silent[0] = false;
      assertThat(bench.rows("people")).hasSize(31);
      DataFiles.named(bench.table("people")).forEach(file -> assertThat(file).exists());
      assertThat(bench.update(HISTORY).targets().get(0).steps()).isZero();
    }
  }

  @Test
  void a_compaction_between_plan_and_commit_makes_the_update_plan_again() {
    Before script = new Before("people", 3, () -> ForeignRows.compact(table()));
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("feed/1.json", lines(30, 1));
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      bench.write("feed/2.json", "{\"id\":7,\"town\":\"Bonn\",\"n\":5}");
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      assertThat(script.happened()).isTrue();
      assertThat(rows(bench))
          .hasSize(31)
          .contains(tuple(7, "Ulm", 1L, 5L), tuple(7, "Bonn", 5L, null));
    }
  }

  @Test
  void a_row_deleted_by_somebody_between_plan_and_commit_is_not_resurrected() {
    Before script =
        new Before(
            "people",
            3,
            () -> ForeignRows.delete(table(), record -> record.getField("id").equals(7)));
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("feed/1.json", lines(30, 1));
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      bench.write("feed/2.json", "{\"id\":7,\"town\":\"Bonn\",\"n\":5}");
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      assertThat(script.happened()).isTrue();
      assertThat(rows(bench)).hasSize(30).contains(tuple(7, "Bonn", 5L, null));
    }
  }

  @Test
  void rows_that_move_while_somebody_deletes_or_compacts_are_neither_lost_nor_doubled() {
    String current = HISTORY.replace("SCD TYPE 2", "SCD TYPE 1");
    for (int type = 1; type <= 2; type++) {
      boolean compacts = type == 2;
      Path here = folder.resolve("moving-" + type);
      Before script =
          new Before(
              "people",
              4,
              () -> {
                try (Workbench other = new Workbench(here)) {
                  if (compacts) {
                    ForeignRows.compact(other.table("people"));
                  } else {
                    ForeignRows.delete(
                        other.table("people"), record -> record.getField("id").equals(29));
                  }
                }
              });
      try (Workbench bench = new Workbench(here, ScriptedCatalog.config(here, script))) {
        bench.write("feed/1.json", lines(30, 1));
        assertThat(bench.update(current).failures()).isEmpty();
        String[] deletes = new String[25];
        for (int i = 0; i < deletes.length; i++) {
          deletes[i] = "{\"id\":%d,\"op\":\"D\",\"n\":3}".formatted(i);
        }
        bench.write("feed/2.json", deletes);
        assertThat(bench.update(current).failures()).isEmpty();
        bench.write(
            "feed/3.json",
            "{\"id\":25,\"town\":\"Bonn\",\"n\":5}",
            "{\"id\":26,\"town\":\"Bonn\",\"n\":5}",
            "{\"id\":27,\"town\":\"Bonn\",\"n\":5}");
        UpdateResult moving = bench.update(current);
        assertThat(moving.failures()).isEmpty();
        assertThat(script.happened()).isTrue();
        List<org.assertj.core.groups.Tuple> left = new java.util.ArrayList<>();
        for (Map<String, Object> row : bench.rows("people")) {
          left.add(tuple(row.get("id"), row.get("town")));
        }
        List<org.assertj.core.groups.Tuple> expected =
            new java.util.ArrayList<>(
                List.of(tuple(25, "Bonn"), tuple(26, "Bonn"), tuple(27, "Bonn"), tuple(28, "Ulm")));
        if (compacts) {
          expected.add(tuple(29, "Ulm"));
        }
        assertThat(left).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void a_table_that_others_change_all_the_time_ends_in_a_conflict_and_not_in_a_lost_row() {
    ScriptedCatalog.Script script =
        (table, commit) -> {
          if (table.name().equals("people")
              && Thread.currentThread().getName().equals("sluice-update")) {
            try (Workbench other = new Workbench(folder)) {
              Table people = other.table("people");
              if (people.currentSnapshot() != null) {
                ForeignRows.append(
                    people, row(99, "Ulm", System.nanoTime(), System.nanoTime() + 1));
              }
            } catch (org.apache.iceberg.exceptions.NoSuchTableException e) {
              // Not created yet.
            }
          }
          commit.run();
        };
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/1.json", lines(5, 1));
      assertThat(bench.update(HISTORY).failures()).isEmpty();
    }
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("feed/2.json", "{\"id\":3,\"town\":\"Bonn\",\"n\":5}");
      Problem problem = Failing.onlyProblem(bench, HISTORY);
      assertThat(problem.code()).isEqualTo(ErrorCode.COMMIT_CONFLICT);
      assertThat(problem.message()).contains("people");
    }
    try (Workbench bench = new Workbench(folder)) {
      assertThat(bench.update(HISTORY).failures()).isEmpty();
      assertThat(rows(bench)).contains(tuple(3, "Ulm", 1L, 5L), tuple(3, "Bonn", 5L, null));
    }
  }

  private static String[] lines(int people, int n) {
    String[] lines = new String[people];
    for (int i = 0; i < people; i++) {
      lines[i] = "{\"id\":%d,\"town\":\"Ulm\",\"n\":%d}".formatted(i, n);
    }
    return lines;
  }

  private static List<org.assertj.core.groups.Tuple> rows(Workbench bench) {
    return bench.rows("people").stream()
        .map(
            row ->
                tuple(row.get("id"), row.get("town"), row.get("__START_AT"), row.get("__END_AT")))
        .toList();
  }

  /** The table over a connection of its own, as another program has it. */
  private Table table() {
    return new Workbench(folder).table("people");
  }

  private static Map<String, Object> row(int id, String town, Long start, Long end) {
    Map<String, Object> row = new java.util.HashMap<>();
    row.put("id", id);
    row.put("town", town);
    row.put("__START_AT", start);
    row.put("__END_AT", end);
    return row;
  }
}
