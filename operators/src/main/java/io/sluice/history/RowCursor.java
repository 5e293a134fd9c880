package io.sluice.history;

import java.util.List;

/** Walks the rows of a key beside its log. */
final class RowCursor<V> {

  private final List<Version<V>> rows;
  private int current = -1;
  private boolean atStart;

  RowCursor(List<Version<V>> rows) {
    this.rows = rows;
  }

  /**
   * Moves on to the last row that starts at or before a sequence of the log.
   *
   * @return whether a row start or row end shows that sequence
   */
  boolean moveTo(Sequence sequence) {
    atStart = current + 1 < rows.size() && rows.get(current + 1).startsAt(sequence);
    if (atStart) {
      current++;
      return true;
    }
    return current >= 0 && sequence.equals(rows.get(current).end());
  }

  /** Whether the row shows exactly this event at the place that was moved to. */
  boolean gives(Event<V> event, Values<V> values) {
    return !atStart || values.same(row().values(), event.values());
  }

  /** The row that was moved to. */
  Version<V> row() {
    return rows.get(current);
  }

  boolean isInside(Sequence sequence) {
    return current >= 0 && row().endsAfter(sequence);
  }
}
