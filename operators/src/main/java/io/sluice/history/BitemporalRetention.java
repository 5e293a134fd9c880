package io.sluice.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Finds the events of a bitemporal key that have changed no belief since they were learned, so that
 * the rows are the same without them (semantics 0.16): upserts inside a run, deletes behind a
 * delete, and repetitions of what counted already. What an event has for neighbours now was next to
 * it at every step since both were learned, since nothing ever stops counting at its sequence.
 */
final class BitemporalRetention<V> {

  private final Values<V> values;
  private final Belief<V> belief;
  private final List<Event<V>> log;
  private final Map<Sequence, Sequence> hiddenFrom;

  private final boolean whole;

  /**
   * All parts are changed in place.
   *
   * @param whole whether nothing before the first event is left out
   */
  BitemporalRetention(
      Values<V> values,
      Belief<V> belief,
      List<Event<V>> log,
      Map<Sequence, Sequence> hiddenFrom,
      boolean whole) {
    this.values = values;
    this.belief = belief;
    this.log = log;
    this.hiddenFrom = hiddenFrom;
    this.whole = whole;
  }

  int forget(Predicate<Event<V>> expired) {
    if (hiddenFrom.isEmpty()) {
      return 0;
    }
    Map<Sequence, List<Event<V>>> places = new HashMap<>();
    for (Event<V> event : log) {
      if (hiddenFrom.containsKey(event.sequence())) {
        places.computeIfAbsent(event.sequence(), at -> new ArrayList<>(1)).add(event);
      }
    }
    int forgotten = 0;
    for (Event<V> event : List.copyOf(belief.counting())) {
      List<Event<V>> place = places.get(event.sequence());
      boolean learned = event.systemSequence().compareTo(Sequence.LOWEST) > 0;
      if (place != null && learned && isIdle(event, place) && expired.test(event)) {
        log.remove(event);
        hiddenFrom.remove(event.sequence());
        forgotten++;
        if (place.size() == 1) {
          belief.drop(event);
        } else {
          belief.replace(place.get(place.size() - 2));
        }
      }
    }
    return forgotten;
  }

  private boolean isIdle(Event<V> event, List<Event<V>> place) {
    Sequence first = hiddenFrom.get(event.sequence());
    if (!first.equals(event.systemSequence())) {
      return false;
    }
    if (place.size() > 1) {
      return repeats(event, place.get(place.size() - 2));
    }
    return event.isUpsert() ? isInsideRun(event) : isBehindDelete(event);
  }

  /** The same counted there before, and one row has shown it since. */
  private boolean repeats(Event<V> event, Event<V> before) {
    boolean same =
        before.kind() == event.kind()
            && (!event.isUpsert() || values.same(before.values(), event.values()));
    BelievedRow<V> row = same ? belief.showing(event) : null;
    return row != null && row.systemStart.compareTo(event.systemSequence()) <= 0;
  }

  /**
   * Inside a run whose part before it is older; the part behind it is older too, or without the
   * event the run had the same last values.
   */
  private boolean isInsideRun(Event<V> event) {
    Event<V> previous = belief.previous(event.sequence());
    Event<V> next = belief.next(event.sequence());
    return isOfRun(previous, event)
        && isOfRun(next, event)
        && isOlder(previous, event)
        && (isOlder(next, event) || values.same(previous.values(), event.values()));
  }

  private boolean isOfRun(Event<V> neighbour, Event<V> event) {
    return neighbour != null
        && neighbour.isUpsert()
        && values.sameTracked(neighbour.values(), event.values());
  }

  private boolean isBehindDelete(Event<V> event) {
    Event<V> previous = belief.previous(event.sequence());
    return previous == null ? whole : !previous.isUpsert() && isOlder(previous, event);
  }

  private boolean isOlder(Event<V> neighbour, Event<V> event) {
    return countsSince(neighbour).compareTo(event.systemSequence()) <= 0;
  }

  /** A step at which an event counted already. */
  private Sequence countsSince(Event<V> event) {
    if (event.systemSequence().compareTo(Sequence.LOWEST) > 0) {
      return event.systemSequence();
    }
    Sequence hidden = hiddenFrom.get(event.sequence());
    return hidden != null ? hidden : belief.showing(event).systemStart;
  }
}
