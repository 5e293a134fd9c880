package io.sluice.history;

import java.util.List;
import java.util.TreeMap;

/**
 * What a bitemporal history that was read back in part knows of the business time before its part:
 * at each step the head of the row that reaches into the part, which no event of the part changes,
 * and the remembered events.
 *
 * @param at the least sequence of the part; {@link Sequence#LOWEST} if the history is whole
 * @param heads the heads by the step at which they change; a null value where no row reaches in
 * @param remembered what is remembered before the part, by sequence and system sequence
 */
record LeftEdge<V>(Sequence at, TreeMap<Sequence, Event<V>> heads, List<Event<V>> remembered) {

  /** The edge of a whole history: nothing lies before it. */
  static <V> LeftEdge<V> none() {
    return new LeftEdge<>(Sequence.LOWEST, new TreeMap<>(), List.of());
  }

  boolean isNone() {
    return at.equals(Sequence.LOWEST);
  }

  /** Whether a sequence lies before the part. */
  boolean hides(Sequence sequence) {
    return sequence.compareTo(at) < 0;
  }

  /** The head before a step; null if there is none. */
  Event<V> headBefore(Sequence step) {
    var entry = heads.lowerEntry(step);
    return entry == null ? null : entry.getValue();
  }

  /** The next step from one on at which the head changes; null if there is none. */
  Sequence nextChange(Sequence from) {
    return heads.ceilingKey(from);
  }

  /** The next step behind one at which the head changes; null if there is none. */
  Sequence changeBehind(Sequence step) {
    return heads.higherKey(step);
  }
}
