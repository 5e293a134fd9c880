package io.sluice.benchmarks;

import io.sluice.run.TargetResult;
import java.io.PrintStream;
import java.nio.file.Path;

/** Ten million events over a million keys in one update, then an update of a thousand events. */
final class LargeBenchmark {

  private static final Feed FIRST = new Feed(10_000_000, 1_000_000, 40, 1, 43);
  private static final int SMALL_EVENTS = 1_000;
  private static final int SMALL_UPDATES = 3;

  private final PrintStream out;

  LargeBenchmark(PrintStream out) {
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Path base = workshop.folder("base");
    FIRST.write(base);
    for (int type = 1; type <= 2; type++) {
      measure(workshop, base, type);
    }
    out.println("goal: the small update takes at most a tenth of the first");
  }

  private void measure(Workshop workshop, Path base, int type) throws Exception {
    String table = "large_" + type;
    Path feed = workshop.folder("feed_" + type);
    java.nio.file.Files.createDirectories(feed);
    try (var files = java.nio.file.Files.list(base)) {
      for (Path file : files.sorted().toList()) {
        java.nio.file.Files.createLink(feed.resolve(file.getFileName()), file);
      }
    }
    Measured first =
        Measured.time(() -> workshop.update(Pipelines.cdc(table, type, feed))).measured();
    out.println();
    Table.line(out, "SCD " + type + ", first update", FIRST.events(), first, workshop.size(table));
    for (int i = 0; i < SMALL_UPDATES; i++) {
      long from = FIRST.events() + 1L + (long) i * SMALL_EVENTS;
      Feed small = new Feed(SMALL_EVENTS, FIRST.keys(), 1, from, 100 + i);
      Path written = small.write(workshop.folder("small_" + type + "_" + i)).get(0);
      java.nio.file.Files.createLink(feed.resolve("small_" + i + ".json"), written);
      Measured.Timed<TargetResult> timed =
          Measured.time(() -> workshop.update(Pipelines.cdc(table, type, feed)));
      Table.line(
          out,
          "SCD " + type + ", 1,000 events",
          small.events(),
          timed.measured(),
          workshop.size(table));
      out.printf(
          "  %,d existing rows and %,d bytes read, %.3f of the first update (cpu %.3f)%n",
          timed.result().existingRowsRead(),
          timed.result().existingBytesRead(),
          timed.measured().wallSeconds() / first.wallSeconds(),
          timed.measured().cpuSeconds() / first.cpuSeconds());
    }
  }
}
