package io.sluice.history;

/**
 * A row of the belief of one step. What it says never changes; when it stops being believed is
 * open.
 */
final class BelievedRow<V> {

  final Sequence start;
  final Sequence end;
  final V values;
  final Sequence systemStart;

  /** The row as the table has it, with the system end that it has there; null if it has none. */
  Version<V> stored;

  /** Whether it is still part of the belief. */
  boolean believed = true;

  BelievedRow(Sequence start, Sequence end, V values, Sequence systemStart) {
    this.start = start;
    this.end = end;
    this.values = values;
    this.systemStart = systemStart;
  }

  static <V> BelievedRow<V> of(Version<V> stored, Values<V> values) {
    BelievedRow<V> row =
        new BelievedRow<>(
            stored.start(), stored.end(), values.complete(stored.values()), stored.systemStart());
    row.stored = stored;
    return row;
  }

  boolean saysSame(Sequence otherStart, Sequence otherEnd, V otherValues, Values<V> equality) {
    return start.equals(otherStart)
        && (end == null ? otherEnd == null : end.equals(otherEnd))
        && (values == otherValues || equality.same(values, otherValues));
  }

  /** Whether a sequence that is not before the start lies in the interval or at its end. */
  boolean reaches(Sequence sequence) {
    return end == null || sequence.compareTo(end) <= 0;
  }
}
