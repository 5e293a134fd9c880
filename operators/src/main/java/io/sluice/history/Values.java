package io.sluice.history;

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
}
