package io.sluice.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Replaces the end of a list of rows and tells what that changed. Rows that stay keep their object.
 */
final class RowDifference<V> {

  private final Values<V> values;
  private final List<Version<V>> rows;
  private final int kept;
  private final List<Version<V>> removed = new ArrayList<>(2);
  private final List<Version<V>> added = new ArrayList<>(2);

  /**
   * @param rows changed in place
   * @param kept the number of rows at the beginning that are not looked at
   */
  RowDifference(Values<V> values, List<Version<V>> rows, int kept) {
    this.values = values;
    this.rows = rows;
    this.kept = kept;
  }

  void replaceBy(List<Version<V>> fresh) {
    List<Version<V>> old = Sorted.cut(rows, kept);
    int next = 0;
    for (Version<V> version : fresh) {
      while (next < old.size() && old.get(next).start().compareTo(version.start()) < 0) {
        removed.add(old.get(next++));
      }
      boolean sameStart = next < old.size() && old.get(next).startsAt(version.start());
      Version<V> before = sameStart ? old.get(next++) : null;
      if (before != null && isSame(before, version)) {
        rows.add(before);
      } else {
        if (before != null) {
          removed.add(before);
        }
        added.add(version);
        rows.add(version);
      }
    }
    removed.addAll(old.subList(next, old.size()));
  }

  List<Version<V>> removed() {
    return removed;
  }

  List<Version<V>> added() {
    return added;
  }

  private boolean isSame(Version<V> left, Version<V> right) {
    boolean sameEnd = left.isOpen() ? right.isOpen() : left.end().equals(right.end());
    return sameEnd && values.same(values.complete(left.values()), values.complete(right.values()));
  }
}
