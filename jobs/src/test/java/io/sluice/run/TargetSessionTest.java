package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.catalog.CatalogConnection;
import io.sluice.continuous.Checkpoint;
import io.sluice.continuous.Commits;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.faults.ScriptedCatalog;
import io.sluice.kafka.TopicOffsets;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.plan.ContinuousMarker;
import io.sluice.plan.SourceProgress;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.CommitId;
import io.sluice.table.CommitRequest;
import io.sluice.table.Ledger;
import io.sluice.table.RowChangeWriter;
import io.sluice.table.TableCommitter;
import io.sluice.table.TargetDefinition;
import io.sluice.table.TargetTables;
import io.sluice.table.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.table.data.GenericRowData;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints of a continuous run against a real table whose catalog answers as a test says. */
class TargetSessionTest {

  private static final TableIdentifier NAME = TableIdentifier.of("default", "towns");
  private static final String SOURCE = "kafka:towns";

  @TempDir private Path folder;

  private final String run = UUID.randomUUID().toString();
  private ScriptedCatalog.Script script = ScriptedCatalog.Script.NONE;
  private Workbench bench;

  /** Sessions of tasks that the job has given up. */
  private final List<Commits.Session> cutOff = new ArrayList<>();

  /** The process is gone: nothing may catch this. */
  private static final class Gone extends Error {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void create() {
    bench =
        new Workbench(
            folder,
            ScriptedCatalog.config(folder, (table, commit) -> script.commit(table, commit)));
    Table table =
        TargetTables.create(
            bench.connection().catalog(),
            NAME,
            new TargetDefinition(
                new Schema(Types.NestedField.optional(1, "id", Types.IntegerType.get())),
                List.of(),
                List.of(),
                Optional.empty(),
                Map.of()));
    note(table, run, CommitId.of(run, 0), ContinuousMarker.begin(run, 128));
  }

  @AfterEach
  void close() {
    cutOff.forEach(Commits.Session::close);
    bench.close();
  }

  /** A commit of a run that changes the ledger alone. */
  private static void note(Table table, String lineage, CommitId id, ContinuousMarker marker) {
    Ledger.Builder ledger =
        Ledger.read(table)
            .map(found -> found.ledger().toBuilder())
            .orElseGet(() -> Ledger.start("towns").toBuilder().lineage(lineage));
    marker.write(ledger);
    OptionalLong planned =
        table.currentSnapshot() == null
            ? OptionalLong.empty()
            : OptionalLong.of(table.currentSnapshot().snapshotId());
    new TableCommitter()
        .commit(table, new CommitRequest(List.of(), ledger.build(), planned, false, false, id));
  }

  /** The session of a task that starts now. */
  private Commits.Session open() {
    CatalogConnection connection = bench.connection();
    return new TargetCommits(
            connection.loader(),
            TargetCommits.nameOf(NAME),
            connection.catalog().loadTable(NAME).schema(),
            run,
            List.of("flow"),
            false,
            InvalidEventRule.FAIL)
        .open();
  }

  /** A checkpoint with a row of its own number, read at the offset of that number. */
  private Checkpoint checkpoint(int number, String token) {
    List<UpdateOutput> outputs = new ArrayList<>();
    try (RowChangeWriter writer = new RowChangeWriter(bench.table("towns"), 0, 0, run)) {
      writer.insert(GenericRowData.of(number), 0);
      for (WriteOutcome outcome : writer.complete()) {
        outputs.add(new UpdateOutput.Written(Destination.TARGET, outcome));
      }
    }
    outputs.add(
        new UpdateOutput.Read(
            "flow",
            SOURCE,
            new SourceProgress.Topic(TopicOffsets.of("topic", Map.of(0, number + 1L)))));
    return new Checkpoint(new Checkpoint.Id(number, token), outputs);
  }

  private List<Object> rows() {
    return bench.rows("towns").stream().map(row -> row.get("id")).sorted().toList();
  }

  private long offset() {
    String position =
        Ledger.read(bench.table("towns")).orElseThrow().ledger().position("flow").orElseThrow();
    return Long.parseLong(position.replaceAll(".*\"0\":(\\d+).*", "$1"));
  }

  private int commits() {
    int commits = 0;
    for (Snapshot each : bench.table("towns").snapshots()) {
      commits++;
    }
    return commits;
  }

  @Test
  void a_session_tells_the_last_checkpoint_of_its_run() {
    try (Commits.Session first = open()) {
      assertThat(first.committed()).isEqualTo(Checkpoint.Id.BEGIN);
      first.commit(checkpoint(1, "a"));
      first.commit(checkpoint(2, "b"));
    }
    try (Commits.Session next = open()) {
      assertThat(next.committed()).isEqualTo(new Checkpoint.Id(2, "b"));
    }
    assertThat(rows()).containsExactly(1, 2);
    assertThat(offset()).isEqualTo(3);
  }

