package io.sluice.sequencing;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.StorageType;
import io.sluice.history.Tie;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.table.data.binary.BinaryRowData;

/** The counters of one sequencer subtask (semantics 0.2, design: metrics per flow and target). */
final class SequencerCounters implements ChangeCounts {

  private final LongCounter inserted = new LongCounter();
  private final LongCounter updated = new LongCounter();
  private final LongCounter deleted = new LongCounter();
  private final LongCounter collected = new LongCounter();
  private final LongCounter afterCollection = new LongCounter();
  private final Map<Integer, LongCounter> late = new HashMap<>();
  private final Map<Integer, LongCounter> ties = new HashMap<>();

  private final StorageType type;
  private final Collection collection;

  SequencerCounters(RuntimeContext context, StorageType type, SequencerPlan plan) {
    this.type = type;
    this.collection = plan.collection();
    context.addAccumulator(UpdateCounters.COLLECTED, collected);
    context.addAccumulator(UpdateCounters.ARRIVED_AFTER_COLLECTION, afterCollection);
    context.addAccumulator(UpdateCounters.INSERTED, inserted);
    context.addAccumulator(UpdateCounters.UPDATED, updated);
    context.addAccumulator(UpdateCounters.DELETED, deleted);
    for (FlowSources flow : plan.sources()) {
      late.put(flow.order(), new LongCounter());
      ties.put(flow.order(), new LongCounter());
      context.addAccumulator(UpdateCounters.lateOf(flow.order()), late.get(flow.order()));
      context.addAccumulator(UpdateCounters.tiesOf(flow.order()), ties.get(flow.order()));
    }
  }

  @Override
  public void count(
      Changes<BinaryRowData> changes,
      Floor floor,
      List<ExistingRow> rows,
      List<Remembered> stored,
      List<Event<BinaryRowData>> events) {
    countRows(changes);
    countAfterCollection(rows, stored, events);
    if (changes.late() > 0) {
      LateEvents.forEach(
          rows, stored, floor, events, event -> late.get(event.origin().flow()).add(1));
    }
    for (Tie<BinaryRowData> tie : changes.tiesResolved()) {
      int fresh = LateEvents.flowOf(tie);
      if (ties.containsKey(fresh)) {
        ties.get(fresh).add(1);
      }
    }
  }

  @Override
  public void collected(int events) {
    collected.add(events);
  }

  /**
   * Events that may have missed something forgotten (semantics 0.5, 0.16). A key of SCD type 1 that
   * still has a row or a tombstone has lost nothing that could matter.
   */
  private void countAfterCollection(
      List<ExistingRow> rows, List<Remembered> stored, List<Event<BinaryRowData>> events) {
    if (type == StorageType.SCD1 && !(rows.isEmpty() && stored.isEmpty())) {
      return;
    }
    for (Event<BinaryRowData> event : events) {
      if (collection.mayHaveForgotten(event.sequence())) {
        afterCollection.add(1);
      }
    }
  }

  /** A row whose identity (key; key and start, key and both starts) is in both is an update. */
  private void countRows(Changes<BinaryRowData> changes) {
    int both =
        switch (type) {
          case SCD1 -> Math.min(changes.removed().size(), changes.added().size());
          case SCD2, BITEMPORAL -> countBoth(changes.removed(), changes.added());
        };
    inserted.add(changes.added().size() - both);
    updated.add(both);
    deleted.add(changes.removed().size() - both);
  }

  private static int countBoth(
      List<Version<BinaryRowData>> removed, List<Version<BinaryRowData>> added) {
    int both = 0;
    int next = 0;
    for (Version<BinaryRowData> row : removed) {
      while (next < added.size() && compareStarts(added.get(next), row) < 0) {
        next++;
      }
      if (next < added.size() && compareStarts(added.get(next), row) == 0) {
        both++;
      }
    }
    return both;
  }

  private static int compareStarts(Version<BinaryRowData> left, Version<BinaryRowData> right) {
    int order = left.start().compareTo(right.start());
    return order != 0 || left.systemStart() == null
        ? order
        : left.systemStart().compareTo(right.systemStart());
  }
}
