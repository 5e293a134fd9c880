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
 * history of the events that count then, straight from the sentences of semantics 10.2; with
 * partial updates as the SCD 2 history of 8.3.
 */
final class NaiveBitemporal<V> {

  private record Place(Sequence sequence, Sequence system) {}

  private final BitemporalWorld<V> world;
  private final List<Event<V>> log = new ArrayList<>();
  private final TreeSet<Sequence> steps = new TreeSet<>();
  private final TreeMap<Sequence, List<Version<V>>> beliefs = new TreeMap<>();
  private final List<Version<V>> rows = new ArrayList<>();
  private final List<Event<V>> remembered;

  NaiveBitemporal(BitemporalWorld<V> world, List<Event<V>> arrived) {
    this.world = world;
    Map<Place, List<Event<V>>> groups = new HashMap<>();
    for (Event<V> event : arrived) {
      groups
          .computeIfAbsent(
              new Place(event.sequence(), event.systemSequence()), at -> new ArrayList<>())
          .add(event);
      steps.add(event.systemSequence());
    }
    groups
        .values()
        .forEach(group -> log.add(NaiveHistory.winner(NaiveHistory.sorted(group, world.order()))));
    log.sort(
        Comparator.<Event<V>, Sequence>comparing(Event::systemSequence)
            .thenComparing(Event::sequence));
    for (Sequence step : steps) {
      beliefs.put(step, belief(step));
    }
    collectRows();
    this.remembered = hidden();
  }

  List<Event<V>> log() {
    return log;
  }

  /** By start and system start. */
  List<Version<V>> rows() {
    return rows;
  }

  List<Event<V>> remembered() {
    return remembered;
  }

  /** SCD 2 rows as they were believed at a step. */
  List<Version<V>> belief(Sequence step) {
    return world
        .scd2()
        .apply(
            countingAt(step).values().stream()
                .map(
                    event ->
                        new Event<>(event.sequence(), event.kind(), event.values(), Origin.UNKNOWN))
                .toList());
  }

  private TreeMap<Sequence, Event<V>> countingAt(Sequence step) {
    TreeMap<Sequence, Event<V>> counting = new TreeMap<>();
    for (Event<V> event : log) {
      if (event.systemSequence().compareTo(step) <= 0) {
        counting.put(event.sequence(), event);
      }
    }
    return counting;
  }

  private void collectRows() {
    Map<Version<V>, Sequence> since = new HashMap<>();
    for (Sequence step : steps) {
      Set<Version<V>> now = new HashSet<>(beliefs.get(step));
      for (Version<V> row : List.copyOf(since.keySet())) {
        if (!now.contains(row)) {
          rows.add(new Version<>(row.start(), row.end(), since.remove(row), step, row.values()));
        }
      }
      now.forEach(row -> since.putIfAbsent(row, step));
    }
    since.forEach(
        (row, begin) -> rows.add(new Version<>(row.start(), row.end(), begin, null, row.values())));
    rows.sort(
        Comparator.<Version<V>, Sequence>comparing(Version::start)
            .thenComparing(Version::systemStart));
  }

  /**
   * Per sequence everything from the first step on at which the belief does not tell what counts.
   * It never tells of a partial event, whose columns no complete row equals.
   */
  private List<Event<V>> hidden() {
    Map<Sequence, Sequence> hiddenFrom = new HashMap<>();
    Map<Sequence, Event<V>> before = new HashMap<>();
    List<Event<V>> hidden = new ArrayList<>();
    for (Sequence step : steps) {
      for (Event<V> event : countingAt(step).values()) {
        boolean fresh = event.systemSequence().equals(step);
        Event<V> previous = before.put(event.sequence(), event);
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
        Comparator.<Event<V>, Sequence>comparing(Event::sequence)
            .thenComparing(Event::systemSequence));
    return hidden;
  }

  private static <V> boolean saysSame(Event<V> left, Event<V> right) {
    return left != null
        && left.kind() == right.kind()
        && (left.values() == null || left.values().equals(right.values()));
  }

  private boolean isShown(Event<V> event, Sequence step) {
    return beliefs.get(step).stream()
        .anyMatch(
            row ->
                event.isUpsert()
                    ? row.start().equals(event.sequence()) && row.values().equals(event.values())
                    : event.sequence().equals(row.end()));
  }
}
