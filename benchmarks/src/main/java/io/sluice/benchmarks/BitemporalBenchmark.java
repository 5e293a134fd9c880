package io.sluice.benchmarks;

import io.sluice.run.TargetResult;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One update of a million events over 100,000 keys, 5 % of them late on either axis, into a
 * bitemporal table and, beside it, into one of SCD type 2; then an update of a thousand events on
 * both. The first round warms the process up and is shown but not counted.
 */
final class BitemporalBenchmark {

  private static final TwoAxisFeed FEED = new TwoAxisFeed(1_000_000, 100_000, 1_000_000, 42);
  private static final TwoAxisFeed SMALL = new TwoAxisFeed(1_000, 100_000, 2_000_000, 43);

  /** What is compared. */
  enum Contender {
    SCD2("SCD type 2"),
    BITEMPORAL("bitemporal");

    private final String text;

    Contender(String text) {
      this.text = text;
    }
  }

  private final int rounds;
  private final PrintStream out;

  BitemporalBenchmark(int rounds, PrintStream out) {
    this.rounds = rounds;
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Map<Contender, List<Measured>> all = new EnumMap<>(Contender.class);
    for (Contender contender : Contender.values()) {
      all.put(contender, new ArrayList<>());
    }
    for (int round = 0; round <= rounds; round++) {
      Path feed = workshop.folder("feed-" + round);
      FEED.write(feed);
      out.printf("%n%s%n", round == 0 ? "warm-up" : "round " + round);
      for (Contender contender : Contender.values()) {
        Measured measured = update(workshop, contender, round, feed, FEED).measured();
        if (round > 0) {
          all.get(contender).add(measured);
        }
      }
      SMALL.write(feed);
      for (Contender contender : Contender.values()) {
        TargetResult result = update(workshop, contender, round, feed, SMALL).result();
        out.printf(
            "  existing rows read back: %,d, %.1f MB%n",
            result.existingRowsRead(), result.existingBytesRead() / 1e6);
      }
    }
    print(all);
  }

  private Measured.Timed<TargetResult> update(
      Workshop workshop, Contender contender, int round, Path feed, TwoAxisFeed what)
      throws Exception {
    String table = contender.name().toLowerCase(Locale.ROOT) + "_" + round;
    String sql =
        switch (contender) {
          case SCD2 -> Pipelines.scd2(table, feed);
          case BITEMPORAL -> Pipelines.bitemporal(table, feed);
        };
    Measured.Timed<TargetResult> timed = Measured.time(() -> workshop.update(sql));
    Table.line(out, contender.text, what.events(), timed.measured(), workshop.size(table));
    return timed;
  }

  private void print(Map<Contender, List<Measured>> all) {
    Measured scd2 = Median.of(all.get(Contender.SCD2));
    out.printf("%nmedian of %d rounds%n", rounds);
    for (Contender contender : Contender.values()) {
      Measured median = Median.of(all.get(contender));
      Table.beside(out, contender.text, FEED.events(), median, "SCD type 2", scd2);
    }
    out.println("goal: bitemporal at least 0.5 of SCD type 2");
  }
}
