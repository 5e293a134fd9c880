package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Workbench;
import io.sluice.table.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A continuous run as a process, killed by the operating system at random moments while its feed
 * grows, and started again; the last one is stopped. A failure names its seed: run it again with
 * {@code -Dsluice.test.seed=<seed>}.
 */
class ContinuousKillIT {

  private static final int KILLS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private Path folder;

  private int file;

  @Test
  void whatever_moment_a_run_is_killed_the_next_ones_go_on_once() {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("ContinuousKillIT seed " + seed);
    Random random = new Random(seed);
    TownFeed feed = new TownFeed(seed, 12);
    try (Workbench bench = new Workbench(folder)) {
      bench.write("towns.sql", Towns.SQL);
      land(bench, feed);
      long usual = untilRead(bench, seed);
      for (int killed = 0; killed < KILLS; killed++) {
        try (SluiceProcess process = run()) {
          long left = usual / 3 + random.nextLong(usual);
          while (left > 0) {
            long pause = Math.min(left, 100 + random.nextLong(900));
            assertThat(process.endsWithin(pause)).as("seed %d: %s", seed, process).isFalse();
            left -= pause;
            land(bench, feed);
          }
          process.kill();
        }
      }
      land(bench, feed);
      untilRead(bench, seed);
      Towns.assertHolds(bench, feed);
    }
  }

  private void land(Workbench bench, TownFeed feed) {
    bench.write("landing/%04d.json".formatted(file), feed.lines(10));
    // Readers of a growing folder see whole files only if they appear at once.
    Path whole = folder.resolve("landing/%04d.json".formatted(file));
    Path feeds = folder.resolve("feed");
    feeds.toFile().mkdirs();
    assertThat(whole.toFile().renameTo(feeds.resolve(whole.getFileName()).toFile())).isTrue();
    file++;
  }

  private SluiceProcess run() {
    return SluiceProcess.start(
        folder,
        Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString()),
        "run",
        "--continuous",
        "--take-over",
        "towns.sql",
        "--set",
        "dir=" + folder,
        "--set",
        "execution.checkpointing.interval=200 ms",
        "--set",
        "sluice.discovery-interval=50 ms");
  }

  /** Runs until everything is read, then stops; gives the milliseconds until it was read. */
  private long untilRead(Workbench bench, long seed) {
    long started = System.nanoTime();
    try (SluiceProcess process = run()) {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .failFast(
              () ->
                  assertThat(process.endsWithin(0))
                      .as("seed %d: %s", seed, process.output())
                      .isFalse())
          .until(() -> Towns.TARGETS.stream().allMatch(table -> hasReadAll(bench, table)));
      final long taken = (System.nanoTime() - started) / 1_000_000;
      process.terminate();
      assertThat(process.endsWithin(PATIENCE.toMillis())).as(process.output()).isTrue();
      return taken;
    }
  }

  private boolean hasReadAll(Workbench bench, String table) {
    Optional<Ledger> ledger = Optional.empty();
    try {
      ledger = Ledger.read(bench.table(table)).map(Ledger.Found::ledger);
    } catch (NoSuchTableException e) {
      return false;
    }
    String last =
        table.equals("current_towns")
            ? String.valueOf(bench.table("bronze").currentSnapshot().snapshotId())
            : "/%04d.json".formatted(file - 1);
    List<String> flows = ledger.map(found -> List.copyOf(found.flows())).orElse(List.of());
    Ledger found = ledger.orElse(null);
    return flows.stream().anyMatch(flow -> found.position(flow).orElse("").contains(last))
        && found.extra("continuous").filter(text -> !text.isEmpty()).isPresent();
  }
}
