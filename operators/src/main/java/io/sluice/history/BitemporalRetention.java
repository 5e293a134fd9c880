package io.sluice.history;

import java.util.ArrayList;
import java.util.BitSet;
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

  /** All parts are of a whole history, and changed in place. */
  BitemporalRetention(
      Values<V> values, Belief<V> belief, List<Event<V>> log, Map<Sequence, Sequence> hiddenFrom) {
    this.values = values;
    this.belief = belief;
    this.log = log;
    this.hiddenFrom = hiddenFrom;
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
    for (Event<V> counting : List.copyOf(belief.counting())) {
      List<Event<V>> place = places.get(counting.sequence());
      if (place != null) {
        forgotten += forgetRepetitions(place, expired) + forgetOnly(place, expired);
      }
    }
    return forgotten;
  }

  /** Of events that say the same one after the other at one place the first one stays. */
  private int forgetRepetitions(List<Event<V>> place, Predicate<Event<V>> expired) {
    int forgotten = 0;
    for (int at = place.size() - 1; at > 0; at--) {
      Event<V> event = place.get(at);
      Event<V> before = place.get(at - 1);
      if (!saysSame(before, event)) {
        continue;
      }
      boolean last = at == place.size() - 1;
      int order = event.systemSequence().compareTo(hiddenFrom.get(event.sequence()));
      boolean idle = order > 0 || order == 0 && last && isShownSince(event);
      if (idle && expired.test(event)) {
        place.remove(at);
        log.remove(event);
        forgotten++;
        if (last) {
          belief.replace(before);
        }
        if (order == 0) {
          hiddenFrom.remove(event.sequence());
          return forgotten;
        }
      }
    }
    return forgotten;
  }

  private boolean saysSame(Event<V> before, Event<V> event) {
    return before.kind() == event.kind()
        && (!event.isUpsert() || values.same(before.values(), event.values()));
  }

  private boolean isShownSince(Event<V> event) {
    BelievedRow<V> row = belief.showing(event);
    return row != null && row.systemStart.compareTo(event.systemSequence()) <= 0;
  }

  private int forgetOnly(List<Event<V>> place, Predicate<Event<V>> expired) {
    Event<V> event = place.get(0);
    boolean idle =
        place.size() == 1
            && event.systemSequence().equals(hiddenFrom.get(event.sequence()))
            && (event.isUpsert() ? isInsideRun(event) : isBehindDelete(event));
    if (!idle || !expired.test(event)) {
      return 0;
    }
    log.remove(event);
    hiddenFrom.remove(event.sequence());
    belief.drop(event);
    return 1;
  }

  /**
   * Inside a run at every step since it was learned, without a difference to what the run shows.
   * Either it said what was there without it; or the event behind it, which is older, hides what it
   * said. Partial updates: what it wrote, and what that event wrote, was written before it by older
   * ones, so that the comparison of now holds for every step.
   */
  private boolean isInsideRun(Event<V> event) {
    int at = Sorted.firstFrom(belief.counting(), event.sequence());
    List<Event<V>> complete = belief.complete();
    if (at == 0 || at + 1 == complete.size()) {
      return false;
    }
    V columns = complete.get(at).values();
    V before = complete.get(at - 1).values();
    V behind = complete.get(at + 1).values();
    boolean inRun =
        before != null
            && behind != null
            && values.sameTracked(before, columns)
            && values.sameTracked(columns, behind);
    if (!inRun) {
      return false;
    }
    BitSet written = written(event);
    if (values.same(before, columns)) {
      return areOlderBack(at, written);
    }
    Event<V> next = belief.counting().get(at + 1);
    if (written != null) {
      BitSet ofNext = written(next);
      written = ofNext == null ? null : union(written, ofNext);
    }
    return isOlder(next, event)
        && values.same(values.inherit(next.values(), before), behind)
        && areOlderBack(at, written);
  }

  private static BitSet union(BitSet left, BitSet right) {
    BitSet union = (BitSet) left.clone();
    union.or(right);
    return union;
  }

  /** The leaves that an upsert writes; null for all. */
  private BitSet written(Event<V> event) {
    return values.arePartial() ? values.authored(event.values()) : null;
  }

  /**
   * Whether all events before a place are older than the one there, back to where the given leaves
   * are written, or to the begin of the life span; at least the one right before it.
   *
   * @param leaves null for all
   */
  private boolean areOlderBack(int at, BitSet leaves) {
    List<Event<V>> counting = belief.counting();
    BitSet missing = leaves == null ? null : (BitSet) leaves.clone();
    for (int i = at - 1; i >= 0; i--) {
      Event<V> earlier = counting.get(i);
      if (!isOlder(earlier, counting.get(at))) {
        return false;
      }
      BitSet written = earlier.isUpsert() ? written(earlier) : null;
      if (written == null) {
        return true;
      }
      if (missing != null) {
        missing.andNot(written);
        if (missing.isEmpty()) {
          return true;
        }
      }
    }
    return true;
  }

  private boolean isBehindDelete(Event<V> event) {
    int at = Sorted.firstFrom(belief.counting(), event.sequence());
    if (at == 0) {
      return true;
    }
    Event<V> previous = belief.counting().get(at - 1);
    return !previous.isUpsert() && isOlder(previous, event);
  }

  private static boolean isOlder(Event<?> neighbour, Event<?> event) {
    return neighbour.systemSequence().compareTo(event.systemSequence()) <= 0;
  }
}
