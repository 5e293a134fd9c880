package io.sluice.benchmarks;

import io.sluice.run.TargetResult;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A snapshot of five million rows into an empty table, then one of as many rows, in which one key
 * in a hundred has changed and one in two hundred is gone or new.
 */
final class SnapshotBenchmark {

  private static final int ROWS = 5_000_000;
  private static final int FILES = 20;
  private static final String SCHEMA =
      "id BIGINT, name STRING, town STRING, balance DOUBLE, visits INT, active BOOLEAN";

  private final PrintStream out;

  SnapshotBenchmark(PrintStream out) {
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Path first = write(workshop.folder("first"), 1);
    Path second = write(workshop.folder("second"), 2);
    for (int type = 1; type <= 2; type++) {
      String table = "snapshot_" + type;
      measure(workshop, table, type, 1, first);
      measure(workshop, table, type, 2, second);
    }
  }

  private void measure(Workshop workshop, String table, int type, int version, Path folder)
      throws Exception {
    Measured.Timed<TargetResult> timed =
        Measured.time(() -> workshop.update(pipeline(table, type, version, folder)));
    TargetResult result = timed.result();
    Table.line(
        out, "SCD " + type + ", version " + version, ROWS, timed.measured(), workshop.size(table));
    out.printf(
        "  %,d inserted, %,d updated, %,d deleted; %,d existing rows and %,d bytes read%n",
        result.inserted(),
        result.updated(),
        result.deleted(),
        result.existingRowsRead(),
        result.existingBytesRead());
  }

  private static String pipeline(String table, int type, int version, Path folder) {
    return """
        CREATE STREAMING TABLE %1$s;
        CREATE FLOW %1$s_snapshots AS AUTO CDC INTO %1$s
        FROM SNAPSHOT (SELECT * FROM read_files('%4$s', format => 'json', schema => '%5$s'))
        WITH VERSION (SELECT %3$d AS version)
        KEYS (id) STORED AS SCD TYPE %2$d;
        """
        .formatted(table, type, version, folder, SCHEMA);
  }

  private static Path write(Path folder, int version) throws IOException {
    Files.createDirectories(folder);
    for (int file = 0; file < FILES; file++) {
      Path path = folder.resolve("%04d.json".formatted(file));
      try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
        for (int i = file; i < ROWS; i += FILES) {
          stream.write(line(keyOf(i, version), version).getBytes());
        }
      }
    }
    return folder;
  }

  /** One key in 200 of the first version is replaced by a new one in the second. */
  private static long keyOf(int i, int version) {
    return version == 2 && i % 200 == 7 ? (long) ROWS + i : i;
  }

  private static String line(long key, int version) {
    long state = key % 100 == 3 ? key + version : key;
    return "{\"id\":"
        + key
        + ",\"name\":\"customer "
        + key
        + "\",\"town\":\"town "
        + state % 977
        + "\",\"balance\":"
        + state % 100_003 / 100.0
        + ",\"visits\":"
        + state % 5_000
        + ",\"active\":"
        + (state % 3 != 0)
        + "}\n";
  }
}