  @Test
  void a_commit_whose_answer_is_lost_lands_once() {
    int[] left = {2};
    Checkpoint landing = checkpoint(1, "a");
    Checkpoint lost = checkpoint(2, "b");
    try (Commits.Session session = open()) {
      script =
          (table, commit) -> {
            left[0]--;
            if (left[0] == 1) {
              commit.run();
            }
            if (left[0] >= 0) {
              throw new CommitStateUnknownException(new RuntimeException("scripted silence"));
            }
            commit.run();
          };
      session.commit(landing);
      session.commit(lost);
    }
    assertThat(rows()).containsExactly(1, 2);
    assertThat(offset()).isEqualTo(3);
    assertThat(commits()).isEqualTo(3);
  }

  @Test
  void a_commit_of_a_dead_task_that_lands_while_the_next_one_repeats_it_is_one_commit() {
    Checkpoint checkpoint = checkpoint(1, "a");
    Runnable late = heldBack(checkpoint);
    try (Commits.Session next = open()) {
      assertThat(next.committed()).isEqualTo(Checkpoint.Id.BEGIN);
      boolean[] landed = new boolean[1];
      script =
          (table, commit) -> {
            if (!landed[0]) {
              landed[0] = true;
              late.run();
            }
            commit.run();
          };
      next.commit(checkpoint);
      next.commit(checkpoint(2, "b"));
    }
    assertThat(rows()).containsExactly(1, 2);
    assertThat(offset()).isEqualTo(3);
    assertThat(commits()).isEqualTo(3);
  }

  @Test
  void a_late_commit_with_the_number_of_ours_and_other_content_is_a_conflict() {
    Runnable late = heldBack(checkpoint(1, "old"));
    try (Commits.Session next = open()) {
      late.run();
      assertConflict(() -> next.commit(checkpoint(1, "new")), "another run of Sluice");
    }
    assertThat(rows()).containsExactly(1);
    assertThat(commits()).isEqualTo(2);
  }

  @Test
  void a_commit_that_would_land_behind_its_own_repetition_is_refused_by_the_catalog() {
    Checkpoint checkpoint = checkpoint(1, "a");
    Runnable late = heldBack(checkpoint);
    try (Commits.Session next = open()) {
      next.commit(checkpoint);
    }
    assertThat(catchThrowable(late::run))
        .isInstanceOf(org.apache.iceberg.exceptions.CommitFailedException.class);
    assertThat(rows()).containsExactly(1);
    assertThat(commits()).isEqualTo(2);
  }

  /** A task commits a checkpoint and dies; its commit is still under way. */
  private Runnable heldBack(Checkpoint checkpoint) {
    Runnable[] late = new Runnable[1];
    script =
        (table, commit) -> {
          late[0] = commit;
          throw new Gone();
        };
    Commits.Session dying = open();
    cutOff.add(dying);
    assertThat(catchThrowable(() -> dying.commit(checkpoint))).isInstanceOf(Gone.class);
    script = ScriptedCatalog.Script.NONE;
    return late[0];
  }

  @Test
  void two_runs_that_are_alive_never_write_one_behind_the_other() {
    try (Commits.Session old = open()) {
      old.commit(checkpoint(1, "a"));
      Table table = bench.table("towns");
      note(table, run, CommitId.of("other", 0), ContinuousMarker.begin("other", 128));
      assertConflict(() -> old.commit(checkpoint(2, "b")), "another run of Sluice");
      try (Commits.Session restarted = open()) {
        assertConflict(restarted::committed, "other/0");
      }
    }
    assertThat(rows()).containsExactly(1);
  }

  @Test
  void a_job_that_outlives_the_end_of_its_run_ends_too() {
    try (Commits.Session outliving = open()) {
      note(
          bench.table("towns"),
          run,
          new CommitId(run + "/stopped"),
          ContinuousMarker.begin(run, 128));
      assertConflict(() -> outliving.commit(checkpoint(1, "a")), "another run of Sluice");
      try (Commits.Session restarted = open()) {
        assertConflict(restarted::committed, "/stopped");
      }
    }
    assertThat(rows()).isEmpty();
  }

  private static void assertConflict(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String part) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(SluiceException.class).hasMessageContaining(part);
    assertThat(((SluiceException) thrown).code()).isEqualTo(ErrorCode.COMMIT_CONFLICT);
  }
}
