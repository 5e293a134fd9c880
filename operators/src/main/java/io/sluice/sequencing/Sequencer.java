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
 * <p>Its keys are {@link PackedRecord#sortKey}: six bytes, see {@link RecordStreams}. Different
 * keys may share one; they are told apart here.
 */
public final class Sequencer extends KeyedProcessFunction<Long, PackedRecord, RowChange> {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private final SequencerPlan plan;

  private transient ListState<PackedRecord> waiting;
  private transient RecordCodec codec;
  private transient EventApplier applier;

  /** The last key that got its timer; null if that may have fired. */
  private transient Long timed;

  public Sequencer(TargetLayout layout, SequencerPlan plan) {
    this.layout = layout;
    this.plan = plan;
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
  }

  @Override
  public void processElement(PackedRecord record, Context context, Collector<RowChange> out)
      throws Exception {
    waiting.add(record);
    Long key = context.getCurrentKey();
    if (!key.equals(timed)) {
      context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
      timed = key;
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<RowChange> out)
      throws Exception {
    timed = null;
    List<KeyedRecord> records = new ArrayList<>();
    for (PackedRecord record : waiting.get()) {
      records.add(codec.unpack(record));
    }
    waiting.clear();
    if (areOfOneKey(records)) {
      applier.apply(records, out);
      return;
    }
    Map<RowKey, List<KeyedRecord>> byKey = new TreeMap<>();
    for (KeyedRecord record : records) {
      byKey.computeIfAbsent(record.key(), key -> new ArrayList<>()).add(record);
    }
    byKey.values().forEach(ofOneKey -> applier.apply(ofOneKey, out));
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
