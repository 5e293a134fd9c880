package io.sluice.benchmarks;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;

/**
 * The start of a continuous run of a large SCD type 2 table: its state is rebuilt from the rows,
 * and an event that waits meanwhile is the first one to be committed. Beside it the same of a small
 * table, which is what planning, deployment and a checkpoint take.
 */
final class RebuildBenchmark {

  private static final int ROWS = 5_000_000;
  private static final int DELETES_ASIDE = ROWS * 20 / 19;
  private static final long SEQUENCE_BEHIND = 1_000_000_000L;

  private final PrintStream out;

  RebuildBenchmark(PrintStream out) {
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    Path small = workshop.folder("small");
    new Feed(1_000, 100, 1, 1, 42).write(small);
    workshop.update(Pipelines.cdc("small", 2, small));
    Path large = workshop.folder("large");
    new Feed(DELETES_ASIDE, 1_000_000, 16, 1, 42).write(large);
    workshop.update(Pipelines.cdc("large", 2, large));
    out.printf("%n%,d rows, %.1f MB%n", rows(workshop), workshop.size("large").bytes() / 1e6);
    for (String backend : List.of("hashmap", "rocksdb")) {
      begin(workshop, "small", small, backend);
      Start alone = begin(workshop, "small", small, backend);
      Start rebuilt = begin(workshop, "large", large, backend);
      double seconds = rebuilt.seconds() - alone.seconds();
      out.printf(
          "%-8s first commit after %6.2f s, of a small table %5.2f s: %,9.0f rows/s;"
              + " heap %,d MB more, %.0f bytes a row%n",
          backend,
          rebuilt.seconds(),
          alone.seconds(),
          rows(workshop) / seconds,
          rebuilt.heap() - alone.heap() >> 20,
          (double) (rebuilt.heap() - alone.heap()) / rows(workshop));
    }
  }

  private static long rows(Workshop workshop) {
    return workshop.size("large").rows();
  }

  private record Start(double seconds, long heap) {}

  private int starts;

  private Start begin(Workshop workshop, String table, Path feed, String backend) throws Exception {
    String sql =
        Pipelines.settings(
                Map.of("state.backend.type", backend, "execution.checkpointing.interval", "200 ms"))
            + Pipelines.cdc(table, 2, feed);
    SluiceKeeper keeper = SluiceKeeper.start(workshop, table, sql);
    long began = System.nanoTime();
    Table kept =
        workshop.connection().catalog().loadTable(workshop.connection().identifier(List.of(table)));
    long before = kept.currentSnapshot().sequenceNumber();
    starts++;
    Path staged = workshop.folder("staged" + starts);
    Path event = new Feed(1, 1, 1, SEQUENCE_BEHIND + starts, 42).write(staged).get(0);
    Files.move(event, feed.resolve("event" + starts + ".json"));
    while (kept.currentSnapshot().sequenceNumber() == before) {
      keeper.read();
      Thread.sleep(20);
      kept.refresh();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    keeper.stop();
    return new Start(seconds, heap);
  }
}
