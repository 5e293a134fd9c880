package io.sluice.sequencing;

import io.sluice.history.Sequence;
import java.util.Arrays;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The {@link Sequencer} of a target that may be truncated (semantics 0.8): truncates reach all keys
 * by broadcast, which a bounded job reads before the first key.
 */
public final class TruncatingSequencer
    extends KeyedBroadcastProcessFunction<Long, PackedRecord, byte[], RowChange> {

  private static final long serialVersionUID = 1L;

  /** Flink wants a state for broadcast input; what is broadcast is kept in memory instead. */
  public static final MapStateDescriptor<Integer, Integer> BROADCAST =
      new MapStateDescriptor<>("broadcast", Types.INT, Types.INT);

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final Cutover cutover;

  private transient WaitingRecords<RowChange> waiting;
  private transient EventApplier applier;
  private transient byte[] greatest;

  /**
   * @param cutover how the step checks the cut-over from seeds to live flows
   */
  public TruncatingSequencer(TargetLayout layout, SequencerPlan plan, Cutover cutover) {
    this.layout = layout;
    this.plan = plan;
    this.cutover = cutover;
  }

  @Override
  public void open(OpenContext context) {
    applier =
        new EventApplier(
            layout, plan, new SequencerCounters(getRuntimeContext(), layout.type(), plan));
    waiting =
        new WaitingRecords<>(
            getRuntimeContext(),
            layout,
            new CutoverCheck(getRuntimeContext(), layout, plan, cutover).before(applier));
  }

  @Override
  public void processBroadcastElement(byte[] truncate, Context context, Collector<RowChange> out) {
    if (greatest == null || Arrays.compareUnsigned(truncate, greatest) > 0) {
      greatest = truncate;
      applier.truncateAt(Sequence.of(truncate));
    }
  }

  @Override
  public void processElement(PackedRecord record, ReadOnlyContext context, Collector<RowChange> out)
      throws Exception {
    waiting.add(record, context.getCurrentKey(), context.timerService());
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<RowChange> out)
      throws Exception {
    waiting.apply(out);
  }
}
