package io.sluice.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is believed of a key at one system time: per sequence the event that counts there, and the
 * SCD 2 rows that follow (semantics 6.1, 10.2). It moves on step by step, a step being all events
 * with one system sequence.
 *
 * <p>An event changes only rows that contain its sequence, end there, start there, or start at the
 * next event; nothing else is looked at. With partial updates it counts by its complete columns
 * (semantics 8.3); if those change, the events behind it that inherit from it count anew in the
 * same step, down to the first one whose columns stay.
 */
final class Belief<V> {

  private final Values<V> values;
  private final ArrayList<Event<V>> counting;

  /** The same events with complete columns; the very same list where no event is partial. */
  private final ArrayList<Event<V>> complete;

  private final ArrayList<BelievedRow<V>> rows;
  private final List<BelievedRow<V>> opened = new ArrayList<>(4);
  private final Map<Sequence, BelievedRow<V>> closed = new LinkedHashMap<>();
  private Sequence step;

  /**
   * @param counting the events that count, by sequence
   * @param rows the rows that follow from them, by start
   */
  Belief(Values<V> values, ArrayList<Event<V>> counting, ArrayList<BelievedRow<V>> rows) {
    this.values = values;
    this.counting = counting;
    this.complete = values.arePartial() ? new ArrayList<>(counting.size()) : counting;
    this.rows = rows;
    for (int i = 0; values.arePartial() && i < counting.size(); i++) {
      complete.add(completed(i));
    }
  }

  private Event<V> completed(int at) {
    Event<V> event = counting.get(at);
    V before = at == 0 ? null : complete.get(at - 1).values();
    V columns = Inheritance.next(values, before, event);
    return columns == event.values() ? event : event.with(columns);
  }

  /** The events that count, by sequence. */
  List<Event<V>> counting() {
    return counting;
  }

  /** They with complete columns. */
  List<Event<V>> complete() {
    return complete;
  }

  List<BelievedRow<V>> rows() {
    return rows;
  }

  /** The event that counts at a sequence, or null. */
  Event<V> at(Sequence sequence) {
    int found = Sorted.firstFrom(counting, sequence);
    boolean exists = found < counting.size() && counting.get(found).sequence().equals(sequence);
    return exists ? counting.get(found) : null;
  }

  /** Whether a row shows an event that counts: its start and its very values, or its end. */
  boolean shows(Event<V> event) {
    return showing(event) != null;
  }

  /** The row that shows an event that counts, or null. */
  BelievedRow<V> showing(Event<V> event) {
    int found = lastRowUpTo(event.sequence());
    if (found < 0) {
      return null;
    }
    BelievedRow<V> row = rows.get(found);
    boolean shown =
        event.isUpsert()
            ? row.start.equals(event.sequence())
                && (row.values == event.values() || values.same(row.values, event.values()))
            : event.sequence().equals(row.end);
    return shown ? row : null;
  }

  void begin(Sequence next) {
    step = next;
    opened.clear();
    closed.clear();
  }

  /** The rows that the step made, as long as they are believed. */
  List<BelievedRow<V>> opened() {
    return opened;
  }

  /** The rows that the step ended. */
  Collection<BelievedRow<V>> closed() {
    return closed.values();
  }

  /**
   * Lets an event count from this step on.
   *
   * @return false if the same counted at its sequence before
   */
  boolean put(Event<V> event) {
    int at = Sorted.firstFrom(counting, event.sequence());
    boolean exists = at < counting.size() && counting.get(at).sequence().equals(event.sequence());
    if (exists) {
      Event<V> before = counting.set(at, event);
      if (before.kind() == event.kind()
          && (!event.isUpsert() || values.same(before.values(), event.values()))) {
        return false;
      }
    } else {
      counting.add(at, event);
    }
    if (values.arePartial()) {
      complete.add(at, completed(at));
      if (exists) {
        complete.remove(at + 1);
      }
    }
    evaluateAround(at);
    inheritFrom(at + 1);
    return true;
  }

  /** Lets what an event inherits count anew from a place on, as far as it changes. */
  private void inheritFrom(int first) {
    for (int at = first; values.arePartial() && at < counting.size(); at++) {
      Event<V> before = complete.get(at);
      Event<V> after = completed(at);
      if (!after.isUpsert() || values.same(before.values(), after.values())) {
        return;
      }
      complete.set(at, after);
      evaluateAround(at);
    }
  }

  /**
   * The events that count inside an interval, its bounds left out.
   *
   * @param end null for an open interval
   */
  List<Event<V>> between(Sequence start, Sequence end) {
    int first = Sorted.firstFrom(counting, start);
    first += first < counting.size() && counting.get(first).sequence().equals(start) ? 1 : 0;
    int last = end == null ? counting.size() : Sorted.firstFrom(counting, end);
    return counting.subList(first, Math.max(first, last));
  }

  /** Takes an event out that changes no row, nor what another one inherits. */
  void drop(Event<V> event) {
    int at = Sorted.firstFrom(counting, event.sequence());
    counting.remove(at);
    if (values.arePartial()) {
      complete.remove(at);
    }
  }

