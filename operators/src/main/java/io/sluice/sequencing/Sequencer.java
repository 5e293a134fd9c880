package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The keyed part of an update. Events wait in state beside the existing rows of their key until the
 * timer at the end of the key; then the {@link EventApplier} applies them, and only the difference
 * leaves. In a bounded job Flink sorts the input by key, so that one key is in memory at a time.
 *
 * <p>Its keys are {@link PackedRecord#sortKey}: eight bytes, which Flink compares without looking
 * at the record. Long keys may share one; they are told apart here.
 */
public final class Sequencer extends KeyedProcessFunction<Long, PackedRecord, RowChange> {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final Cutover cutover;

  private transient ListState<PackedRecord> waiting;
  private transient RecordCodec codec;
  private transient EventApplier applier;
  private transient CutoverCheck check;

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
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>("waiting", PackedRecordSerializer.INSTANCE));
    codec = new RecordCodec(layout.columns().getFieldCount());
    applier =
        new EventApplier(
            layout, plan, new SequencerCounters(getRuntimeContext(), layout.type(), plan));
    check = new CutoverCheck(getRuntimeContext(), layout, plan, cutover);
  }

  @Override
  public void processElement(PackedRecord record, Context context, Collector<RowChange> out)
      throws Exception {
    waiting.add(record);
    context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<RowChange> out)
      throws Exception {
    List<KeyedRecord> records = new ArrayList<>();
    for (PackedRecord record : waiting.get()) {
      records.add(codec.unpack(record));
    }
    waiting.clear();
    if (areOfOneKey(records)) {
      apply(records, out);
      return;
    }
    Map<RowKey, List<KeyedRecord>> byKey = new TreeMap<>();
    for (KeyedRecord record : records) {
      byKey.computeIfAbsent(record.key(), key -> new ArrayList<>()).add(record);
    }
    byKey.values().forEach(ofOneKey -> apply(ofOneKey, out));
  }

  private void apply(List<KeyedRecord> ofOneKey, Collector<RowChange> out) {
    check.check(ofOneKey);
    applier.apply(ofOneKey, out);
  }

  private static boolean areOfOneKey(List<KeyedRecord> records) {
    RowKey first = records.get(0).key();
    for (KeyedRecord record : records) {
      if (!record.key().equals(first)) {
        return false;
      }
    }
    return true;
  }
}
