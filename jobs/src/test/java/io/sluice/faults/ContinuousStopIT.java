package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.run.Keeper;
import io.sluice.run.StopRequests;
import io.sluice.run.Workbench;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;
import org.apache.iceberg.catalog.TableIdentifier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Continuous runs that are stopped, or fail, at a moment that does not suit them. Whatever happens,
 * the tables are left: the next update needs no {@code --take-over}, and nothing is lost.
 */
class ContinuousStopIT {

  private static final String SQL =
      """
      CREATE STREAMING TABLE people;
      CREATE FLOW changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n BIGINT')
      KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 1;
      """;

  @TempDir private Path folder;

  private final CompletableFuture<Keeper> keeper = new CompletableFuture<>();

  @AfterEach
  void readUnwatched() {
    ScriptedFiles.beforeReading(location -> {});
  }

  /** Does something once, just before a commit of the table. */
  private static final class AtCommit implements ScriptedCatalog.Script {

    private final AtomicInteger left = new AtomicInteger();
    private final Runnable action;

    AtCommit(Runnable action) {
      this.action = action;
    }

    /**
     * @param commits the action comes before so many commits from now on, counted from 1
     */
    void arm(int commits) {
      left.set(commits);
    }

    @Override
    public void commit(TableIdentifier table, Runnable commit) {
      if (table.name().equals("people") && left.getAndDecrement() == 1) {
        apart(action);
      }
      commit.run();
    }
  }

