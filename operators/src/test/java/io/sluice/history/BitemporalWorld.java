package io.sluice.history;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What kind of columns the events of a bitemporal test have.
 *
 * @param values compares them
 * @param order any total order of theirs, the one of ties
 * @param scd2 the oracle: the SCD 2 rows of events with unique sequences, in their order
 * @param tracksAll whether no event differs from another one in untracked columns only
 */
record BitemporalWorld<V>(
    Values<V> values,
    Comparator<V> order,
    Function<List<Event<V>>, List<Version<V>>> scd2,
    Predicate<List<Event<V>>> tracksAll) {

  /** The one untracked content of tests in which all columns count as tracked. */
  static final String UNTRACKED = "1";

  /** Complete events. */
  static BitemporalWorld<Row> ofRows() {
    return new BitemporalWorld<>(
        new RowValues(),
        Row.ORDER,
        events -> new NaiveHistory(StorageType.SCD2, events).rows(),
        events ->
            events.stream()
                .allMatch(e -> !e.isUpsert() || e.values().untracked().equals(UNTRACKED)));
  }

  /** Partial events; all leaves are tracked, or the first one alone. */
  static BitemporalWorld<Sparse> ofSparse(boolean trackAll) {
    Sparse.Order values = new Sparse.Order(trackAll);
    return new BitemporalWorld<>(
        values,
        values::compareContent,
        events -> new NaivePartialHistory(events, Sequence.LOWEST).versions(trackAll),
        events -> trackAll);
  }

  NaiveBitemporal<V> naive(List<Event<V>> arrived) {
    return new NaiveBitemporal<>(this, arrived);
  }

  /** The history that is read back from what a history writes. */
  History<V> roundTrip(History<V> history) {
    return recover(history.versions(), history.remembered());
  }

  History<V> recover(List<Version<V>> rows, List<Event<V>> remembered) {
    try {
      return History.recover(StorageType.BITEMPORAL, values, rows, remembered);
    } catch (InvalidHistoryException e) {
      throw new AssertionError(e);
    }
  }
}
