package io.sluice.sequencing;

import io.sluice.history.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.util.Collector;

/**
 * The records of the current key in keyed state, until the end of the key, when the {@link
 * EventApplier} applies them. Different keys may share the bytes that Flink sorts by; they are told
 * apart here.
 */
final class WaitingRecords {

  private final ListState<PackedRecord> waiting;
  private final RecordCodec codec;
  private final EventApplier applier;

  WaitingRecords(RuntimeContext context, TargetLayout layout, SequencerPlan plan) {
    waiting =
        context.getListState(new ListStateDescriptor<>("waiting", PackedRecordSerializer.INSTANCE));
    codec = new RecordCodec(layout.columns().getFieldCount());
    applier = new EventApplier(layout, plan, new SequencerCounters(context, layout.type(), plan));
  }

  void add(PackedRecord record) throws Exception {
    waiting.add(record);
  }

  /** A truncate of this update, told before the first key ends. */
  void truncateAt(byte[] sequence) {
    applier.truncateAt(Sequence.of(sequence));
  }

  void apply(Collector<RowChange> out) throws Exception {
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
