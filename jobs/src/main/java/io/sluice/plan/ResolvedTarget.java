package io.sluice.plan;

import io.sluice.pipeline.TargetTable;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.TargetLayout;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.types.logical.RowType;

/**
 * A target with its flows and its schema.
 *
 * @param table the declaration
 * @param state the target in the catalog
 * @param flows its flows in declaration order
 * @param userColumns user columns in the table's order, in the types that Iceberg gives back
 * @param fullColumns user columns and generated columns
 * @param layout how events become rows; empty for a target of append flows
 */
public record ResolvedTarget(
    TargetTable table,
    TargetState state,
    List<ResolvedFlow> flows,
    RowType userColumns,
    RowType fullColumns,
    Optional<TargetLayout> layout) {

  public ResolvedTarget {
    flows = List.copyOf(flows);
  }

  /**
   * How the rows of one of its AUTO CDC flows are laid out.
   *
   * @param unavailable what sources write for a value that they do not send
   * @param position how the rows tell the place of their record
   */
  EventLayout events(
      ResolvedFlow flow, Optional<String> unavailable, EventLayout.Position position) {
    TargetLayout rows = layout.orElseThrow();
    return new EventLayout(
        userColumns,
        rows.keys(),
        rows.sequence(),
        rows.systemSequence(),
        flow.flow().cdc().orElseThrow().truncateWhen().isPresent(),
        flow.authorship(userColumns, unavailable),
        rows.partial(),
        position);
  }

  /** The flow with a name. */
  public Optional<ResolvedFlow> flow(String name) {
    return flows.stream().filter(flow -> flow.flow().name().equals(name)).findFirst();
  }
}
