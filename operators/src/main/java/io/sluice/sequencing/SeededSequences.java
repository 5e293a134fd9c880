package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.Seeded;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What the seeds gave one key: the sequences that were in the log as of a seed's commit and not
 * before it.
 */
final class SeededSequences {

  private static final Supplier<TreeSet<byte[]>> EMPTY =
      () -> new TreeSet<>(Arrays::compareUnsigned);

  private final Map<Integer, TreeSet<byte[]>> after = new HashMap<>();
  private final Map<Integer, TreeSet<byte[]>> before = new HashMap<>();

  void add(Seeded seeded) {
    Map<Integer, TreeSet<byte[]>> side = seeded.before() ? before : after;
    TreeSet<byte[]> sequences = side.computeIfAbsent(seeded.seed(), seed -> EMPTY.get());
    if (seeded.first() != null) {
      sequences.add(seeded.first());
    }
    if (seeded.second() != null) {
      sequences.add(seeded.second());
    }
  }

  /** The last seeded sequence; null if the key was not seeded. */
  byte[] last() {
    byte[] last = null;
    for (Map.Entry<Integer, TreeSet<byte[]>> seed : after.entrySet()) {
      TreeSet<byte[]> sequences = EMPTY.get();
      sequences.addAll(seed.getValue());
      sequences.removeAll(before.getOrDefault(seed.getKey(), EMPTY.get()));
      if (!sequences.isEmpty()
          && (last == null || Arrays.compareUnsigned(sequences.last(), last) > 0)) {
        last = sequences.last();
      }
    }
    return last;
  }
}
