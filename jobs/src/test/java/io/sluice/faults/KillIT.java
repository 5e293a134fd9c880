package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real process, killed by the operating system at random moments from its start to just behind
 * its usual end, and started again until the update is done. A failure names its seed: run it again
 * with {@code -Dsluice.test.seed=<seed>}.
 */
class KillIT {

  private static final int KILLS = 10;

  @TempDir private Path folder;

  private int file;

  @Test
  void whatever_moment_a_process_is_killed_the_next_ones_do_the_work_once() {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("KillIT seed " + seed);
    Random random = new Random(seed);
    TownFeed feed = new TownFeed(seed, 12);
    try (Workbench bench = new Workbench(folder)) {
      bench.write("towns.sql", Towns.SQL);
      land(bench, feed);
      long usual = undisturbed();
      int killed = 0;
      for (int started = 0; killed < KILLS; started++) {
        assertThat(started).as("starts, seed %d", seed).isLessThan(5 * KILLS);
        long begun = System.nanoTime();
        try (SluiceProcess process = update()) {
          if (!process.endsWithin(usual / 5 + random.nextLong(usual))) {
            process.kill();
            killed++;
          } else {
            assertThat(process.exitCode()).as("seed %d: %s", seed, process.output()).isZero();
            usual = Math.min(usual, (System.nanoTime() - begun) / 1_000_000);
            land(bench, feed);
          }
        }
      }
      // One whole update at the end clears up what the killed ones have left.
      land(bench, feed);
      undisturbed();
      Towns.assertHolds(bench, feed);
    }
  }

  private void land(Workbench bench, TownFeed feed) {
    for (int i = 0; i < 3; i++) {
      bench.write("feed/%03d.json".formatted(file++), feed.lines(15));
    }
  }

  private SluiceProcess update() {
    return SluiceProcess.start(
        folder,
        Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString()),
        "run",
        "towns.sql",
        "--set",
        "dir=" + folder);
  }

  /** Runs an update to its end; gives the milliseconds that it took. */
  private long undisturbed() {
    long started = System.nanoTime();
    try (SluiceProcess process = update()) {
      assertThat(process.endsWithin(300_000)).as(process.output()).isTrue();
      assertThat(process.exitCode()).as(process.output()).isZero();
    }
    return (System.nanoTime() - started) / 1_000_000;
  }
}