  /** Runs in a thread of its own: that of a task is interrupted when its job ends. */
  private static void apart(Runnable action) {
    try {
      CompletableFuture.runAsync(action).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  private Workbench bench(ScriptedCatalog.Script script) {
    return new Workbench(
        folder,
        ScriptedCatalog.config(folder, script, Map.of("io-impl", ScriptedFiles.class.getName())));
  }

  private static void write(Workbench bench, String name, String... events) {
    bench.write(
        "feed/" + name + ".json",
        Stream.of(events)
            .map(event -> event.split(" "))
            .map(e -> "{\"id\":%s,\"town\":\"%s\",\"n\":%s}".formatted(e[0], e[1], e[2]))
            .toArray(String[]::new));
  }

  private void insertForeignRow() {
    try (Workbench other = new Workbench(folder)) {
      ForeignRows.append(other.table("people"), Map.of("id", 90, "town", "foreign"));
    }
  }

  /** Nobody keeps the table, and a plain update gives these rows. */
  private static void assertLeft(Workbench bench, String... rows) {
    assertThat(Towns.ledger(bench, "people").extra("continuous").orElse("")).isEmpty();
    assertThat(bench.update(SQL).failures()).isEmpty();
    assertThat(Towns.texts(bench, "people", "id", "town")).containsExactly(rows);
    Towns.assertConsistent(bench, "people");
  }

  @Test
  void a_stop_during_the_first_update_ends_the_run_behind_it() {
    // The first commit of the table is its creation.
    AtCommit stopping = new AtCommit(() -> keeper.join().requestStop());
    stopping.arm(2);
    try (Workbench bench = bench(stopping)) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, Map.of(), false));
      keeper.join().close();
      assertThat(Towns.texts(bench, "people", "id", "town")).containsExactly("1 Ulm");
      write(bench, "2", "2 Ulm 1");
      assertLeft(bench, "1 Ulm", "2 Ulm");
    }
  }

  @Test
  void a_stop_while_the_state_is_rebuilt_ends_the_run_and_loses_nothing() {
    Path savepoints = folder.resolve("savepoints");
    rebuilding(
        location -> {
          keeper.join().requestStop();
          // The savepoint has been triggered when it has a folder.
          Awaitility.await()
              .atMost(Duration.ofMinutes(1))
              .until(() -> Files.isDirectory(savepoints) && !isEmpty(savepoints));
        },
        Map.of("execution.checkpointing.savepoint-dir", savepoints.toUri().toString()),
        bench -> keeper.join().close());
  }

  @Test
  void a_task_that_fails_while_the_state_is_rebuilt_starts_again() {
    AtomicInteger failures = new AtomicInteger();
    rebuilding(
        location -> {
          if (failures.incrementAndGet() <= 3) {
            throw new UncheckedIOException(new java.io.IOException("scripted"));
          }
        },
        Map.of("restart-strategy.exponential-delay.initial-backoff", "20 ms"),
        bench -> {
          keeper.join().hasRead("people", List.of("/3.json"));
          keeper.join().close();
          assertThat(failures.get()).isGreaterThan(3);
        });
  }

  private static boolean isEmpty(Path folder) throws java.io.IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  /** A run whose table has rows already; something happens when its job reads them. */
  private void rebuilding(
      Consumer<String> whenRead, Map<String, String> settings, Consumer<Workbench> then) {
    AtCommit begin =
        new AtCommit(
            () ->
                ScriptedFiles.beforeReading(
                    location -> {
                      if (location.contains("/people/data/")) {
                        whenRead.accept(location);
                      }
                    }));
    try (Workbench bench = bench(begin)) {
      write(bench, "1", "1 Ulm 1", "2 Ulm 1");
      assertThat(bench.update(SQL).failures()).isEmpty();
      write(bench, "2", "2 Bonn 2", "3 Ulm 1");
      assertThat(bench.update(SQL).failures()).isEmpty();
      begin.arm(1);
      keeper.complete(bench.keep(SQL, settings, false));
      keeper.join().untilOrEnd("the begin", () -> begin.left.get() < 1);
      write(bench, "3", "1 Bonn 2", "4 Ulm 1");
      then.accept(bench);
      ScriptedFiles.beforeReading(location -> {});
      assertLeft(bench, "1 Bonn", "2 Bonn", "3 Ulm", "4 Ulm");
    }
  }

  @Test
  void a_job_whose_checkpoints_are_lost_when_a_task_dies_begins_anew_from_the_tables() {
    Path checkpoints = folder.resolve("checkpoints");
    AtCommit dying =
        new AtCommit(
            () -> {
              FileUtils.deleteDirectoryQuietly(checkpoints.toFile());
              throw new Died();
            });
    Map<String, String> settings =
        Map.of(
            "execution.checkpointing.dir", checkpoints.toUri().toString(),
            "execution.checkpointing.data-inline-threshold", "0 b",
            "restart-strategy.exponential-delay.initial-backoff", "20 ms",
            "restart-strategy.exponential-delay.max-backoff", "20 ms");
    try (Workbench bench = bench(dying)) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, settings, false).started());
      write(bench, "2", "2 Ulm 1");
      keeper.join().hasRead("people", List.of("/2.json"));
      dying.arm(1);
      write(bench, "3", "2 Bonn 2");
      keeper.join().hasRead("people", List.of("/3.json"));
      assertThat(keeper.join().notices())
          .singleElement()
          .asString()
          .contains("begins anew", "CHECKPOINT_REFUSED");
      write(bench, "4", "1 Bonn 2");
      keeper.join().hasRead("people", List.of("/4.json"));
      keeper.join().close();
      assertLeft(bench, "1 Bonn", "2 Bonn");
    }
  }

  @Test
  void a_stop_whose_last_commit_meets_a_conflict_leaves_the_tables() {
    AtCommit conflict =
        new AtCommit(
            () -> {
              keeper.join().requestStop();
              insertForeignRow();
            });
    try (Workbench bench = bench(conflict)) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, Map.of(), false).started());
      conflict.arm(1);
      write(bench, "2", "2 Ulm 1");
      keeper.join().untilOrEnd("the conflict", () -> conflict.left.get() < 1);
      keeper.join().close();
      assertLeft(bench, "1 Ulm", "2 Ulm", "90 foreign");
    }
  }

  @Test
  void a_stop_whose_note_meets_a_conflict_notes_it_again() {
    AtCommit conflict = new AtCommit(this::insertForeignRow);
    try (Workbench bench = bench(conflict)) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, Map.of(), false).started());
      // Without anything new, the next commit is the one that says that the run has stopped.
      conflict.arm(1);
      keeper.join().close();
      assertThat(conflict.left.get()).isLessThan(1);
      assertThat(keeper.join().notices()).isEmpty();
      assertLeft(bench, "1 Ulm", "90 foreign");
    }
  }

  @Test
  void a_stop_leaves_the_tables_though_what_they_read_is_gone() {
    try (Workbench bench = bench((table, commit) -> commit.run())) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, Map.of(), false).started());
      FileUtils.deleteDirectoryQuietly(folder.resolve("feed").toFile());
      try {
        keeper.join().close();
      } catch (AssertionError e) {
        // The folder may be looked at once more before the run stops; that is an error of its own.
        assertThat(e.getCause()).hasMessageContaining("SOURCE");
      }
      assertThat(keeper.join().notices()).isEmpty();
      assertThat(Towns.ledger(bench, "people").extra("continuous").orElse("")).isEmpty();
    }
  }

  @Test
  void a_stop_is_asked_for_by_anyone_and_counts_though_the_run_begins_anew() {
    AtCommit conflict =
        new AtCommit(
            () -> {
              try (Workbench other = new Workbench(folder)) {
                assertThat(StopRequests.request(other.connection(), other.pipeline(SQL, Map.of())))
                    .isPresent();
              }
              insertForeignRow();
            });
    try (Workbench bench = bench(conflict)) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, Map.of(), false).started());
      conflict.arm(1);
      write(bench, "2", "2 Ulm 1");
      keeper.join().awaitDone();
      keeper.join().close();
      assertLeft(bench, "1 Ulm", "2 Ulm", "90 foreign");
    }
  }

  @Test
  void a_run_that_cannot_begin_anew_leaves_the_tables() {
    AtCommit conflict =
        new AtCommit(
            () -> {
              insertForeignRow();
              try (Workbench other = new Workbench(folder)) {
                write(other, "bad", "1 Ulm null");
              }
            });
    try (Workbench bench = bench(conflict)) {
      write(bench, "1", "1 Ulm 1");
      keeper.complete(bench.keep(SQL, Map.of(), false).started());
      conflict.arm(1);
      write(bench, "2", "2 Ulm 1");
      assertThat(((SluiceException) keeper.join().failure()).code())
          .isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(folder.resolve("feed/bad.json").toFile().delete()).isTrue();
      assertLeft(bench, "1 Ulm", "2 Ulm", "90 foreign");
    }
  }
}
