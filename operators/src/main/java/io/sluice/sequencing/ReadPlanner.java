package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.Tidying;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Shares out what has to be read of a table among readers: only what the keys of the update may
 * touch, and by the rows in it, so that no reader waits for another that got the larger files.
 */
final class ReadPlanner {

  private final Tidying tidying;
  private final int readers;

  ReadPlanner(Tidying tidying, int readers) {
    this.tidying = tidying;
    this.readers = readers;
  }

  /**
   * The orders for all readers.
   *
   * @param splits all parts of the table's files
   * @param mayMatch false for parts without a row of the keys, by statistics
   */
  List<ReadOrder> orders(List<RowSplit> splits, Predicate<RowSplit> mayMatch, KeySet keys) {
    List<ReadOrder> orders = new ArrayList<>();
    List<RowSplit> read = splits.stream().filter(mayMatch).toList();
    if (keys.isEmpty() || read.isEmpty()) {
      return orders;
    }
    for (int reader = 0; reader < readers; reader++) {
      orders.add(new ReadOrder.Keys(reader, keys));
    }
    // A truncate removes what it reads, and reads rows that it may keep for other reasons.
    Set<String> tidied =
        keys.truncate() == null ? tidying.choose(read, keys.sizeAtMost()) : Set.of();
    long[] rows = new long[readers];
    List<RowSplit> largestFirst = new ArrayList<>(read);
    largestFirst.sort(Comparator.comparingLong(RowSplit::estimatedRows).reversed());
    for (RowSplit split : largestFirst) {
      int reader = least(rows);
      rows[reader] += split.estimatedRows();
      orders.add(new ReadOrder.Read(reader, split, tidied.contains(split.file().location())));
    }
    return orders;
  }

  private static int least(long[] rows) {
    int least = 0;
    for (int reader = 1; reader < rows.length; reader++) {
      if (rows[reader] < rows[least]) {
        least = reader;
      }
    }
    return least;
  }
}
