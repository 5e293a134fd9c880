package io.sluice.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * The oracle of partial updates: rows straight from the sentences of semantics 8.2 and 8.3 and all
 * events that ever arrived, leaf by leaf.
 */
final class NaivePartialHistory {

  private final List<Event<Sparse>> log;

  /**
   * @param arrived of events with one sequence the last one counts
   */
  NaivePartialHistory(List<Event<Sparse>> arrived, Sequence floor) {
    TreeMap<Sequence, Event<Sparse>> bySequence = new TreeMap<>();
    for (Event<Sparse> event : arrived) {
      if (event.sequence().compareTo(floor) >= 0) {
        bySequence.put(event.sequence(), event);
      }
    }
    log = List.copyOf(bySequence.values());
  }

  int size() {
    return log.size();
  }

  /** What a leaf holds at an event: the nearest authored value, back to the last delete. */
  private String leaf(int leaf, int position) {
    for (int i = position; i >= 0 && log.get(i).isUpsert(); i--) {
      if (log.get(i).values().authors(leaf)) {
        return log.get(i).values().leaves().get(leaf);
      }
    }
    return null;
  }

  private Sparse columns(int position) {
    String[] leaves = new String[Sparse.LEAVES];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = leaf(i, position);
    }
    return new Sparse(Arrays.asList(leaves), null);
  }

  List<Version<Sparse>> current() {
    int last = log.size() - 1;
    return last < 0 || !log.get(last).isUpsert()
        ? List.of()
        : List.of(new Version<>(log.get(last).sequence(), null, columns(last)));
  }

  List<Version<Sparse>> versions(boolean trackAll) {
    List<Version<Sparse>> rows = new ArrayList<>();
    Sequence start = null;
    for (int i = 0; i < log.size(); i++) {
      if (!log.get(i).isUpsert()) {
        continue;
      }
      start = start == null ? log.get(i).sequence() : start;
      boolean last = i + 1 == log.size();
      boolean runEnds =
          last || !log.get(i + 1).isUpsert() || !sameTracked(columns(i), columns(i + 1), trackAll);
      if (runEnds) {
        rows.add(new Version<>(start, last ? null : log.get(i + 1).sequence(), columns(i)));
        start = null;
      }
    }
    return rows;
  }

  private static boolean sameTracked(Sparse left, Sparse right, boolean trackAll) {
    int leaves = trackAll ? Sparse.LEAVES : 1;
    return left.leaves().subList(0, leaves).equals(right.leaves().subList(0, leaves));
  }
}
