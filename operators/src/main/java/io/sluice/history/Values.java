package io.sluice.history;

import java.util.BitSet;

/**
 * How the columns of events compare; the core knows nothing else of them. {@code same} implies
 * {@code sameTracked}; both are equivalences and treat NULL as equal to NULL.
 *
 * @param <V> the columns of one event or row, never null here
 */
public interface Values<V> {

  /** Whether all columns are equal. */
  boolean same(V left, V right);

  /** Whether all columns are equal that open a new version (TRACK HISTORY ON, semantics 7). */
  boolean sameTracked(V left, V right);

  /** Any fixed total order with 0 exactly where {@link #same} holds: the last part of a tie. */
  int compareContent(V left, V right);

  /**
   * Whether events may leave columns to earlier ones (partial updates, semantics 8). Only then are
   * the methods below asked. The columns of rows are complete, except those of rows that were
   * written before the table had some of its columns: these they do not author (semantics 0.13).
   */
  default boolean arePartial() {
    return false;
  }

  /** Whether {@link #sameTracked} is {@link #same} for complete columns. */
  default boolean trackAll() {
    return true;
  }

  /** The number of leaves: columns, or fields of structs, that events author one by one. */
  default int leaves() {
    return 0;
  }

  /** The leaves that an event authors; null where it authors all, so that it is complete. */
  default BitSet authored(V event) {
    return null;
  }

  /**
   * The complete columns of an event: what it authors, and for the rest what was before.
   *
   * @param before complete columns; null where there is nothing to inherit, which gives NULL
   */
  default V inherit(V event, V before) {
    return event;
  }

  /** The columns as a row shows them: NULL where they are not authored. */
  default V complete(V columns) {
    return inherit(columns, null);
  }
}
