package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.TimestampedCollector;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.MutableObjectIterator;

/**
 * The sequencer of bounded jobs. Its input is partitioned by {@link PackedRecord#sortKey}; it sorts
 * what it gets, in managed memory and beyond it on disk, and applies the events key by key ({@link
 * EventApplier}), so that one key is in memory at a time. Flink's own sort of keyed inputs does the
 * same at twice the cost.
 */
public final class Sequencer extends AbstractStreamOperator<RowChange>
    implements OneInputStreamOperator<PackedRecord, RowChange>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private final SequencerPlan plan;

  private transient EventApplier applier;
  private transient RecordSorter sorter;

  public Sequencer(TargetLayout layout, SequencerPlan plan) {
    this.layout = layout;
    this.plan = plan;
  }

  @Override
  public void open() throws Exception {
    super.open();
    applier =
        new EventApplier(
            layout, plan, new SequencerCounters(getRuntimeContext(), layout.type(), plan));
    Environment environment = getContainingTask().getEnvironment();
    double memory =
        getOperatorConfig()
            .getManagedMemoryFractionOperatorUseCaseOfSlot(
                ManagedMemoryUseCase.OPERATOR,
                environment.getJobConfiguration(),
                environment.getTaskManagerInfo().getConfiguration(),
                getUserCodeClassloader());
    sorter = new RecordSorter(getContainingTask(), memory);
  }

  @Override
  public void processElement(StreamRecord<PackedRecord> element) throws Exception {
    sorter.add(element.getValue());
  }

  @Override
  public void endInput() throws Exception {
    RecordCodec codec = new RecordCodec(layout.columns().getFieldCount());
    TimestampedCollector<RowChange> out = new TimestampedCollector<>(output);
    MutableObjectIterator<PackedRecord> sorted = sorter.sorted();
    List<KeyedRecord> sameKey = new ArrayList<>();
    PackedRecord next = sorted.next();
    while (next != null) {
      long key = next.sortKey();
      do {
        sameKey.add(codec.unpack(next));
        next = sorted.next();
      } while (next != null && next.sortKey() == key);
      apply(sameKey, out);
      sameKey.clear();
      if (getContainingTask().isCanceled()) {
        throw new CancelTaskException();
      }
    }
  }

  /** Long keys may share a sort key. */
  private void apply(List<KeyedRecord> records, TimestampedCollector<RowChange> out) {
    RowKey first = records.get(0).key();
    if (records.stream().allMatch(record -> record.key().equals(first))) {
      applier.apply(records, out);
      return;
    }
    Map<RowKey, List<KeyedRecord>> byKey = new TreeMap<>();
    for (KeyedRecord record : records) {
      byKey.computeIfAbsent(record.key(), key -> new ArrayList<>()).add(record);
    }
    byKey.values().forEach(ofOneKey -> applier.apply(ofOneKey, out));
  }

  @Override
  public void close() throws Exception {
    if (sorter != null) {
      sorter.close();
    }
    super.close();
  }
}
