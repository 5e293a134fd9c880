package io.sluice.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The oracle: everything is computed anew from all events that ever arrived, straight from the
 * sentences of semantics 0.2, 5.1 and 6.1, without any thought of cost; only results are kept.
 */
final class NaiveHistory {

  private final StorageType type;
  private final TreeMap<Sequence, List<Event<Row>>> groups = new TreeMap<>();
  private final List<Event<Row>> log;
  private final List<Version<Row>> rows;
  private final List<Event<Row>> remembered;

  NaiveHistory(StorageType type, List<Event<Row>> arrived) {
    this.type = type;
    for (Event<Row> event : arrived) {
      groups.computeIfAbsent(event.sequence(), sequence -> new ArrayList<>()).add(event);
    }
    for (List<Event<Row>> group : groups.values()) {
      sorted(group, Row.ORDER);
    }
    this.log = survivors();
    this.rows = type == StorageType.SCD1 ? currentRow() : runs();
    this.remembered = hidden();
  }

  List<Event<Row>> log() {
    return log;
  }

  List<Version<Row>> rows() {
    return rows;
  }

  List<Event<Row>> remembered() {
    return remembered;
  }

  /** Events with one sequence in their total order; sorted in place. */
  static <V> List<Event<V>> sorted(List<Event<V>> group, Comparator<V> order) {
    group.sort(
        Comparator.<Event<V>, Origin>comparing(Event::origin)
            .thenComparing(Event::kind)
            .thenComparing(Event::values, Comparator.nullsFirst(order)));
    return group;
  }

  /** Of events with one sequence the greatest; its origin only where it met other contents. */
  static <V> Event<V> winner(List<Event<V>> group) {
    int first = group.size() - 1;
    while (first > 0 && sameContent(group.get(first - 1), group.get(first))) {
      first--;
    }
    Event<V> winner = group.get(first);
    return first > 0
        ? winner
        : new Event<>(
            winner.sequence(),
            winner.systemSequence(),
            winner.kind(),
            winner.values(),
            Origin.UNKNOWN);
  }

  private static boolean sameContent(Event<?> left, Event<?> right) {
    return left.kind() == right.kind()
        && (left.values() == null || left.values().equals(right.values()));
  }

  /** Meetings of two events at one sequence, in the order of their offsets. */
  int meetings(boolean ofSameContent) {
    int count = 0;
    for (List<Event<Row>> group : groups.values()) {
      for (int i = 1; i < group.size(); i++) {
        count += sameContent(group.get(i - 1), group.get(i)) == ofSameContent ? 1 : 0;
      }
    }
    return count;
  }

  int countBelowNewest(List<Event<Row>> arriving) {
    return groups.isEmpty()
        ? 0
        : (int) arriving.stream().filter(e -> e.sequence().compareTo(groups.lastKey()) < 0).count();
  }

  private List<Event<Row>> survivors() {
    List<Event<Row>> all = groups.values().stream().map(NaiveHistory::winner).toList();
    return type == StorageType.SCD2 || all.isEmpty()
        ? all
        : all.subList(all.size() - 1, all.size());
  }

  private List<Version<Row>> currentRow() {
    Sequence greatestUpsert = null;
    Sequence greatestDelete = null;
    for (Map.Entry<Sequence, List<Event<Row>>> group : groups.entrySet()) {
      if (winner(group.getValue()).isUpsert()) {
        greatestUpsert = group.getKey();
      } else {
        greatestDelete = group.getKey();
      }
    }
    boolean exists =
        greatestUpsert != null
            && (greatestDelete == null || greatestUpsert.compareTo(greatestDelete) > 0);
    return exists
        ? List.of(new Version<>(greatestUpsert, null, winner(groups.get(greatestUpsert)).values()))
        : List.of();
  }

  private List<Version<Row>> runs() {
    List<List<Event<Row>>> stretches = new ArrayList<>();
    Event<Row> previous = null;
    for (Event<Row> event : log) {
      boolean continues =
          previous != null
              && previous.isUpsert()
              && event.isUpsert()
              && previous.values().tracked().equals(event.values().tracked());
      if (!continues) {
        stretches.add(new ArrayList<>());
      }
      stretches.get(stretches.size() - 1).add(event);
      previous = event;
    }
    List<Version<Row>> rows = new ArrayList<>();
    for (int i = 0; i < stretches.size(); i++) {
      List<Event<Row>> run = stretches.get(i);
      if (run.get(0).isUpsert()) {
        Sequence end = i + 1 < stretches.size() ? stretches.get(i + 1).get(0).sequence() : null;
        rows.add(new Version<>(run.get(0).sequence(), end, run.get(run.size() - 1).values()));
      }
    }
    return rows;
  }

  /** The events of the log that a reader of the rows alone would not come up with. */
  private List<Event<Row>> hidden() {
    TreeMap<Sequence, Event<Row>> fromRows = new TreeMap<>();
    for (Version<Row> row : rows) {
      if (type == StorageType.SCD2 && row.end() != null) {
        fromRows.put(row.end(), Event.delete(row.end(), Origin.UNKNOWN));
      }
    }
    for (Version<Row> row : rows) {
      fromRows.put(row.start(), Event.upsert(row.start(), row.values(), Origin.UNKNOWN));
    }
    return log.stream().filter(event -> !event.equals(fromRows.get(event.sequence()))).toList();
  }
}
