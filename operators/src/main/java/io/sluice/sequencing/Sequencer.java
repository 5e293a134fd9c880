package io.sluice.sequencing;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The keyed part of an update. Events wait in state beside the existing rows of their key until the
 * timer at the end of the key; then the {@link EventApplier} applies them, and only the difference
 * leaves. In a bounded job Flink sorts the input by key, so that one key is in memory at a time.
 *
 * <p>Its keys are {@link PackedRecord#sortKey}: six bytes, see {@link RecordStreams}. Different
 * keys may share one; they are told apart here.
 */
public final class Sequencer extends KeyedProcessFunction<Long, PackedRecord, RowChange> {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final Cutover cutover;

  private transient WaitingRecords<RowChange> waiting;

  public Sequencer(TargetLayout layout, SequencerPlan plan) {
    this(layout, plan, Cutover.NONE);
  }

  /**
   * @param cutover how the step checks the cut-over from seeds to live flows
   */
  public Sequencer(TargetLayout layout, SequencerPlan plan, Cutover cutover) {
    this.layout = layout;
    this.plan = plan;
    this.cutover = cutover;
  }

  @Override
  public void open(OpenContext context) {
    waiting =
        new WaitingRecords<>(
            getRuntimeContext(),
            layout,
            new CutoverCheck(getRuntimeContext(), layout, plan, cutover)
                .before(
                    new EventApplier(
                        layout,
                        plan,
                        new SequencerCounters(getRuntimeContext(), layout.type(), plan))));
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