  /** Puts an event in the place of one that says the same. */
  void replace(Event<V> event) {
    counting.set(Sorted.firstFrom(counting, event.sequence()), event);
  }

  /** Lets at most one event count below a sequence: the head of the run that reaches it. */
  void setHead(Event<V> head, Sequence below) {
    Event<V> first = counting.isEmpty() ? null : counting.get(0);
    boolean isHead = first != null && first.sequence().compareTo(below) < 0;
    if (isHead && (head == null || !head.sequence().equals(first.sequence()))) {
      drop(first);
      evaluateAround(first.sequence(), null, 0);
      inheritFrom(0);
    }
    if (head != null) {
      put(head);
    }
  }

  private void evaluateAround(int at) {
    Event<V> event = complete.get(at);
    evaluateAround(event.sequence(), event, at);
  }

  /**
   * @param event what counts at the sequence now, complete; null if nothing does any more
   * @param at its place, or that of the next event
   */
  private void evaluateAround(Sequence sequence, Event<V> event, int at) {
    Event<V> before = at > 0 ? complete.get(at - 1) : null;
    int behind = event == null ? at : at + 1;
    Event<V> after = behind < complete.size() ? complete.get(behind) : null;
    int last = lastRowUpTo(sequence);
    int from = last;
    if (from > 0 && rows.get(from).start.equals(sequence)) {
      from -= rows.get(from - 1).reaches(sequence) ? 1 : 0;
    } else if (from >= 0 && !rows.get(from).reaches(sequence)) {
      from++;
    }
    from = Math.max(from, 0);
    int to = last + 1;
    if (after != null && to < rows.size() && rows.get(to).start.equals(after.sequence())) {
      to++;
    }
    replace(from, to, segments(from, event, before, after));
  }

  /** The rows around an event: of the run before it, its own, and the run of the next event. */
  private List<BelievedRow<V>> segments(int from, Event<V> event, Event<V> before, Event<V> after) {
    List<BelievedRow<V>> made = new ArrayList<>(3);
    Sequence start = null;
    V last = null;
    if (before != null && before.isUpsert()) {
      start = rows.get(from).start;
      last = before.values();
    }
    if (event != null) {
      boolean joins = start != null && event.isUpsert() && values.sameTracked(last, event.values());
      if (!joins) {
        if (start != null) {
          made.add(new BelievedRow<>(start, event.sequence(), last, step));
        }
        start = event.isUpsert() ? event.sequence() : null;
      }
      last = event.values();
    }
    if (after == null || !after.isUpsert()) {
      if (start != null) {
        made.add(new BelievedRow<>(start, after == null ? null : after.sequence(), last, step));
      }
      return made;
    }
    BelievedRow<V> next = rows.get(lastRowUpTo(after.sequence()));
    if (start != null && !values.sameTracked(last, after.values())) {
      made.add(new BelievedRow<>(start, after.sequence(), last, step));
      start = null;
    }
    Sequence begin = start == null ? after.sequence() : start;
    made.add(new BelievedRow<>(begin, next.end, next.values, step));
    return made;
  }

  private void replace(int from, int to, List<BelievedRow<V>> made) {
    List<BelievedRow<V>> old = rows.subList(from, to);
    int next = 0;
    for (int i = 0; i < made.size(); i++) {
      BelievedRow<V> row = made.get(i);
      while (next < old.size() && old.get(next).start.compareTo(row.start) < 0) {
        close(old.get(next++));
      }
      BelievedRow<V> same = next < old.size() ? old.get(next) : null;
      if (same != null && row.saysSame(same.start, same.end, same.values, values)) {
        made.set(i, same);
        next++;
      } else {
        if (same != null && same.start.equals(row.start)) {
          close(same);
          next++;
        }
        made.set(i, open(row));
      }
    }
    while (next < old.size()) {
      close(old.get(next++));
    }
    if (to == rows.size() && from == to - 1 && !made.isEmpty()) {
      rows.set(from, made.get(0));
      rows.addAll(made.subList(1, made.size()));
    } else {
      old.clear();
      rows.addAll(from, made);
    }
  }

  private void close(BelievedRow<V> row) {
    row.believed = false;
    if (!row.systemStart.equals(step)) {
      closed.put(row.start, row);
    }
  }

  /** A row that an earlier event of the step has ended is the same row again. */
  private BelievedRow<V> open(BelievedRow<V> row) {
    BelievedRow<V> ended = closed.get(row.start);
    if (ended != null && row.saysSame(ended.start, ended.end, ended.values, values)) {
      closed.remove(row.start);
      ended.believed = true;
      return ended;
    }
    opened.add(row);
    return row;
  }

  private int lastRowUpTo(Sequence sequence) {
    int low = 0;
    int high = rows.size();
    if (high > 0 && rows.get(high - 1).start.compareTo(sequence) <= 0) {
      return high - 1;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows.get(middle).start.compareTo(sequence) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}
