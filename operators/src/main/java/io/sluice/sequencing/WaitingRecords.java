package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.util.Collector;

/**
 * The records of the current key in keyed state, until the end of the key, when the {@link
 * KeyApplier} applies them. Different keys may share the bytes that Flink sorts by; they are told
 * apart here.
 *
 * @param <O> what the applier emits
 */
final class WaitingRecords<O> {

  private final ListState<PackedRecord> waiting;
  private final RecordCodec codec;
  private final KeyApplier<O> applier;

  /** The last key that got its timer; null if that may have fired. */
  private Long timed;

  WaitingRecords(RuntimeContext context, TargetLayout layout, KeyApplier<O> applier) {
    waiting =
        context.getListState(new ListStateDescriptor<>("waiting", PackedRecordSerializer.INSTANCE));
    codec = new RecordCodec(layout.valueColumns().getFieldCount());
    this.applier = applier;
  }

  /** Keeps a record of the current key, whose timer fires at the end of the key. */
  void add(PackedRecord record, Long key, TimerService timers) throws Exception {
    waiting.add(record);
    if (!key.equals(timed)) {
      timers.registerEventTimeTimer(Long.MAX_VALUE);
      timed = key;
    }
  }

  /** Applies what has come of the current key; its timer has fired. */
  void apply(Collector<O> out) throws Exception {
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
