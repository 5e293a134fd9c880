package io.sluice.sequencing;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Compares a snapshot with the target. The rows of both meet by key: they wait in state until the
 * timer at the end of the key, then the {@link SnapshotApplier} compares them and only the
 * difference leaves. Flink sorts the input by key, so that one key is in memory at a time.
 */
public final class SnapshotSequencer extends KeyedProcessFunction<Long, PackedRecord, RowChange> {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final SnapshotPlan snapshot;

  private transient WaitingRecords<RowChange> waiting;

  public SnapshotSequencer(TargetLayout layout, SequencerPlan plan, SnapshotPlan snapshot) {
    this.layout = layout;
    this.plan = plan;
    this.snapshot = snapshot;
  }

  @Override
  public void open(OpenContext context) {
    LongCounter live = new LongCounter();
    LongCounter deleted = new LongCounter();
    getRuntimeContext().addAccumulator(UpdateCounters.LIVE_KEYS, live);
    getRuntimeContext().addAccumulator(UpdateCounters.KEYS_DELETED, deleted);
    waiting =
        new WaitingRecords<>(
            getRuntimeContext(),
            layout,
            new SnapshotApplier(
                layout,
                plan,
                snapshot,
                new SequencerCounters(getRuntimeContext(), layout.type(), plan),
                live,
                deleted));
  }

  @Override
  public void processElement(PackedRecord record, Context context, Collector<RowChange> out)
      throws Exception {
    waiting.add(record, context.getCurrentKey(), context.timerService());
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<RowChange> out)
      throws Exception {
    waiting.apply(out);
  }
}
