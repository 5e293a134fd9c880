package io.sluice.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The oracle of bitemporal histories: for every system time the belief is computed anew, as SCD 2
 * history of the events that count then, straight from the sentences of semantics 10.2.
 */
final class NaiveBitemporal {

  private record Place(Sequence sequence, Sequence system) {}

  private final List<Event<Row>> log = new ArrayList<>();
  private final TreeSet<Sequence> steps = new TreeSet<>();
  private final TreeMap<Sequence, List<Version<Row>>> beliefs = new TreeMap<>();
  private final List<Version<Row>> rows = new ArrayList<>();
  private final List<Event<Row>> remembered;

  NaiveBitemporal(List<Event<Row>> arrived) {
    Map<Place, List<Event<Row>>> groups = new HashMap<>();
    for (Event<Row> event : arrived) {
      groups
          .computeIfAbsent(
              new Place(event.sequence(), event.systemSequence()), at -> new ArrayList<>())
          .add(event);
      steps.add(event.systemSequence());
    }
    groups.values().forEach(group -> log.add(NaiveHistory.winner(NaiveHistory.sorted(group))));
    log.sort(
        Comparator.<Event<Row>, Sequence>comparing(Event::systemSequence)
            .thenComparing(Event::sequence));
    for (Sequence step : steps) {
      beliefs.put(step, belief(step));
    }
    collectRows();
    this.remembered = hidden();
  }

  List<Event<Row>> log() {
    return log;
  }

  /** By start and system start. */
  List<Version<Row>> rows() {
    return rows;
  }

  List<Event<Row>> remembered() {
    return remembered;
  }

  /** SCD 2 rows as they were believed at a step. */
  List<Version<Row>> belief(Sequence step) {
    List<Event<Row>> counting =
        countingAt(step).values().stream()
            .map(
                event ->
                    new Event<>(event.sequence(), event.kind(), event.values(), Origin.UNKNOWN))
            .toList();
    return new NaiveHistory(StorageType.SCD2, counting).rows();
  }

  private TreeMap<Sequence, Event<Row>> countingAt(Sequence step) {
    TreeMap<Sequence, Event<Row>> counting = new TreeMap<>();
    for (Event<Row> event : log) {
      if (event.systemSequence().compareTo(step) <= 0) {
        counting.put(event.sequence(), event);
      }
    }
    return counting;
  }

  private void collectRows() {
    Map<Version<Row>, Sequence> since = new HashMap<>();
    for (Sequence step : steps) {
      Set<Version<Row>> now = new HashSet<>(beliefs.get(step));
      for (Version<Row> row : List.copyOf(since.keySet())) {
        if (!now.contains(row)) {
          rows.add(new Version<>(row.start(), row.end(), since.remove(row), step, row.values()));
        }
      }
      now.forEach(row -> since.putIfAbsent(row, step));
    }
    since.forEach(
        (row, begin) -> rows.add(new Version<>(row.start(), row.end(), begin, null, row.values())));
    rows.sort(
        Comparator.<Version<Row>, Sequence>comparing(Version::start)
            .thenComparing(Version::systemStart));
  }

  /**
   * Per sequence everything from the first step on at which the belief does not tell what counts.
   */
  private List<Event<Row>> hidden() {
    Map<Sequence, Sequence> hiddenFrom = new HashMap<>();
    Map<Sequence, Event<Row>> before = new HashMap<>();
    List<Event<Row>> hidden = new ArrayList<>();
    for (Sequence step : steps) {
      for (Event<Row> event : countingAt(step).values()) {
        boolean fresh = event.systemSequence().equals(step);
        Event<Row> previous = before.put(event.sequence(), event);
        boolean untold =
            !isShown(event, step)
                || fresh && (event.origin().isKnown() || saysSame(previous, event));
        if (untold && hiddenFrom.putIfAbsent(event.sequence(), step) == null && !fresh) {
          hidden.add(
              new Event<>(event.sequence(), step, event.kind(), event.values(), Origin.ROWS));
        }
        if (fresh && hiddenFrom.containsKey(event.sequence())) {
          hidden.add(event);
        }
      }
    }
    hidden.sort(
        Comparator.<Event<Row>, Sequence>comparing(Event::sequence)
            .thenComparing(Event::systemSequence));
    return hidden;
  }

  private static boolean saysSame(Event<Row> left, Event<Row> right) {
    return left != null
        && left.kind() == right.kind()
        && (left.values() == null || left.values().equals(right.values()));
  }

  private boolean isShown(Event<Row> event, Sequence step) {
    return beliefs.get(step).stream()
        .anyMatch(
            row ->
                event.isUpsert()
                    ? row.start().equals(event.sequence()) && row.values().equals(event.values())
                    : event.sequence().equals(row.end()));
  }
}
