package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.Sequence;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.TargetTables;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A target as the catalog has it now.
 *
 * @param identifier its name in the catalog
 * @param table the table; empty before the first update
 * @param ledger its ledger; a fresh one before the first update and for a full refresh
 * @param companion its companion as of that ledger; empty if there is none
 * @param refreshed whether everything is to be read again
 */
public record TargetState(
    TableIdentifier identifier,
    Optional<Table> table,
    Ledger ledger,
    Optional<Companion> companion,
    boolean refreshed) {

  /** Table property with the name of the pipeline that keeps a table. */
  static final String PIPELINE = "sluice.pipeline";

  /**
   * Loads a target.
   *
   * @param fullRefresh whether the update reads everything again
   * @throws SluiceException TABLE_NOT_MANAGED if the table belongs to somebody else,
   *     RESET_NOT_ALLOWED if a full refresh is forbidden
   */
  public static TargetState load(
      CatalogConnection connection, Pipeline pipeline, TargetTable target, boolean fullRefresh) {
    TableIdentifier identifier = connection.identifier(target.name().parts());
    Optional<Table> table = TargetTables.open(connection.catalog(), identifier);
    table.ifPresent(found -> requireOurs(pipeline, target, found, fullRefresh));
    if (fullRefresh && !target.resetAllowed()) {
      throw new SluiceException(
          ErrorCode.RESET_NOT_ALLOWED,
          "table " + target.name() + " has 'pipelines.reset.allowed' = 'false'",
          "Leave it out of --full-refresh, or change the property");
    }
    Ledger fresh = Ledger.start(pipeline.name());
    Ledger ledger =
        fullRefresh ? fresh : table.flatMap(Ledger::read).map(Ledger.Found::ledger).orElse(fresh);
    if (table.isEmpty()) {
      Companion.requireName(connection.catalog(), identifier);
    }
    Optional<Companion> companion =
        table.isPresent()
            ? Companion.open(connection.catalog(), identifier, ledger)
            : Optional.empty();
    return new TargetState(identifier, table, ledger, companion, fullRefresh);
  }

  private static void requireOurs(
      Pipeline pipeline, TargetTable target, Table table, boolean fullRefresh) {
    if (!TargetTables.isManaged(table) && target.adopted()) {
      if (fullRefresh) {
        throw new SluiceException(
            ErrorCode.TABLE_NOT_MANAGED,
            "table " + target.name() + " is not adopted yet, a full refresh would empty it",
            "Run an update without --full-refresh first");
      }
      return;
    }
    TargetTables.identity(table);
    String owner = table.properties().get(PIPELINE);
    if (owner != null && !owner.equals(pipeline.name())) {
      throw new SluiceException(
          ErrorCode.TABLE_NOT_MANAGED,
          "table "
              + target.name()
              + " is kept by the pipeline '"
              + owner
              + "', this one is '"
              + pipeline.name()
              + "'",
          "If it is the same pipeline under a new name, write SET 'sluice.pipeline' = '"
              + owner
              + "'; else give the table another name");
    }
  }

  /** Whether the table is somebody else's and becomes ours with this update (semantics 0.17). */
  public boolean adopting() {
    return table.map(found -> !TargetTables.isManaged(found)).orElse(false);
  }

  /** The state of a table that does not exist, under a name beside this one. */
  public TargetState elsewhere() {
    return new TargetState(
        TableIdentifier.of(identifier.namespace(), identifier.name() + "__new"),
        Optional.empty(),
        Ledger.start(ledger.pipeline()),
        Optional.empty(),
        true);
  }

  /** What a flow has read so far. */
  FlowPosition position(String flow) {
    return FlowPosition.of(ledger, companion, flow);
  }

  /** The snapshot that the update reads; empty if the table has none or everything goes. */
  public OptionalLong readableSnapshot() {
    return refreshed ? OptionalLong.empty() : currentSnapshot();
  }

  /** The table's current snapshot. */
  public OptionalLong currentSnapshot() {
    Snapshot snapshot = table.map(Table::currentSnapshot).orElse(null);
    return snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot.snapshotId());
  }

  /** Whether the table holds rows that the update goes on from. */
  boolean hasRows() {
    Snapshot snapshot = refreshed ? null : table.map(Table::currentSnapshot).orElse(null);
    if (snapshot == null) {
      return false;
    }
    Map<String, String> summary = snapshot.summary();
    long records = Long.parseLong(summary.getOrDefault(SnapshotSummary.TOTAL_RECORDS_PROP, "1"));
    long deleted =
        Long.parseLong(summary.getOrDefault(SnapshotSummary.TOTAL_POS_DELETES_PROP, "0"));
    return records > deleted;
  }

  /** The floor as of the last commit (semantics 0.8, 0.9). */
  Sequence floor() {
    return ledger.floor().map(Sequence::parse).orElse(Sequence.LOWEST);
  }

  /** The greatest version of a snapshot that was applied; the lowest sequence without any. */
  Sequence stated() {
    return ledger.flows().stream()
        .flatMap(flow -> ledger.version(flow).stream())
        .map(json -> Sequence.of(SnapshotVersion.fromJson(json).bytes()))
        .max(Comparator.naturalOrder())
        .orElse(Sequence.LOWEST);
  }

  /** When the last updates were applied. */
  public AppliedTimes appliedTimes() {
    return AppliedTimes.of(ledger);
  }

  /** Number of the next update of the target, counted from 1. */
  long nextUpdate() {
    return ledger.extraNumber("update").orElse(0L) + 1;
  }
}
