package io.sluice.conformance;

import io.sluice.conformance.RandomFeed.Arrival;
import io.sluice.conformance.RandomFeed.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The oracle: the rows that a table must have, from everything that has arrived, in the words of
 * semantics 0.2, 5.1 and 6.1. Rows are texts as {@link Scene#rows} gives them.
 */
final class NaiveTable {

  private final TreeMap<Integer, TreeMap<Long, Change>> keys = new TreeMap<>();

  NaiveTable(List<Arrival> arrived) {
    arrived.stream()
        .sorted(Comparator.comparing(Arrival::file).thenComparing(Arrival::line))
        .map(Arrival::change)
        .forEach(
            change ->
                keys.computeIfAbsent(change.key(), key -> new TreeMap<>())
                    .put(change.sequence(), change));
  }

  /** SCD type 1: the newest change of each key, if it is no delete. */
  List<String> latest() {
    return keys.values().stream()
        .map(history -> history.lastEntry().getValue())
        .filter(change -> !change.isDelete())
        .map(NaiveTable::columns)
        .sorted()
        .toList();
  }

  /** SCD type 2 with every column tracked. */
  List<String> versions() {
    return versions(
        (left, right) ->
            left.name().equals(right.name()) && Objects.equals(left.town(), right.town()));
  }

  /** SCD type 2 that tracks the name only. */
  List<String> versionsOfName() {
    return versions((left, right) -> left.name().equals(right.name()));
  }

  /** SCD type 2 that tracks nothing. */
  List<String> lives() {
    return versions((left, right) -> true);
  }

  private List<String> versions(BiPredicate<Change, Change> same) {
    List<String> rows = new ArrayList<>();
    for (TreeMap<Long, Change> history : keys.values()) {
      List<Change> changes = List.copyOf(history.values());
      for (int first = 0; first < changes.size(); ) {
        int behind = first + 1;
        if (changes.get(first).isDelete()) {
          first = behind;
          continue;
        }
        while (behind < changes.size()
            && !changes.get(behind).isDelete()
            && same.test(changes.get(behind - 1), changes.get(behind))) {
          behind++;
        }
        rows.add(
            columns(changes.get(behind - 1))
                + " "
                + changes.get(first).sequence()
                + " "
                + (behind == changes.size() ? "~" : changes.get(behind).sequence()));
        first = behind;
      }
    }
    rows.sort(null);
    return rows;
  }

  private static String columns(Change change) {
    return change.key() + " " + change.name() + " " + change.town();
  }
}
