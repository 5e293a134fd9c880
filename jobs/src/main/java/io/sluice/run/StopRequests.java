package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.plan.ContinuousMarker;
import io.sluice.table.Ledger;
import io.sluice.table.TargetTables;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Asks a continuous run to stop through a property of its tables: whoever reaches the catalog can
 * stop it, wherever it runs. The request stands in every table that the run keeps, and the run
 * looks at them in turn, so that it is found although the file that asks declares other tables, or
 * in another order, than the one that the run was started with.
 */
public final class StopRequests {

  private static final String PROPERTY = "sluice.stop-requested";
  private static final long PAUSE_NANOS = 2_000_000_000L;

  private final CatalogConnection connection;
  private final List<TableIdentifier> tables;
  private final OwnRun run;
  private long lastLook = System.nanoTime();
  private int next;

  /**
   * @param tables that the run keeps, one at least
   * @param run with its names before: the request may be older than its last begin
   */
  StopRequests(CatalogConnection connection, List<TableIdentifier> tables, OwnRun run) {
    this.connection = connection;
    this.tables = List.copyOf(tables);
    this.run = run;
  }

  /** Whether this run is asked to stop; looks at one table every two seconds at most. */
  boolean isRequested() {
    if (System.nanoTime() - lastLook < PAUSE_NANOS) {
      return false;
    }
    TableIdentifier table = tables.get(next);
    next = (next + 1) % tables.size();
    try {
      return TargetTables.open(connection.catalog(), table)
          .map(found -> run.isCalled(found.properties().getOrDefault(PROPERTY, "")))
          .orElse(false);
    } catch (RuntimeException e) {
      return false; // The job itself tells what is wrong with the catalog.
    } finally {
      lastLook = System.nanoTime();
    }
  }

  /**
   * Asks the run that keeps a pipeline's tables to stop.
   *
   * @return where and when the run was started; empty if there is none
   */
  public static Optional<String> request(CatalogConnection connection, Pipeline pipeline) {
    Optional<String> started = Optional.empty();
    for (TargetTable target : pipeline.tables()) {
      Optional<Table> table = open(connection, target);
      Optional<ContinuousMarker> run = table.flatMap(StopRequests::runOf);
      if (run.isPresent()) {
        table.get().updateProperties().set(PROPERTY, run.get().run()).commit();
        started = started.or(() -> run.map(ContinuousMarker::started));
      }
    }
    return started;
  }

  /** Where and when the run was started that still keeps one of a pipeline's tables. */
  public static Optional<String> running(CatalogConnection connection, Pipeline pipeline) {
    return pipeline.tables().stream()
        .map(target -> open(connection, target).flatMap(StopRequests::runOf))
        .flatMap(Optional::stream)
        .map(ContinuousMarker::started)
        .findFirst();
  }

  private static Optional<Table> open(CatalogConnection connection, TargetTable target) {
    return TargetTables.open(connection.catalog(), connection.identifier(target.name().parts()));
  }

  private static Optional<ContinuousMarker> runOf(Table table) {
    return Ledger.read(table).flatMap(found -> ContinuousMarker.of(found.ledger()));
  }
}
