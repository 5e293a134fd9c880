package io.sluice.benchmarks;

import java.io.PrintStream;

/** The command line of the whole-update benchmarks; see benchmarks/README.md. */
public final class Benchmarks {

  private static final String USAGE =
      "usage: benchmarks/run scd|partial|bitemporal|ten-updates|large|snapshot|continuous|latency|rebuild|many-changes [rounds [contenders]]";

  private Benchmarks() {}

  /**
   * Runs one benchmark.
   *
   * @param arguments its name, the number of counted rounds, and for scd the contenders
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    if (arguments.length == 0 || arguments.length > 3) {
      System.err.println(USAGE);
      System.exit(2);
    }
    int cores = Runtime.getRuntime().availableProcessors();
    out.println(arguments[0] + ": " + Machine.describe() + ", parallelism " + cores);
    try (Workshop workshop = new Workshop(cores)) {
      switch (arguments[0]) {
        case "scd" ->
            new ScdBenchmark(
                    rounds(arguments, 5),
                    arguments.length == 3 ? arguments[2] : "plain,append,scd1,scd2",
                    out)
                .run(workshop);
        case "partial" -> new PartialBenchmark(rounds(arguments, 3), out).run(workshop);
        case "ten-updates" -> new TenUpdatesBenchmark(rounds(arguments, 2), out).run(workshop);
        case "bitemporal" -> new BitemporalBenchmark(rounds(arguments, 3), out).run(workshop);
        case "continuous" ->
            new ContinuousBenchmark(
                    rounds(arguments, 1),
                    Integer.getInteger("sluice.benchmarks.events", 4_000_000),
                    arguments.length == 3
                        ? arguments[2]
                        : "append,no_sink,upsert,flink_scd2,scd1,scd2,scd2_rocksdb",
                    out)
                .run(workshop);
        case "latency" -> new LatencyBenchmark(out).run(workshop);
        case "rebuild" -> new RebuildBenchmark(out).run(workshop);
        case "many-changes" -> new ManyChangesBenchmark(out).run(workshop);
        case "large" -> new LargeBenchmark(out).run(workshop);
        case "snapshot" -> new SnapshotBenchmark(out).run(workshop);
        default -> {
          System.err.println(USAGE);
          System.exit(2);
        }
      }
    }
    System.exit(0);
  }

  private static int rounds(String[] arguments, int otherwise) {
    return arguments.length >= 2 ? Integer.parseInt(arguments[1]) : otherwise;
  }
}
