package io.sluice.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells rows that are made anew from those that the table has: when a history is rewritten from a
 * system sequence on, most of its rows come out as they were, and those keep their object.
 */
final class SupersededRows<V> {

  private static final Comparator<Version<?>> ORDER =
      Comparator.<Version<?>, Sequence>comparing(Version::start)
          .thenComparing(Version::systemStart);

  private record Place(Sequence start, Sequence systemStart) {}

  private final Values<V> values;
  private final Map<Place, Version<V>> undone = new HashMap<>(2);
  private final List<BelievedRow<V>> reopened = new ArrayList<>(0);
  private final List<BelievedRow<V>> fresh = new ArrayList<>(4);
  private final List<Version<V>> removed = new ArrayList<>(2);
  private final List<Version<V>> added = new ArrayList<>(4);

  SupersededRows(Values<V> values) {
    this.values = values;
  }

  /** The order of rows in answers. */
  static Comparator<Version<?>> order() {
    return ORDER;
  }

  /** A row of the table that begins in the part that is rewritten. */
  void undo(Version<V> row) {
    undone.put(new Place(row.start(), row.systemStart()), row);
  }

  /** A row of the table that begins before that part and ends in it. */
  void reopen(BelievedRow<V> row) {
    reopened.add(row);
  }

  /** A row that a step made. */
  void opened(BelievedRow<V> row) {
    fresh.add(row);
  }

  /** The form that a row takes as it stops being believed. */
  Version<V> close(BelievedRow<V> row, Sequence systemEnd) {
    return settle(row, systemEnd);
  }

  /** All steps are done: rows that are still believed get their form. */
  void finish() {
    reopened.forEach(this::keep);
    fresh.forEach(this::keep);
    removed.addAll(undone.values());
    removed.sort(ORDER);
    added.sort(ORDER);
  }

  private void keep(BelievedRow<V> row) {
    if (row.believed) {
      row.stored = settle(row, null);
    }
  }

  private Version<V> settle(BelievedRow<V> row, Sequence systemEnd) {
    Version<V> before =
        row.stored != null || undone.isEmpty()
            ? row.stored
            : undone.remove(new Place(row.start, row.systemStart));
    if (before != null && isSame(before, row, systemEnd)) {
      return before;
    }
    if (before != null) {
      removed.add(before);
    }
    Version<V> after = new Version<>(row.start, row.end, row.systemStart, systemEnd, row.values);
    added.add(after);
    return after;
  }

  private boolean isSame(Version<V> before, BelievedRow<V> row, Sequence systemEnd) {
    boolean sameEnd =
        systemEnd == null ? before.isBelieved() : systemEnd.equals(before.systemEnd());
    return sameEnd
        && row.saysSame(before.start(), before.end(), values.complete(before.values()), values);
  }

  /** Rows of the table that are no more; valid once finished. */
  List<Version<V>> removed() {
    return removed;
  }

  /** Rows that the table does not have; valid once finished. */
  List<Version<V>> added() {
    return added;
  }
}
