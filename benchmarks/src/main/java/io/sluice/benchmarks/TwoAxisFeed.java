package io.sluice.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A change feed as JSON lines with two sequences: {@code n} on the business axis, {@code s} on the
 * system axis. Both follow the order of arrival, but on either axis some events are late, by up to
 * two events of an average key, so that most of them meet newer ones.
 *
 * @param events how many
 * @param keys distinct keys, each event takes one at random
 * @param first place of the first event on both axes
 * @param seed of the random numbers
 */
record TwoAxisFeed(int events, int keys, long first, long seed) {

  /** Columns as {@code read_files} takes them. */
  static final String SCHEMA = Feed.SCHEMA + ", s BIGINT";

  private static final int FILES = 10;
  private static final int LATE_PERCENT = 5;

  /** Writes the files into a folder, named so that later feeds sort behind earlier ones. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Random random = new Random(seed);
    for (int file = 0; file < FILES; file++) {
      int from = (int) ((long) events * file / FILES);
      int until = (int) ((long) events * (file + 1) / FILES);
      Path path = folder.resolve("%010d-%d.json".formatted(first, file));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
        for (int i = from; i < until; i++) {
          StringBuilder line = Feed.columns(random, keys, 0);
          line.append(",\"n\":").append(place(random, first + i));
          line.append(",\"s\":").append(place(random, first + i)).append("}\n");
          out.write(line.toString().getBytes());
        }
      }
    }
  }

  private long place(Random random, long arrival) {
    boolean late = random.nextInt(100) < LATE_PERCENT;
    return late ? arrival - random.nextInt(2 * keys) : arrival;
  }
}
