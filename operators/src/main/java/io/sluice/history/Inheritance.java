package io.sluice.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Partial updates (semantics 8.2, 8.3): a column that an event does not author has the nearest
 * earlier authored value of the same life span. A delete ends a life span; nothing is inherited
 * across it. Every storage type evaluates its log by what this gives.
 */
final class Inheritance {

  private Inheritance() {}

  /**
   * The columns that hold from each event of a log on: its own and the inherited ones; null for a
   * delete. Without partial events these are the very columns of the events.
   *
   * @param log by sequence
   */
  static <V> ArrayList<V> effective(Values<V> values, List<Event<V>> log) {
    ArrayList<V> effective = new ArrayList<>(log.size());
    V before = null;
    for (Event<V> event : log) {
      before = next(values, before, event);
      effective.add(before);
    }
    return effective;
  }

  /**
   * One step of {@link #effective}.
   *
   * @param before what holds before the event; null at the begin of a life span
   */
  static <V> V next(Values<V> values, V before, Event<V> event) {
    return event.isUpsert() ? values.inherit(event.values(), before) : null;
  }
}
