package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/**
 * What the ledger of a target says.
 *
 * @param target full name of the table
 * @param snapshot its current snapshot; empty if it has none
 * @param committedAt when that snapshot was committed
 * @param updates updates committed so far
 * @param tombstones deletes that it remembers although no row shows them
 * @param keptBy where and when the continuous run was started that keeps it; empty if none does
 * @param flows its flows, then those that the pipeline no longer has
 */
public record TargetStatus(
    String target,
    OptionalLong snapshot,
    Optional<Instant> committedAt,
    long updates,
    long tombstones,
    Optional<String> keptBy,
    List<FlowStatus> flows) {

  public TargetStatus {
    flows = List.copyOf(flows);
  }

  /**
   * What the ledger says of one flow.
   *
   * @param flow its name
   * @param kind its kind; "gone" for one that the pipeline no longer has
   * @param ranAt when a ONCE flow ran
   * @param digest digest of the definition that a ONCE flow ran with
   * @param positions how far each source is read
   */
  public record FlowStatus(
      String flow,
      String kind,
      Optional<Instant> ranAt,
      Optional<String> digest,
      List<String> positions) {
    public FlowStatus {
      positions = List.copyOf(positions);
    }
  }

  /** The status of all targets of a pipeline, in declaration order. */
  public static List<TargetStatus> of(CatalogConnection connection, Pipeline pipeline) {
    return pipeline.tables().stream().map(table -> of(connection, pipeline, table)).toList();
  }

  private static TargetStatus of(
      CatalogConnection connection, Pipeline pipeline, TargetTable target) {
    TargetState state = TargetState.load(connection, pipeline, target, false);
    Snapshot snapshot = state.table().map(Table::currentSnapshot).orElse(null);
    List<FlowStatus> flows = new ArrayList<>();
    List<String> declared = new ArrayList<>();
    for (Flow flow : pipeline.flowsInto(target)) {
      declared.add(flow.name());
      flows.add(flow(state, flow.name(), flow.kind()));
    }
    state.ledger().flows().stream()
        .filter(flow -> !declared.contains(flow))
        .sorted()
        .forEach(flow -> flows.add(flow(state, flow, "gone")));
    return new TargetStatus(
        target.name().toString(),
        state.currentSnapshot(),
        Optional.ofNullable(snapshot).map(s -> Instant.ofEpochMilli(s.timestampMillis())),
        state.nextUpdate() - 1,
        state.companion().map(Companion::liveTombstones).orElse(0L),
        ContinuousMarker.of(state.ledger()).map(ContinuousMarker::started),
        flows);
  }

  private static FlowStatus flow(TargetState state, String name, String kind) {
    Optional<Ledger.OnceEntry> once = state.ledger().once(name);
    List<String> positions = new ArrayList<>(state.position(name).describe());
    state
        .ledger()
        .version(name)
        .map(SnapshotVersion::fromJson)
        .ifPresent(version -> positions.add("snapshot version " + version));
    return new FlowStatus(
        name, kind, once.map(Ledger.OnceEntry::at), once.map(Ledger.OnceEntry::digest), positions);
  }
}
