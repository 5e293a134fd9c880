package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.Map;
import java.util.TreeMap;

/** The rows of a bitemporal table that are believed at one step; moved on step by step. */
final class ShownRows<V> {

  private final TreeMap<Sequence, Version<V>> rows = new TreeMap<>();

  /** A row is believed from this step on; what is believed with it is not checked. */
  void put(Version<V> row) {
    rows.put(row.start(), row);
  }

  /**
   * A row is believed from this step on.
   *
   * @throws InvalidHistoryException if another one is believed of a part of its interval
   */
  void begin(Version<V> row) throws InvalidHistoryException {
    Map.Entry<Sequence, Version<V>> before = rows.floorEntry(row.start());
    if (before != null && before.getKey().equals(row.start())) {
      throw new InvalidHistoryException(Reason.SAME_START, row, before.getValue());
    }
    if (before != null && before.getValue().endsAfter(row.start())) {
      throw new InvalidHistoryException(Reason.OVERLAP, before.getValue(), row);
    }
    Map.Entry<Sequence, Version<V>> after = rows.higherEntry(row.start());
    if (after != null && row.endsAfter(after.getKey())) {
      throw new InvalidHistoryException(Reason.OVERLAP, row, after.getValue());
    }
    put(row);
  }

  void end(Version<V> row) {
    rows.remove(row.start());
  }

  /** The row with the least start; null if there is none. */
  Version<V> first() {
    return rows.isEmpty() ? null : rows.firstEntry().getValue();
  }

  /** The row whose interval contains a sequence; null if there is none. */
  Version<V> around(Sequence sequence) {
    Map.Entry<Sequence, Version<V>> before = rows.floorEntry(sequence);
    return before != null && before.getValue().endsAfter(sequence) ? before.getValue() : null;
  }

  /** Whether a row ends at a sequence. */
  boolean endAt(Sequence sequence) {
    Map.Entry<Sequence, Version<V>> before = rows.lowerEntry(sequence);
    return before != null && sequence.equals(before.getValue().end());
  }
}
