package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rows of an SCD 2 key, checked, and the events that they show: an upsert per start, a delete
 * at each end where no row starts.
 */
record RowLog<V>(Values<V> values, ArrayList<Version<V>> rows, ArrayList<Event<V>> events) {

  static <V> RowLog<V> of(Values<V> values, List<Version<V>> rows) throws InvalidHistoryException {
    ArrayList<Version<V>> sorted = new ArrayList<>(rows);
    for (Version<V> row : sorted) {
      checkInterval(row);
    }
    if (sorted.size() > 1) {
      sorted.sort(Comparator.comparing(Version::start));
    }
    ArrayList<Event<V>> events = new ArrayList<>(sorted.size() + 1);
    for (int i = 0; i < sorted.size(); i++) {
      Version<V> row = sorted.get(i);
      Version<V> next = i + 1 < sorted.size() ? sorted.get(i + 1) : null;
      if (next != null) {
        checkNeighbours(row, next);
      }
      events.add(Event.upsert(row.start(), row.values(), Origin.UNKNOWN));
      if (!row.isOpen() && (next == null || !next.startsAt(row.end()))) {
        events.add(Event.delete(row.end(), Origin.UNKNOWN));
      }
    }
    return new RowLog<>(values, sorted, events);
  }

  private static void checkInterval(Version<?> row) throws InvalidHistoryException {
    if (row.start() == null) {
      throw new InvalidHistoryException(Reason.NULL_START, row, null);
    }
    if (!row.endsAfter(row.start())) {
      throw new InvalidHistoryException(Reason.EMPTY_INTERVAL, row, null);
    }
  }

  private static void checkNeighbours(Version<?> row, Version<?> next)
      throws InvalidHistoryException {
    if (next.startsAt(row.start())) {
      throw new InvalidHistoryException(Reason.SAME_START, row, next);
    }
    if (row.endsAfter(next.start())) {
      throw new InvalidHistoryException(Reason.OVERLAP, row, next);
    }
  }

  /** The events of the rows with the remembered ones among them, or in their place. */
  ArrayList<Event<V>> overlay(List<Event<V>> remembered) {
    List<Event<V>> sorted = new ArrayList<>(remembered);
    sorted.sort(Comparator.comparing(Event::sequence));
    ArrayList<Event<V>> overlaid = new ArrayList<>(events.size() + sorted.size());
    int next = 0;
    for (Event<V> event : sorted) {
      while (next < events.size() && events.get(next).sequence().compareTo(event.sequence()) < 0) {
        overlaid.add(events.get(next++));
      }
      if (next < events.size() && events.get(next).sequence().equals(event.sequence())) {
        next++;
      }
      int last = overlaid.size() - 1;
      if (last >= 0 && overlaid.get(last).sequence().equals(event.sequence())) {
        overlaid.set(last, event); // a log has one event per sequence, whatever was stored
      } else {
        overlaid.add(event);
      }
    }
    overlaid.addAll(events.subList(next, events.size()));
    return overlaid;
  }

  /** The events of the rows, which author all their columns. */
  ArrayList<Event<V>> completeEvents() {
    ArrayList<Event<V>> complete = new ArrayList<>(events.size());
    for (Event<V> event : events) {
      complete.add(
          event.isUpsert()
              ? Event.upsert(event.sequence(), values.complete(event.values()), event.origin())
              : event);
    }
    return complete;
  }

  /** Whether a row was written before the table had all of its columns (semantics 0.13). */
  boolean hasPartialRows() {
    return values.arePartial()
        && rows.stream().anyMatch(row -> values.authored(row.values()) != null);
  }

  /**
   * The complete columns from each event of a log on. Where the log begins inside a row with a
   * partial event, what it inherits lies before it; the row has it, if all columns are tracked.
   */
  ArrayList<V> effective(List<Event<V>> log) {
    ArrayList<V> effective = new ArrayList<>(log.size());
    V before = null;
    for (Event<V> event : log) {
      boolean first =
          effective.isEmpty()
              && event.isUpsert()
              && values.trackAll()
              && values.authored(event.values()) != null;
      before = first ? firstOfRow(event) : Inheritance.next(values, before, event);
      effective.add(before);
    }
    return effective;
  }

  private V firstOfRow(Event<V> event) {
    RowCursor<V> cursor = new RowCursor<>(rows);
    cursor.moveTo(event.sequence());
    return cursor.isInside(event.sequence())
        ? values.complete(cursor.row().values())
        : values.complete(event.values());
  }

  /**
   * Whether the rows follow from a log that has an event at each of their bounds: inside a row only
   * upserts that agree with it, the last one in all columns; outside only deletes.
   */
  boolean followFrom(List<Event<V>> log, List<V> effective) {
    RowCursor<V> cursor = new RowCursor<>(rows);
    for (int i = 0; i < log.size(); i++) {
      Event<V> event = log.get(i);
      cursor.moveTo(event.sequence());
      boolean inside = cursor.isInside(event.sequence());
      if (inside != event.isUpsert()) {
        return false;
      }
      if (inside) {
        boolean last = i + 1 == log.size() || !cursor.row().endsAfter(log.get(i + 1).sequence());
        V expected = values.complete(cursor.row().values());
        V columns = effective == null ? event.values() : effective.get(i);
        boolean agrees =
            last ? values.same(expected, columns) : values.sameTracked(expected, columns);
        if (!agrees) {
          return false;
        }
      }
    }
    return true;
  }
}
