package io.sluice.sequencing;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The keyed part of a bounded job: the records of a key wait in state until the timer at the end of
 * the key, then a {@link KeyApplier} gets them together. Flink sorts the input by key, so that one
 * key is in memory at a time.
 *
 * <p>Its keys are {@link PackedRecord#sortKey}: six bytes, see {@link RecordStreams}. Different
 * keys may share one; the {@link WaitingRecords} tell them apart.
 *
 * @param <O> what leaves
 */
abstract class KeyAtATime<O> extends KeyedProcessFunction<Long, PackedRecord, O> {

  private static final long serialVersionUID = 1L;

  final TargetLayout layout;

  private transient WaitingRecords<O> waiting;

  KeyAtATime(TargetLayout layout) {
    this.layout = layout;
  }

  /** What is done with a key; it is asked for once, when the subtask opens. */
  abstract KeyApplier<O> applier(RuntimeContext context);

  @Override
  public final void open(OpenContext context) {
    waiting = new WaitingRecords<>(getRuntimeContext(), layout, applier(getRuntimeContext()));
  }

  @Override
  public final void processElement(PackedRecord record, Context context, Collector<O> out)
      throws Exception {
    waiting.add(record, context.getCurrentKey(), context.timerService());
  }

  @Override
  public final void onTimer(long timestamp, OnTimerContext context, Collector<O> out)
      throws Exception {
    waiting.apply(out);
  }
}
