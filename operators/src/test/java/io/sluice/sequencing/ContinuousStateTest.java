package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.RowChange.Destination;
import io.sluice.table.DeletedPositions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.apache.iceberg.DataFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * State that an earlier version wrote is read by this one. The stored states were written with
 * {@code -Dsluice.write-state=true}; a new form of the state gets new ones beside them.
 */
class ContinuousStateTest {

  private static final ContinuousCase OF = ContinuousCase.SCD2;
  private static final Path STORED = Path.of("src/test/resources/io/sluice/sequencing");

  @TempDir Path folder;

  private ContinuousRun run() {
    return new ContinuousRun(
        OF,
        new ContinuousTables(OF, folder),
        Duration.ZERO,
        Duration.ofHours(1),
        ContinuousSequencer.OPEN_BYTES,
        null);
  }

  private static OperatorSubtaskState stored(String name, ContinuousRun current) throws Exception {
    Path file = STORED.resolve(name);
    if (Boolean.getBoolean("sluice.write-state")) {
      Files.createDirectories(STORED);
      OperatorSnapshotUtil.writeStateHandle(current.lastState(), file.toString());
    }
    return OperatorSnapshotUtil.readStateHandle(file.toString());
  }

  @Test
  void rows_remembered_events_files_and_timers_of_version_1() throws Exception {
    try (ContinuousRun run = run()) {
      run.startRebuilt(1);
      run.send(OF.upsert(1, "a", 10), OF.upsert(1, "b", 20), OF.upsert(1, "c", 30));
      run.send(OF.delete(2, 5));
      run.checkpoint();
      run.startFrom(stored("continuous-state-1", run));
      assertThat(run.timers()).isEqualTo(1);
      run.send(OF.upsert(1, "late", 15), OF.upsert(2, "y", 3));
      List<UpdateOutput> outputs = run.barrier();
      assertThat(rows(outputs, Destination.TARGET)).isEqualTo(3);
      assertThat(deleted(outputs, Destination.TARGET).values())
          .containsExactly(DeletedPositions.of(0));
      assertThat(deleted(outputs, Destination.COMPANION).values())
          .containsExactly(DeletedPositions.of(0));
      assertThat(deleted(outputs, Destination.COMPANION).keySet())
          .allMatch(path -> path.contains("towns__log/data/__KIND=DELETE/"));
      assertThat(run.timers()).isZero();
    }
  }

  @Test
  void events_that_wait_for_a_rebuild_of_version_1() throws Exception {
    try (ContinuousRun run = run()) {
      run.start(1);
      run.send(OF.upsert(1, "a", 10), OF.upsert(1, "b", 20));
      run.checkpoint();
      run.startFrom(stored("continuous-state-1-rebuilding", run));
      assertThat(run.barrier()).containsExactly(new UpdateOutput.Rebuilding());
      run.endRebuild();
      assertThat(rows(run.barrier(), Destination.TARGET)).isEqualTo(2);
    }
  }

  private static long rows(List<UpdateOutput> outputs, Destination destination) {
    return written(outputs, destination).stream()
        .flatMap(written -> written.outcome().dataFiles().stream())
        .mapToLong(DataFile::recordCount)
        .sum();
  }

  private static Map<String, DeletedPositions> deleted(
      List<UpdateOutput> outputs, Destination destination) {
    return written(outputs, destination).get(0).outcome().deleted();
  }

  private static List<UpdateOutput.Written> written(
      List<UpdateOutput> outputs, Destination destination) {
    return outputs.stream()
        .filter(UpdateOutput.Written.class::isInstance)
        .map(UpdateOutput.Written.class::cast)
        .filter(written -> written.destination() == destination)
        .toList();
  }
}
