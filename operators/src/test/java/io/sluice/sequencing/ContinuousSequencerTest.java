package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.RowChange.Destination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContinuousSequencerTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  private ContinuousTables tables;

  private ContinuousRun start(ContinuousCase of, Duration window, Duration retention)
      throws Exception {
    return start(of, window, retention, ContinuousSequencer.OPEN_BYTES);
  }

  private ContinuousRun start(
      ContinuousCase of, Duration window, Duration retention, long openBytes) throws Exception {
    tables = new ContinuousTables(of, folder);
    return new ContinuousRun(of, tables, window, retention, openBytes, null).startRebuilt(1);
  }

  private static long rowsWritten(List<UpdateOutput> outputs, Destination destination) {
    return outputs.stream()
        .filter(UpdateOutput.Written.class::isInstance)
        .map(UpdateOutput.Written.class::cast)
        .filter(written -> written.destination() == destination)
        .flatMap(written -> written.outcome().dataFiles().stream())
        .mapToLong(DataFile::recordCount)
        .sum();
  }

  private long dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).count();
    }
  }

  @Test
  void events_wait_for_the_window_and_those_of_a_key_are_applied_in_sequence_order()
      throws Exception {
    ContinuousCase of = ContinuousCase.SCD2;
    try (ContinuousRun run = start(of, Duration.ofMillis(100), Duration.ZERO)) {
      run.send(of.upsert(1, "c", 30));
      run.advance(60);
      run.send(of.delete(1, 20), of.upsert(2, "x", 1));
      run.advance(39);
      assertThat(run.applied()).isZero();
      run.send(of.upsert(1, "a", 10));
      run.advance(1);
      assertThat(run.applied()).isEqualTo(4);
      run.advance(60);
      run.send(of.upsert(2, "y", 2));
      run.advance(99);
      assertThat(run.applied()).isEqualTo(4);
      run.advance(1);
      assertThat(run.applied()).isEqualTo(5);
      run.checkpoint();
      assertThat(tables.rows())
          .containsExactly(
              "__END_AT=2 __START_AT=1 id=2 size=1 town=x",
              "__END_AT=20 __START_AT=10 id=1 size=1 town=a",
              "__END_AT=null __START_AT=2 id=2 size=1 town=y",
              "__END_AT=null __START_AT=30 id=1 size=1 town=c");
      assertThat(run.checkpoint()).isEmpty();
    }
  }

  @Test
  void a_barrier_ends_the_window_and_the_next_one_is_as_long_as_any() throws Exception {
    ContinuousCase of = ContinuousCase.SCD1;
    try (ContinuousRun run = start(of, Duration.ofMillis(100), Duration.ZERO)) {
      run.send(of.upsert(1, "a", 1));
      run.advance(60);
      run.checkpoint();
      assertThat(run.applied()).isEqualTo(1);
      run.send(of.upsert(1, "b", 2));
      run.advance(99);
      assertThat(run.applied()).isEqualTo(1);
      run.advance(1);
      assertThat(run.applied()).isEqualTo(2);
    }
  }

  @Test
  void what_came_before_a_retention_ended_is_applied_before_it_ends() throws Exception {
    ContinuousCase of = ContinuousCase.SCD1;
    try (ContinuousRun run = start(of, Duration.ofHours(1), HOUR)) {
      run.send(of.delete(1, 5));
      run.checkpoint();
      run.checkpoint();
      run.checkpoint();
      run.advance(HOUR.toMillis() - 1);
      run.send(of.upsert(1, "late", 4));
      run.advance(HOUR.toMillis() / 2);
      assertThat(run.applied()).isEqualTo(2);
      run.checkpoint();
      assertThat(tables.rows()).isEmpty();
    }
  }

  @Test
  void a_row_that_is_born_and_gone_within_a_checkpoint_is_in_no_file() throws Exception {
    ContinuousCase of = ContinuousCase.SCD2;
    try (ContinuousRun run = start(of, Duration.ZERO, Duration.ZERO)) {
      for (int i = 1; i <= 10; i++) {
        run.send(of.upsert(1, "t" + i, i));
      }
      List<UpdateOutput> outputs = run.checkpoint();
      assertThat(rowsWritten(outputs, Destination.TARGET)).isEqualTo(10);
      assertThat(outputs)
          .allSatisfy(
              output -> assertThat(((UpdateOutput.Written) output).outcome().deleted()).isEmpty());
      assertThat(tables.rows()).hasSize(10);
    }
  }

  @Test
  void of_a_key_that_comes_and_goes_within_a_checkpoint_only_the_tombstone_is_written()
      throws Exception {
    ContinuousCase of = ContinuousCase.SCD1;
    try (ContinuousRun run = start(of, Duration.ZERO, Duration.ZERO)) {
      run.send(of.upsert(1, "a", 1), of.upsert(1, "b", 2), of.delete(1, 3));
      List<UpdateOutput> outputs = run.checkpoint();
      assertThat(rowsWritten(outputs, Destination.TARGET)).isZero();
      assertThat(rowsWritten(outputs, Destination.COMPANION)).isEqualTo(1);
      run.send(of.upsert(1, "c", 4));
      run.checkpoint();
      assertThat(tables.rows()).containsExactly("__SEQUENCE=4 id=1 size=1 town=c");
      assertThat(tables.remembered()).isEmpty();
      assertThat(run.stateEntries()).isEqualTo(1);
    }
  }

  @Test
  void a_tombstone_is_collected_after_its_retention_and_two_later_checkpoints() throws Exception {
    ContinuousCase of = ContinuousCase.SCD1;
    try (ContinuousRun run = start(of, Duration.ZERO, HOUR)) {
      run.advance(10);
      run.send(of.delete(1, 5));
      run.checkpoint();
      assertThat(run.timers()).isEqualTo(1);
      run.advance(HOUR.toMillis());
      assertThat(run.checkpoint()).as("too early").isEmpty();
      assertThat(tables.remembered()).hasSize(1);
      run.restore(2);
      run.advance(HOUR.toMillis());
      run.checkpoint();
      run.checkpoint();
      assertThat(tables.remembered()).hasSize(1);
      assertThat(run.timers()).isEqualTo(1);
      run.advance(HOUR.toMillis());
      List<UpdateOutput> outputs = run.checkpoint();
      assertThat(outputs)
          .filteredOn(UpdateOutput.Expired.class::isInstance)
          .singleElement()
          .extracting(output -> ((UpdateOutput.Expired) output).sequence())
          .isEqualTo(of.delete(1, 5).sequence());
      assertThat(tables.remembered()).isEmpty();
      assertThat(run.stateEntries()).isZero();
      assertThat(run.timers()).isZero();
    }
  }

  @Test
  void a_key_that_lives_again_has_no_timer_left() throws Exception {
    ContinuousCase of = ContinuousCase.SCD1;
    try (ContinuousRun run = start(of, Duration.ZERO, HOUR)) {
      run.send(of.delete(1, 5));
      run.checkpoint();
      assertThat(run.timers()).isEqualTo(1);
      run.send(of.upsert(1, "a", 6));
      run.checkpoint();
      assertThat(run.timers()).isZero();
    }
  }

  @Test
  void a_restored_tombstone_keeps_the_time_at_which_it_was_applied() throws Exception {
    ContinuousCase of = ContinuousCase.SCD2;
    try (ContinuousRun run = start(of, Duration.ZERO, HOUR)) {
      run.send(of.delete(1, 5), of.upsert(2, "a", 1), of.upsert(2, "a", 2), of.upsert(2, "a", 3));
      run.checkpoint();
      assertThat(tables.remembered()).hasSize(3);
      run.advance(HOUR.toMillis() - 10);
      run.startRebuilt(1);
      run.checkpoint();
      run.checkpoint();
      assertThat(run.timers()).isEqualTo(2);
      run.advance(10);
      run.checkpoint();
      assertThat(tables.remembered()).as("the last event of the run stays").hasSize(1);
      assertThat(tables.rows()).hasSize(1);
      assertThat(run.timers()).isZero();
    }
  }

  @Test
  void what_a_failed_attempt_has_written_is_removed() throws Exception {
    ContinuousCase of = ContinuousCase.SCD2;
    try (ContinuousRun run = start(of, Duration.ZERO, Duration.ZERO, 1)) {
      run.send(of.upsert(1, "a", 1));
      run.checkpoint();
      long committed = dataFiles();
      run.send(of.upsert(1, "b", 2), of.delete(2, 1));
      for (int i = 10; i < 1_100; i++) {
        run.send(of.upsert(i, "many", 1));
      }
      assertThat(dataFiles()).isGreaterThan(committed);
      run.close();
      assertThat(dataFiles()).isEqualTo(committed);
      run.restore(1);
      run.checkpoint();
      assertThat(tables.rows()).isEqualTo(run.expectedRows());
    }
  }

  @Test
  void the_end_of_both_inputs_hands_over_what_waits() throws Exception {
    ContinuousCase of = ContinuousCase.SCD1;
    try (ContinuousRun run = start(of, HOUR, Duration.ZERO)) {
      run.start(1);
      run.send(of.upsert(1, "a", 1));
      assertThat(run.end()).hasSize(1);
      assertThat(tables.rows()).containsExactly("__SEQUENCE=1 id=1 size=1 town=a");
    }
  }
}
