package io.sluice.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A change feed as JSON lines: eight user columns, an operation and a sequence. The same numbers
 * give the same bytes on every machine.
 *
 * @param events how many
 * @param keys distinct keys, each event takes one at random
 * @param files the events are written to so many files, in the order of their arrival
 * @param firstSequence sequence of the first event; the others follow without gaps
 * @param seed of the random numbers
 * @param sparsePercent share of upserts that leave half of the columns NULL
 */
public record Feed(
    int events, int keys, int files, long firstSequence, long seed, int sparsePercent) {

  /** Columns as {@code read_files} takes them. */
  static final String SCHEMA =
      "id BIGINT, name STRING, town STRING, email STRING, balance DOUBLE, visits INT, "
          + "active BOOLEAN, changed_at TIMESTAMP, op STRING, n BIGINT";

  private static final int DELETE_PERCENT = 5;
  private static final int LATE_PERCENT = 5;
  private static final int LATEST_BY = 1_000;

  private static final String[] TOWNS = {
    "Aarhus", "Bergen", "Cork", "Delft", "Espoo", "Faro", "Ghent", "Halle", "Iasi", "Jena"
  };

  /** The feed of the headline figure: 1,000,000 events over 100,000 keys. */
  static Feed million(int files) {
    return new Feed(1_000_000, 100_000, files, 1, 42);
  }

  /** The same, in which every second upsert leaves half of the columns out. */
  static Feed sparse(int files) {
    return new Feed(1_000_000, 100_000, files, 1, 42, 50);
  }

  /** A feed whose events all have every column. */
  public Feed(int events, int keys, int files, long firstSequence, long seed) {
    this(events, keys, files, firstSequence, seed, 0);
  }

  /**
   * Writes the files {@code 0000.json}, {@code 0001.json}, .. into a folder.
   *
   * @return the files in order
   */
  List<Path> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> written = new ArrayList<>();
    Random random = new Random(seed);
    Arrivals arrivals = new Arrivals(random);
    for (int file = 0; file < files; file++) {
      int until = (int) ((long) events * (file + 1) / files);
      int from = (int) ((long) events * file / files);
      Path path = folder.resolve("%04d.json".formatted(file));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
        for (int i = from; i < until; i++) {
          out.write(line(random, firstSequence + arrivals.next()).getBytes());
        }
      }
      written.add(path);
    }
    return written;
  }

  private String line(Random random, long sequence) {
    int key = random.nextInt(keys);
    int version = random.nextInt(1_000_000);
    boolean delete = random.nextInt(100) < DELETE_PERCENT;
    boolean sparse = sparsePercent > 0 && random.nextInt(100) < sparsePercent;
    StringBuilder json = new StringBuilder(220);
    json.append("{\"id\":").append(key);
    if (sparse) {
      json.append(",\"town\":\"").append(TOWNS[version % TOWNS.length]);
      json.append("\",\"balance\":").append(version / 100.0);
      json.append(",\"visits\":").append(version % 5_000);
      json.append(",\"op\":\"").append(delete ? 'D' : 'U');
      return json.append("\",\"n\":").append(sequence).append("}\n").toString();
    }
    json.append(",\"name\":\"customer ").append(key).append('/').append(version % 1_000);
    json.append("\",\"town\":\"").append(TOWNS[version % TOWNS.length]);
    json.append("\",\"email\":\"c").append(key).append('.').append(version);
    json.append("@example.com\",\"balance\":").append(version / 100.0);
    json.append(",\"visits\":").append(version % 5_000);
    json.append(",\"active\":").append(version % 3 != 0);
    json.append(",\"changed_at\":\"2026-").append(two(1 + version % 12));
    json.append('-').append(two(1 + version % 28));
    json.append('T').append(two(version % 24)).append(':').append(two(version % 60));
    json.append(':').append(two(version % 59)).append("Z\",\"op\":\"");
    json.append(delete ? 'D' : 'U').append("\",\"n\":").append(sequence).append("}\n");
    return json.toString();
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }

  /** The order of arrival: some events wait until up to a thousand later ones have passed. */
  private final class Arrivals {
    private static final int SLOTS = LATEST_BY + 1;

    private final Random random;
    private final List<List<Integer>> due = new ArrayList<>();
    private int created;
    private int arrived;

    Arrivals(Random random) {
      this.random = random;
      for (int i = 0; i < SLOTS; i++) {
        due.add(new ArrayList<>(1));
      }
    }

    int next() {
      while (true) {
        List<Integer> now = due.get(arrived % SLOTS);
        if (!now.isEmpty()) {
          int event = now.remove(now.size() - 1);
          passed(now);
          return event;
        }
        if (created == events) {
          arrived++;
          continue;
        }
        int event = created++;
        boolean late = random.nextInt(100) < LATE_PERCENT;
        if (!late || events < LATEST_BY) {
          passed(now);
          return event;
        }
        due.get((arrived + 1 + random.nextInt(LATEST_BY)) % SLOTS).add(event);
      }
    }

    private void passed(List<Integer> now) {
      if (now.isEmpty()) {
        arrived++;
      }
    }
  }
}
