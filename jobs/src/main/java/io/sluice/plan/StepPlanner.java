package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Decides what each step of an update of one target does: first the snapshots that are due, one a
 * step, then what is new in the other sources. The rows do not depend on that order.
 */
public final class StepPlanner {

  private final SnapshotPlanner snapshots;
  private final PositionPlanner positions;

  /**
   * @param environments gives an environment for each job that planning itself needs
   */
  public StepPlanner(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      Supplier<StreamExecutionEnvironment> environments) {
    this.snapshots = new SnapshotPlanner(connection, pipeline, target, environments);
    this.positions = new PositionPlanner(connection, target);
  }

  /**
   * The next step; empty if there is nothing left to do.
   *
   * @param history what the flows have read
   * @param number of the step within the update
   */
  public Optional<UpdateStep> next(FlowHistory history, int number) {
    return snapshots.next(history, number).or(() -> positions.next(history, number));
  }
}
