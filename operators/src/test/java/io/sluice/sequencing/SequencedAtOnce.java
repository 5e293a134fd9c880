package io.sluice.sequencing;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

/** What all events of a continuous job give if a triggered update gets them at once. */
final class SequencedAtOnce {

  /** The rows, sorted. */
  final List<String> rows = new ArrayList<>();

  /** What is in the companion, sorted. */
  final List<String> remembered = new ArrayList<>();

  /**
   * @param sent all events
   */
  SequencedAtOnce(ContinuousCase of, List<NewEvent> sent) {
    SequencerPlan empty = ContinuousCase.plan(List.of(), List.of());
    RowChangeEncoder encoder = new RowChangeEncoder(of.layout, empty);
    EventApplier applier = new EventApplier(of.layout, empty, new Uncounted());
    Map<RowKey, List<KeyedRecord>> byKey = new TreeMap<>();
    sent.forEach(event -> byKey.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event));
    KeyChanges changes =
        new KeyChanges() {
          @Override
          public void insert(RowKey key, Version<BinaryRowData> row) {
            rows.add(text(encoder.insert(row).row(), of.fullColumns()));
          }

          @Override
          public void delete(ExistingRow row) {
            throw new AssertionError(row);
          }

          @Override
          public void remember(RowKey key, Event<BinaryRowData> event) {
            remembered.add(
                text(encoder.remember(key, event, 0, 0).row(), of.layout.companionColumns()));
          }

          @Override
          public void forget(Remembered event) {
            throw new AssertionError(event);
          }
        };
    byKey.forEach((key, events) -> applier.apply(key, events, changes));
    Collections.sort(rows);
    Collections.sort(remembered);
  }

  private static String text(RowData row, RowType type) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      if (ContinuousTables.isCompared(type.getFieldNames().get(i))) {
        Object value = RowData.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row);
        values.put(type.getFieldNames().get(i), String.valueOf(value));
      }
    }
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private static final class Uncounted implements ChangeCounts {

    @Override
    public void count(
        Changes<BinaryRowData> changes,
        Floor floor,
        List<ExistingRow> rows,
        List<Remembered> stored,
        List<Event<BinaryRowData>> events) {}

    @Override
    public void collected(int events) {}
  }
}
