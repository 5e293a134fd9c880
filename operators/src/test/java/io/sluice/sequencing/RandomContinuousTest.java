package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.KeyedRecord.NewEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Random;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the order of arrival, and wherever barriers, failures, rescalings and rebuilds fall:
 * target and companion are those of one triggered update with all events.
 */
class RandomContinuousTest {

  private static final int EVENTS = 150;
  private static final int[] PARALLELISMS = {1, 4, 2};

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(ContinuousCase.class)
  void any_run_gives_what_one_update_gives(ContinuousCase of) throws Exception {
    runSeeded(of, null);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCD2_PARTIAL_TRACKING", "BITEMPORAL"})
  void the_same_holds_with_state_in_rocksdb(ContinuousCase of) throws Exception {
    runSeeded(of, new EmbeddedRocksDBStateBackend());
  }

  private void runSeeded(ContinuousCase of, StateBackend backend) {
    long seed = Long.getLong("sluice.seed", new Random().nextLong());
    try {
      run(of, seed, backend);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(of + " with -Dsluice.seed=" + seed, e);
    }
  }

  private void run(ContinuousCase of, long seed, StateBackend backend) throws Exception {
    Random random = new Random(seed);
    long openBytes = new long[] {1, 3_000, 1 << 20}[random.nextInt(3)];
    Duration window = Duration.ofMillis(random.nextInt(3) * 100L);
    String[] partitioning = random.nextBoolean() ? new String[] {"bucket(3, id)"} : new String[0];
    ContinuousTables tables = new ContinuousTables(of, folder, partitioning);
    try (ContinuousRun run =
        new ContinuousRun(of, tables, window, Duration.ZERO, openBytes, backend)) {
      run.startRebuilt(1 + random.nextInt(2));
      for (int i = 1; i <= EVENTS; i++) {
        run.send(event(of, random, i));
        step(run, random);
      }
      run.endRebuildIfNeeded();
      run.checkpoint();
      assertThat(tables.rows()).isEqualTo(run.expectedRows());
      assertThat(tables.remembered()).isEqualTo(run.expectedRemembered());
      assertThat(run.timers()).isZero();
      assertThat(run.tombstones())
          .isEqualTo(tables.remembered().stream().filter(e -> e.contains("=DELETE")).count());
      assertThat(run.checkpoint()).isEmpty();
      run.assertFilesAreThoseOf(tables);
    }
  }

  private static void step(ContinuousRun run, Random random) throws Exception {
    if (!run.isRebuilt()) {
      run.rebuild(random.nextInt(10));
      if (random.nextInt(10) == 0) {
        run.endRebuild();
      }
    }
    switch (random.nextInt(60)) {
      case 0, 1, 2, 3 -> run.checkpoint();
      case 4, 5, 6, 7, 8, 9, 10 -> run.advance(50);
      case 11, 12 -> {
        if (run.hasCheckpoint()) {
          run.restore(PARALLELISMS[random.nextInt(3)]);
        }
      }
      case 13 -> {
        if (run.isRebuilt() && run.hasCheckpoint()) {
          run.checkpoint();
          run.loseCheckpoints(PARALLELISMS[random.nextInt(3)]);
        }
      }
      default -> {}
    }
  }

  private static NewEvent event(ContinuousCase of, Random random, int offset) {
    int id = random.nextInt(5);
    long sequence = late(random, offset);
    long system = late(random, offset);
    if (random.nextInt(5) == 0) {
      return of.delete(id, sequence, system, offset);
    }
    BitSet authored = null;
    if (of.layout.partial() && random.nextBoolean()) {
      boolean size = random.nextBoolean();
      authored = new BitSet();
      authored.set(0);
      authored.set(1, !size || random.nextBoolean());
      authored.set(2, size);
      authored = authored.cardinality() == 3 ? null : authored;
    }
    boolean town = authored == null || authored.get(1);
    return of.upsert(
        id,
        town ? "t" + random.nextInt(3) : null,
        authored == null || authored.get(2) ? random.nextInt(2) : 0,
        authored,
        sequence,
        system,
        offset);
  }

  /** Mostly in order, sometimes far behind. */
  private static long late(Random random, int offset) {
    return switch (random.nextInt(6)) {
      case 0 -> 1 + random.nextInt(offset);
      case 1, 2 -> Math.max(1, offset - random.nextInt(8));
      default -> offset;
    };
  }
}
