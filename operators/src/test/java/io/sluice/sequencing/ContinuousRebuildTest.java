package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A continuous job takes its state from the tables when it starts, whatever happens meanwhile. */
class ContinuousRebuildTest {

  @TempDir Path folder;
  private ContinuousTables tables;

  private ContinuousRun start(ContinuousCase of, Path place) throws Exception {
    tables = new ContinuousTables(of, place);
    return new ContinuousRun(
            of, tables, Duration.ZERO, Duration.ZERO, ContinuousSequencer.OPEN_BYTES, null)
        .startRebuilt(1);
  }

  @ParameterizedTest
  @EnumSource(ContinuousCase.class)
  void the_state_is_rebuilt_from_the_tables_while_events_wait(ContinuousCase of) throws Exception {
    try (ContinuousRun run = start(of, folder)) {
      for (int i = 1; i <= 20; i++) {
        run.send(of.upsert(i % 3, "t" + i / 4, i), of.upsert(9, "x" + i, i));
      }
      run.send(of.delete(1, 21), of.delete(7, 5));
      run.checkpoint();
      List<String> before = tables.rows();

      run.start(2);
      run.rebuild(3);
      run.send(of.upsert(1, "late", 2), of.upsert(9, "in order", 30), of.upsert(8, "new", 1));
      assertThat(run.checkpoint()).hasSize(2).allMatch(UpdateOutput.Rebuilding.class::isInstance);
      run.restore(1);
      run.send(of.delete(9, 31));
      run.rebuild(4);
      assertThat(run.checkpoint()).containsExactly(new UpdateOutput.Rebuilding());
      assertThat(tables.rows()).isEqualTo(before);
      run.endRebuild();
      run.checkpoint();
      assertThat(tables.rows()).isEqualTo(run.expectedRows());
      assertThat(tables.remembered()).isEqualTo(run.expectedRemembered());
      run.restore(2);
      run.send(of.upsert(8, "newer", 2));
      run.checkpoint();
      assertThat(tables.rows()).isEqualTo(run.expectedRows());
    }
  }

  /** How far the rebuild is when a checkpoint is made that the job goes back to. */
  private enum Rebuilt {
    NOTHING {
      @Override
      void reach(ContinuousRun run) {}
    },
    A_PART {
      @Override
      void reach(ContinuousRun run) throws Exception {
        run.rebuild(3);
      }
    },
    ONE_SUBTASK {
      @Override
      void reach(ContinuousRun run) throws Exception {
        run.rebuild(1);
        run.endRebuildOf(1);
      }
    },
    EVERYTHING {
      @Override
      void reach(ContinuousRun run) throws Exception {
        run.endRebuild();
      }
    };

    abstract void reach(ContinuousRun run) throws Exception;
  }

  @ParameterizedTest
  @EnumSource(ContinuousCase.class)
  void a_failure_before_during_and_behind_the_rebuild_loses_and_doubles_nothing(ContinuousCase of)
      throws Exception {
    for (Rebuilt atCheckpoint : Rebuilt.values()) {
      for (Rebuilt atFailure : Rebuilt.values()) {
        if (atFailure.ordinal() >= atCheckpoint.ordinal()) {
          Path place = Files.createTempDirectory(folder, "tables");
          int parallelism = 1 + (of.ordinal() + atCheckpoint.ordinal() + atFailure.ordinal()) % 3;
          failDuringRebuild(of, place, atCheckpoint, atFailure, parallelism);
        }
      }
    }
  }

  private void failDuringRebuild(
      ContinuousCase of, Path place, Rebuilt atCheckpoint, Rebuilt atFailure, int parallelism)
      throws Exception {
    try (ContinuousRun run = start(of, place)) {
      for (int i = 1; i <= 12; i++) {
        run.send(of.upsert(i % 6, "t" + i / 4, i));
      }
      run.send(of.delete(1, 21), of.delete(7, 5));
      run.checkpoint();
      List<String> before = tables.rows();

      run.start(2);
      run.send(of.upsert(1, "late", 2), of.upsert(2, "new", 30), of.delete(3, 31));
      atCheckpoint.reach(run);
      boolean rebuilding =
          run.checkpoint().stream().anyMatch(UpdateOutput.Rebuilding.class::isInstance);
      assertThat(rebuilding).isEqualTo(atCheckpoint != Rebuilt.EVERYTHING);
      if (rebuilding) {
        assertThat(tables.rows()).isEqualTo(before);
      }
      run.send(of.upsert(2, "lost and sent again", 32), of.upsert(8, "as well", 1));
      if (atFailure.ordinal() > atCheckpoint.ordinal()) {
        atFailure.reach(run);
      }
      run.restore(parallelism);
      run.send(of.upsert(3, "behind", 40), of.delete(4, 3));
      run.endRebuildIfNeeded();
      run.checkpoint();
      String when = atCheckpoint + ", " + atFailure + ", " + parallelism;
      assertThat(tables.rows()).as(when).isEqualTo(run.expectedRows());
      assertThat(tables.remembered()).as(when).isEqualTo(run.expectedRemembered());
      run.assertFilesAreThoseOf(tables);
    }
  }
}
