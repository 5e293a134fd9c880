package io.sluice.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One update of a million events over 100,000 keys, of which a part leaves columns out, with and
 * without IGNORE NULL UPDATES. The first round warms the process up and is shown but not counted.
 */
final class PartialBenchmark {

  private static final Feed FEED = Feed.sparse(10);

  /** What is compared; a partial one follows what it is compared with. */
  enum Contender {
    SCD1("SCD type 1", 1, ""),
    SCD1_PARTIAL("SCD type 1, partial", 1, "IGNORE NULL UPDATES"),
    SCD1_TRUNCATE("SCD type 1, truncate", 1, "APPLY AS TRUNCATE WHEN op = 'T'"),
    SCD2("SCD type 2", 2, ""),
    SCD2_PARTIAL("SCD type 2, partial", 2, "IGNORE NULL UPDATES");

    private final String text;
    private final int scdType;
    private final String clause;

    Contender(String text, int scdType, String clause) {
      this.text = text;
      this.scdType = scdType;
      this.clause = clause;
    }

    Contender plain() {
      return scdType == 1 ? SCD1 : SCD2;
    }
  }

  private final int rounds;
  private final PrintStream out;

  PartialBenchmark(int rounds, PrintStream out) {
    this.rounds = rounds;
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Path feed = workshop.folder("feed");
    FEED.write(feed);
    Map<Contender, List<Measured>> all = new EnumMap<>(Contender.class);
    for (int round = 0; round <= rounds; round++) {
      out.printf("%n%s%n", round == 0 ? "warm-up" : "round " + round);
      for (Contender contender : Contender.values()) {
        String table = contender.name().toLowerCase(Locale.ROOT) + "_" + round;
        String sql = Pipelines.cdc(table, contender.scdType, feed, contender.clause);
        Measured measured = Measured.time(() -> workshop.update(sql)).measured();
        Table.line(out, contender.text, FEED.events(), measured, workshop.size(table));
        out.printf("  companion: %,d bytes%n", workshop.companionBytes(table));
        if (round > 0) {
          all.computeIfAbsent(contender, c -> new ArrayList<>()).add(measured);
        }
      }
    }
    out.printf("%nmedian of %d rounds%n", rounds);
    all.forEach(
        (contender, measured) -> {
          Measured without = Median.of(all.get(contender.plain()));
          Table.beside(out, contender.text, FEED.events(), Median.of(measured), "without", without);
        });
    out.println("goal: partial updates at least 0.7 of the same without");
  }
}
