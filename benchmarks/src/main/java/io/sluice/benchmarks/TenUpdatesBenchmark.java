package io.sluice.benchmarks;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The million events in ten updates of one process, beside one update of all of them: in a process
 * that has done the same before, and in one that starts for them.
 */
final class TenUpdatesBenchmark {

  private static final Feed FEED = Feed.million(10);

  private final int rounds;
  private final PrintStream out;

  TenUpdatesBenchmark(int rounds, PrintStream out) {
    this.rounds = rounds;
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Path feed = workshop.folder("feed");
    List<Path> files = FEED.write(feed);
    for (int round = 0; round <= rounds; round++) {
      out.printf("%n%s%n", round == 0 ? "warm-up" : "round " + round);
      for (int type = 1; type <= 2; type++) {
        compare(workshop, files, type, round);
      }
    }
    out.printf("%nfresh processes, from start to end%n");
    for (int type = 1; type <= 2; type++) {
      compareFresh(feed, type);
    }
    out.println("goal: ten updates at most 3.0 of the single one");
  }

  private void compare(Workshop workshop, List<Path> files, int type, int round) throws Exception {
    String one = "one_" + type + "_" + round;
    String ten = "ten_" + type + "_" + round;
    Path feed = files.get(0).getParent();
    Measured single =
        Measured.time(() -> workshop.update(Pipelines.cdc(one, type, feed))).measured();
    Table.line(out, "SCD " + type + ", one update", FEED.events(), single, workshop.size(one));

    Path arriving = Files.createDirectories(workshop.folder("arriving_" + type + "_" + round));
    List<Measured> parts = new ArrayList<>();
    for (Path file : files) {
      Files.createLink(arriving.resolve(file.getFileName()), file);
      parts.add(
          Measured.time(() -> workshop.update(Pipelines.cdc(ten, type, arriving))).measured());
    }
    Measured sum = parts.stream().reduce(Measured::plus).orElseThrow();
    Table.line(out, "SCD " + type + ", ten updates", FEED.events(), sum, workshop.size(ten));
    requireSame(workshop.size(one).rows(), workshop.size(ten).rows());
    out.printf("  each:");
    parts.forEach(part -> out.printf(" %.2f", part.wallSeconds()));
    out.println(" s");
    printRatio(single, sum);
  }

  private void compareFresh(Path feed, int type) throws Exception {
    FreshProcess.Result one = FreshProcess.run(type, feed, false);
    FreshProcess.Result ten = FreshProcess.run(type, feed, true);
    requireSame(one.rows(), ten.rows());
    out.printf(
        "SCD %d: one update %.2f s wall, %.2f s cpu; ten updates %.2f s wall, %.2f s cpu%n",
        type,
        one.measured().wallSeconds(),
        one.measured().cpuSeconds(),
        ten.measured().wallSeconds(),
        ten.measured().cpuSeconds());
    printRatio(one.measured(), ten.measured());
  }

  private void printRatio(Measured one, Measured ten) {
    out.printf(
        "  ten updates take %.2f of the single one (cpu %.2f)%n",
        ten.wallSeconds() / one.wallSeconds(), ten.cpuSeconds() / one.cpuSeconds());
  }

  private static void requireSame(long one, long ten) {
    if (one != ten) {
      throw new IllegalStateException(
          "one update gives " + one + " rows, ten updates give " + ten + " rows");
    }
  }
}
