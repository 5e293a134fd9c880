package io.sluice.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The events of one call in the total order of semantics 0.2, consumed position by position, and
 * the counts of what became of them. A position is a sequence; in a bitemporal history a pair of
 * system sequence and sequence.
 */
final class Batch<V> {

  private final Values<V> values;
  private final Comparator<Event<V>> positions;
  private final List<Event<V>> sorted;
  private final int late;
  private int next;
  private int duplicates;
  private List<Tie<V>> ties = List.of();

  /**
   * @param newest the greatest sequence that the key has so far; null if it has none
   */
  Batch(Values<V> values, List<Event<V>> events, Sequence newest) {
    this(
        values,
        events,
        (left, right) -> left.sequence().compareTo(right.sequence()),
        event -> newest != null && event.sequence().compareTo(newest) < 0);
  }

  /**
   * @param positions the order of the positions
   * @param isLate whether an event is older than what the key has so far
   */
  Batch(
      Values<V> values,
      List<Event<V>> events,
      Comparator<Event<V>> positions,
      Predicate<Event<V>> isLate) {
    this.values = values;
    this.positions = positions;
    this.sorted = new ArrayList<>(events);
    if (sorted.size() > 1) {
      sorted.sort(this::compare);
    }
    this.late = count(sorted, isLate);
  }

  private static <V> int count(List<Event<V>> events, Predicate<Event<V>> condition) {
    int count = 0;
    for (Event<V> event : events) {
      count += condition.test(event) ? 1 : 0;
    }
    return count;
  }

  boolean hasNext() {
    return next < sorted.size();
  }

  int remaining() {
    return sorted.size() - next;
  }

  /** The sequence of the next events. */
  Sequence sequence() {
    return sorted.get(next).sequence();
  }

  /** The system sequence of the next events. */
  Sequence systemSequence() {
    return sorted.get(next).systemSequence();
  }

  /**
   * Consumes all events of the next position and returns the one that stays there: the holder
   * itself where nothing changes. The others meet the holder one after the other in their order, so
   * that the result is the same when they come in several batches. Only the winner of a tie keeps
   * its origin: it must still beat the losers when they are sent again, while any other origin
   * would be lost on the way through the table anyway.
   *
   * @param holder the event of the log at that position, or null
   */
  Event<V> settle(Event<V> holder) {
    Event<V> first = sorted.get(next);
    Event<V> winner = holder;
    boolean contested = false;
    do {
      Event<V> event = sorted.get(next++);
      if (winner == null) {
        winner = event;
      } else if (sameContent(winner, event)) {
        duplicates++;
      } else {
        contested = true;
        boolean wins = compareAtOneSequence(event, winner) > 0;
        addTie(wins ? new Tie<>(event, winner) : new Tie<>(winner, event));
        winner = wins ? event : winner;
      }
    } while (hasNext() && positions.compare(sorted.get(next), first) == 0);
    return winner == holder || contested ? winner : winner.withoutOrigin();
  }

  /** Everything is consumed: what the call did. */
  Changes<V> changes(List<Version<V>> removed, List<Version<V>> added) {
    return new Changes<>(removed, added, late, duplicates, ties);
  }

  private void addTie(Tie<V> tie) {
    if (ties.isEmpty()) {
      ties = new ArrayList<>(2);
    }
    ties.add(tie);
  }

  private boolean sameContent(Event<V> left, Event<V> right) {
    return left.kind() == right.kind()
        && (left.kind() == Kind.DELETE || values.same(left.values(), right.values()));
  }

  private int compare(Event<V> left, Event<V> right) {
    int order = positions.compare(left, right);
    return order != 0 ? order : compareAtOneSequence(left, right);
  }

  private int compareAtOneSequence(Event<V> left, Event<V> right) {
    int order = left.origin().compareTo(right.origin());
    if (order == 0) {
      order = left.kind().compareTo(right.kind());
    }
    return order != 0 || left.kind() == Kind.DELETE
        ? order
        : values.compareContent(left.values(), right.values());
  }
}
