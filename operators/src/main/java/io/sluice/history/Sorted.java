package io.sluice.history;

import java.util.ArrayList;
import java.util.List;

/** Search and truncation in lists that are sorted by sequence; the end is looked at first. */
final class Sorted {

  private Sorted() {}

  /** The position of the first event at or after a sequence. */
  static <V> int firstFrom(List<Event<V>> log, Sequence sequence) {
    int low = 0;
    int high = log.size();
    if (high > 0 && log.get(high - 1).sequence().compareTo(sequence) < 0) {
      return high;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (log.get(middle).sequence().compareTo(sequence) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The number of rows that start at or before a sequence. */
  static <V> int rowsUpTo(List<Version<V>> rows, Sequence sequence) {
    int low = 0;
    int high = rows.size();
    if (high > 0 && rows.get(high - 1).start().compareTo(sequence) <= 0) {
      return high;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows.get(middle).start().compareTo(sequence) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Removes and returns the elements from a position on. */
  static <T> List<T> cut(List<T> list, int from) {
    if (from == list.size()) {
      return List.of();
    }
    List<T> end = list.subList(from, list.size());
    List<T> copy = new ArrayList<>(end);
    end.clear();
    return copy;
  }
}
