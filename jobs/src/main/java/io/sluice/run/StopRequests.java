package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.plan.ContinuousMarker;
import io.sluice.table.Ledger;
import io.sluice.table.TargetTables;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Asks a continuous run to stop through a property of its first table: whoever reaches the catalog
 * can stop it, wherever it runs.
 */
public final class StopRequests {

  private static final String PROPERTY = "sluice.stop-requested";
  private static final long PAUSE_NANOS = 2_000_000_000L;

  private final CatalogConnection connection;
  private final TableIdentifier table;
  private final OwnRun run;
  private long lastLook = System.nanoTime();

  /**
   * @param run with its names before: the request may be older than its last begin
   */
  StopRequests(CatalogConnection connection, TableIdentifier table, OwnRun run) {
    this.connection = connection;
    this.table = table;
    this.run = run;
  }

  /** Whether this run is asked to stop; looks every two seconds at most. */
  boolean isRequested() {
    if (System.nanoTime() - lastLook < PAUSE_NANOS) {
      return false;
    }
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
    for (TargetTable target : pipeline.tables()) {
      Optional<Table> table =
          TargetTables.open(connection.catalog(), connection.identifier(target.name().parts()));
      Optional<ContinuousMarker> run = table.flatMap(StopRequests::runOf);
      if (run.isPresent()) {
        table.get().updateProperties().set(PROPERTY, run.get().run()).commit();
        return Optional.of(run.get().started());
      }
    }
    return Optional.empty();
  }

  /** Whether a run still keeps one of a pipeline's tables. */
  public static boolean isRunning(CatalogConnection connection, Pipeline pipeline) {
    return pipeline.tables().stream()
        .map(
            target ->
                TargetTables.open(
                    connection.catalog(), connection.identifier(target.name().parts())))
        .anyMatch(table -> table.flatMap(StopRequests::runOf).isPresent());
  }

  private static Optional<ContinuousMarker> runOf(Table table) {
    return Ledger.read(table).flatMap(found -> ContinuousMarker.of(found.ledger()));
  }
}
