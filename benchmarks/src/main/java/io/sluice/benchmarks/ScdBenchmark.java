package io.sluice.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One update of a million events over 100,000 keys, beside a plain append of the same files. The
 * first round warms the process up and is shown but not counted.
 */
final class ScdBenchmark {

  private static final Feed FEED = Feed.million(10);

  /** What is compared. */
  enum Contender {
    PLAIN("plain Flink append"),
    APPEND("append flow"),
    SCD1("SCD type 1"),
    SCD2("SCD type 2");

    private final String text;

    Contender(String text) {
      this.text = text;
    }
  }

  private final int rounds;
  private final Set<Contender> contenders;
  private final PrintStream out;

  /**
   * @param contenders names separated by commas, {@code plain} always included; the others can be
   *     left out to profile one of them
   */
  ScdBenchmark(int rounds, String contenders, PrintStream out) {
    this.rounds = rounds;
    this.contenders = EnumSet.of(Contender.PLAIN);
    for (String name : contenders.toUpperCase(Locale.ROOT).split(",")) {
      this.contenders.add(Contender.valueOf(name));
    }
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Path feed = workshop.folder("feed");
    FEED.write(feed);
    Map<Contender, List<Measured>> all = new EnumMap<>(Contender.class);
    for (Contender contender : contenders) {
      all.put(contender, new ArrayList<>());
    }
    for (int round = 0; round <= rounds; round++) {
      out.printf("%n%s%n", round == 0 ? "warm-up" : "round " + round);
      for (Contender contender : contenders) {
        String table = contender.name().toLowerCase(Locale.ROOT) + "_" + round;
        Measured measured =
            Measured.time(() -> update(workshop, contender, table, feed)).measured();
        Table.line(out, contender.text, FEED.events(), measured, workshop.size(table));
        if (round > 0) {
          all.get(contender).add(measured);
        }
      }
    }
    print(all);
  }

  private static Void update(Workshop workshop, Contender contender, String table, Path feed)
      throws Exception {
    switch (contender) {
      case PLAIN -> PlainAppend.run(workshop, table, feed);
      case APPEND -> workshop.update(Pipelines.append(table, feed));
      case SCD1 -> workshop.update(Pipelines.cdc(table, 1, feed));
      case SCD2 -> workshop.update(Pipelines.cdc(table, 2, feed));
    }
    return null;
  }

  private void print(Map<Contender, List<Measured>> all) {
    Measured plain = Median.of(all.get(Contender.PLAIN));
    out.printf("%nmedian of %d rounds%n", rounds);
    for (Contender contender : contenders) {
      Measured median = Median.of(all.get(contender));
      Table.beside(out, contender.text, FEED.events(), median, "plain", plain);
    }
    out.println("goal: SCD type 1 and 2 at least 0.5 of plain, aim 0.7");
  }
}
