package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that die at random commits, and catalogs that answer badly: whatever happens, the
 * tables end as the feed wants them. Every run has a seed, which its name shows.
 */
class DyingIT {

  @TempDir private Path folder;

  /** Lets a few commits through, then the process is dead. */
  private static final class Mortal implements ScriptedCatalog.Script {

    private final AtomicInteger left;
    private final boolean afterTheLast;

    Mortal(int commits, boolean afterTheLast) {
      this.left = new AtomicInteger(commits);
      this.afterTheLast = afterTheLast;
    }

    boolean isDead() {
      return left.get() < 0;
    }

    @Override
    public void commit(TableIdentifier table, Runnable commit) {
      int now = left.decrementAndGet();
      if (now < 0) {
        throw new Died();
      }
      commit.run();
      if (now == 0 && afterTheLast) {
        left.decrementAndGet();
        throw new Died();
      }
    }

    @Override
    public void read(TableIdentifier table) {
      if (isDead()) {
        throw new Died();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void processes_that_die_between_any_two_commits_leave_work_that_the_next_one_ends(long seed) {
    Random random = new Random(seed);
    TownFeed feed = new TownFeed(seed, 12);
    int file = 0;
    for (int batch = 0; batch < 3; batch++) {
      try (Workbench bench = new Workbench(folder)) {
        for (int i = 0; i < 3; i++) {
          bench.write("feed/%03d.json".formatted(file++), feed.lines(15));
        }
      }
      for (int attempt = 0; !updateThatMayDie(random); attempt++) {
        assertThat(attempt).as("attempts of one update").isLessThan(60);
      }
    }
    try (Workbench bench = new Workbench(folder)) {
      // One whole update at the end clears up what the broken ones have left.
      bench.write("feed/%03d.json".formatted(file), feed.lines(15));
      assertThat(bench.update(Towns.SQL).succeeded()).isTrue();
      Towns.assertHolds(bench, feed);
    }
  }

  private boolean updateThatMayDie(Random random) {
    Mortal script = new Mortal(1 + random.nextInt(9), random.nextBoolean());
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      return bench.update(Towns.SQL).succeeded() && !script.isDead();
    } catch (Died died) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void a_catalog_that_answers_badly_neither_loses_nor_doubles_a_row(long seed) {
    TownFeed feed = new TownFeed(seed, 12);
    UnreliableCatalog script = new UnreliableCatalog(seed);
    int file = 0;
    for (int batch = 0; batch < 3; batch++) {
      try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
        for (int i = 0; i < 3; i++) {
          bench.write("feed/%03d.json".formatted(file++), feed.lines(15));
        }
        int attempt = 0;
        while (!bench.update(Towns.SQL).succeeded()) {
          assertThat(attempt++).as("attempts of one update").isLessThan(40);
        }
      }
    }
    try (Workbench bench = new Workbench(folder)) {
      // One whole update at the end clears up what the broken ones have left.
      bench.write("feed/%03d.json".formatted(file), feed.lines(15));
      assertThat(bench.update(Towns.SQL).succeeded()).isTrue();
      Towns.assertHolds(bench, feed);
    }
  }
}
