package io.sluice.sequencing;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Compares a snapshot with the target. The rows of both meet by key; then the {@link
 * SnapshotApplier} compares them, and only the difference leaves.
 */
public final class SnapshotSequencer extends KeyAtATime<RowChange> {

  private static final long serialVersionUID = 1L;

  private final SequencerPlan plan;
  private final SnapshotPlan snapshot;

  public SnapshotSequencer(TargetLayout layout, SequencerPlan plan, SnapshotPlan snapshot) {
    super(layout);
    this.plan = plan;
    this.snapshot = snapshot;
  }

  @Override
  KeyApplier<RowChange> applier(RuntimeContext context) {
    LongCounter live = new LongCounter();
    LongCounter deleted = new LongCounter();
    context.addAccumulator(UpdateCounters.LIVE_KEYS, live);
    context.addAccumulator(UpdateCounters.KEYS_DELETED, deleted);
    return new SnapshotApplier(
        layout, plan, snapshot, new SequencerCounters(context, layout.type(), plan), live, deleted);
  }
}
