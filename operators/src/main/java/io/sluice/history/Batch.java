package io.sluice.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The events of one call in the total order of semantics 0.2, consumed sequence by sequence, and
 * the counts of what became of them.
 */
final class Batch<V> {

  private final Values<V> values;
  private final List<Event<V>> sorted;
  private final int late;
  private int next;
  private int duplicates;
  private List<Tie<V>> ties = List.of();

  /**
   * @param newest the greatest sequence that the key has so far; null if it has none
   */
  Batch(Values<V> values, List<Event<V>> events, Sequence newest) {
    this.values = values;
    this.sorted = new ArrayList<>(events);
    if (sorted.size() > 1) {
      sorted.sort(this::compare);
    }
    this.late = newest == null ? 0 : countBefore(newest);
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

  /**
   * Consumes all events of the next sequence and returns the one that stays there: the holder
   * itself where nothing changes. The others meet the holder one after the other in their order, so
   * that the result is the same when they come in several batches. Only the winner of a tie keeps
   * its origin: it must still beat the losers when they are sent again, while any other origin
   * would be lost on the way through the table anyway.
   *
   * @param holder the event of the log at that sequence, or null
   */
  Event<V> settle(Event<V> holder) {
    Sequence sequence = sequence();
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
    } while (hasNext() && sequence().equals(sequence));
    return winner == holder || contested ? winner : winner.withoutOrigin();
  }

  /** Everything is consumed: what the call did. */
  Changes<V> changes(List<Version<V>> removed, List<Version<V>> added) {
    return new Changes<>(removed, added, late, duplicates, ties);
  }

  private int countBefore(Sequence newest) {
    int count = 0;
    while (count < sorted.size() && sorted.get(count).sequence().compareTo(newest) < 0) {
      count++;
    }
    return count;
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
    int order = left.sequence().compareTo(right.sequence());
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
