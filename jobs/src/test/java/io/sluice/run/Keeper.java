package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.plan.ContinuousMarker;
import io.sluice.table.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.apache.iceberg.Table;
import org.awaitility.Awaitility;

/** A continuous run in a thread of the test. */
public final class Keeper implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final ContinuousRun run;
  private final FutureTask<Void> task;
  private final List<String> notices = new CopyOnWriteArrayList<>();

  Keeper(
      CatalogConnection connection,
      FlinkRuntime runtime,
      UpdateOptions options,
      Pipeline pipeline) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.run = new ContinuousRun(connection, runtime, options, ProgressListener.NONE, notices::add);
    this.task =
        new FutureTask<>(
            () -> {
              run.run(pipeline);
              return null;
            });
    new Thread(task, "keeper").start();
  }

  /** Waits until every table keeps what the job has begun with. */
  public Keeper started() {
    until(
        "the run keeps all tables",
        () ->
            pipeline.tables().stream()
                .allMatch(table -> ledgerOf(table).flatMap(ContinuousMarker::of).isPresent()));
    return this;
  }

  /** Waits until the flows of a table have read files, named by a part of their paths. */
  public void hasRead(String table, List<String> paths) {
    TargetTable target =
        pipeline.tables().stream()
            .filter(each -> each.name().last().equals(table))
            .findFirst()
            .orElseThrow();
    until(table + " has read " + paths, () -> missing(target, paths).isEmpty());
  }

  private List<String> missing(TargetTable table, List<String> paths) {
    Optional<Ledger> ledger = ledgerOf(table);
    List<String> missing = new ArrayList<>(paths);
    ledger.ifPresent(
        found ->
            found
                .flows()
                .forEach(
                    flow ->
                        missing.removeIf(path -> found.position(flow).orElse("").contains(path))));
    return missing;
  }

  /** Waits; fails at once if the run has ended. */
  public void until(String what, BooleanSupplier condition) {
    Awaitility.await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .failFast(this::requireAlive)
        .until(condition::getAsBoolean);
  }

  /** Waits; the run may end instead, in whatever way. */
  public void untilOrEnd(String what, BooleanSupplier condition) {
    Awaitility.await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> ended() || condition.getAsBoolean());
  }

  private void requireAlive() throws Exception {
    if (ended()) {
      task.get();
      throw new AssertionError("the run has ended");
    }
  }

  /** Whether the run has ended, by itself or stopped. */
  public boolean ended() {
    return task.isDone();
  }

  /** What the run has told the user. */
  public List<String> notices() {
    return notices;
  }

  /** The failure with which the run ends. */
  public Throwable failure() {
    try {
      task.get();
      throw new AssertionError("the run ended without a failure");
    } catch (java.util.concurrent.ExecutionException e) {
      return e.getCause();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Optional<Ledger> ledgerOf(TargetTable target) {
    try {
      Table table = connection.catalog().loadTable(connection.identifier(target.name().parts()));
      return Ledger.read(table).map(Ledger.Found::ledger);
    } catch (org.apache.iceberg.exceptions.NoSuchTableException e) {
      return Optional.empty();
    }
  }

  /** Asks the run to stop and does not wait. */
  public void requestStop() {
    run.requestStop();
  }

  /** Waits until the run has ended, in whatever way. */
  public void awaitDone() {
    untilOrEnd("the end of the run", () -> false);
  }

  /** Stops the run; fails if the run has failed. */
  @Override
  public void close() {
    run.stop();
    try {
      task.get();
    } catch (java.util.concurrent.ExecutionException | InterruptedException e) {
      throw new AssertionError("the run failed", e);
    }
  }
}
