package io.sluice.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.UpdateOutput;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of checkpoints whose notifications, states or commits get lost. */
class CheckpointCommitterTest {

  private final ScriptedCommits table = new ScriptedCommits();
  private final ScriptedWatch sources = new ScriptedWatch();
  private OneInputStreamOperatorTestHarness<UpdateOutput, Void> job;

  @AfterEach
  void end() throws Exception {
    die();
  }

  /** The job begins; with a state, where that was taken. */
  private void start(OperatorSubtaskState state) throws Exception {
    die();
    job = new OneInputStreamOperatorTestHarness<>(new CheckpointCommitter("towns", table, sources));
    job.setup();
    if (state != null) {
      job.initializeState(state);
    }
    job.open();
  }

  private void die() throws Exception {
    if (job != null) {
      job.getOperator().close();
      job.getEnvironment().close();
      job = null;
    }
  }

  private void read(String what) throws Exception {
    job.processElement(new UpdateOutput.Read("flow", "source", what), 0);
  }

  private OperatorSubtaskState barrier(long checkpoint, String... read) throws Exception {
    for (String each : read) {
      read(each);
    }
    return job.snapshot(checkpoint, 0);
  }

  private void complete(long checkpoint) throws Exception {
    job.notifyOfCompletedCheckpoint(checkpoint);
  }

  private SluiceException failureOf(Throwable thrown) {
    return ExceptionUtils.findThrowable(thrown, SluiceException.class).orElseThrow();
  }

  /** Whether Flink would start the job again from its last checkpoint. */
  private static boolean isTriedAgain(Throwable thrown) {
    return ExceptionUtils.findThrowable(
            thrown,
            cause -> {
              ThrowableAnnotation found = cause.getClass().getAnnotation(ThrowableAnnotation.class);
              return found != null && found.value() == ThrowableType.NonRecoverableError;
            })
        .isEmpty();
  }

  private void assertRefused(OperatorSubtaskState state, String... parts) {
    Throwable thrown = catchThrowable(() -> start(state));
    assertThat(failureOf(thrown).code()).isEqualTo(ErrorCode.CHECKPOINT_REFUSED);
    assertThat(failureOf(thrown)).hasMessageContainingAll(parts);
    assertThat(isTriedAgain(thrown)).isFalse();
  }

  @Test
  void each_checkpoint_with_content_is_a_commit_with_the_next_number() throws Exception {
    start(null);
    barrier(1);
    complete(1);
    barrier(2, "a", "b");
    assertThat(table.history()).isEmpty();
    complete(2);
    barrier(3);
    complete(3);
    barrier(7, "c");
    complete(7);
    assertThat(table.history()).containsExactly("1: a b", "2: c");
  }

  @Test
  void what_nobody_confirms_waits_for_the_next_checkpoint_and_lands_once() throws Exception {
    start(null);
    sources.silent(true);
    barrier(1, "a");
    complete(1);
    OperatorSubtaskState waiting = barrier(2, "b");
    complete(2);
    assertThat(table.history()).isEmpty();
    start(waiting);
    assertThat(table.history()).isEmpty();
    sources.silent(false);
    barrier(3);
    complete(3);
    assertThat(table.history()).containsExactly("1: a", "2: b");
    assertThat(sources.asked())
        .isNotEmpty()
        .allMatch(Set.of(new SourceWatch.Read("flow", "source"))::equals);
  }

  @Test
  void nothing_is_committed_of_a_source_that_was_replaced() throws Exception {
    start(null);
    OperatorSubtaskState state = barrier(1, "a");
    sources.found(new SluiceException(ErrorCode.KAFKA_OFFSETS_LOST, "another topic", "rebuild"));
    Throwable thrown = catchThrowable(() -> complete(1));
    assertThat(failureOf(thrown).code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
    assertThat(isTriedAgain(thrown)).isFalse();
    assertThat(failureOf(catchThrowable(() -> start(state))).code())
        .isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
    assertThat(table.history()).isEmpty();
  }

  @Test
  void a_source_that_is_replaced_ends_the_job_although_nothing_comes() throws Exception {
    start(null);
    barrier(1);
    complete(1);
    sources.found(new SluiceException(ErrorCode.KAFKA_OFFSETS_LOST, "another topic", "rebuild"));
    barrier(2);
    Throwable thrown = catchThrowable(() -> complete(2));
    assertThat(failureOf(thrown).code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
  }

  @Test
  void a_checkpoint_of_which_a_part_is_still_being_rebuilt_waits_for_the_next_one()
      throws Exception {
    start(null);
    read("a");
    job.processElement(new UpdateOutput.Rebuilding(), 0);
    job.processElement(new UpdateOutput.Rebuilding(), 0);
    OperatorSubtaskState rebuilding = barrier(1, "b");
    complete(1);
    assertThat(table.history()).isEmpty();
    start(rebuilding);
    barrier(2, "c");
    complete(2);
    assertThat(table.history()).containsExactly("1: a b c");
  }

  @Test
  void a_restored_job_recalls_what_the_session_of_its_checkpoint_knew() throws Exception {
    start(null);
    barrier(1, "a");
    complete(1);
    OperatorSubtaskState state = barrier(2, "b");
    complete(2);
    assertThat(table.recalled()).isNull();
    start(state);
    assertThat(table.recalled()).isEqualTo("1");
    assertThat(table.history()).containsExactly("1: a", "2: b");
  }

  @Test
  void two_checkpoints_that_are_complete_at_once_are_two_commits_in_their_order() throws Exception {
    start(null);
    barrier(1, "a");
    barrier(2, "b");
    barrier(3);
    barrier(4, "c");
    complete(3);
    assertThat(table.history()).containsExactly("1: a", "2: b");
    complete(4);
    complete(4);
    assertThat(table.history()).containsExactly("1: a", "2: b", "3: c");
  }

  @Test
  void checkpoints_whose_notifications_were_lost_are_committed_by_the_restored_job()
      throws Exception {
    start(null);
    barrier(1, "a");
    OperatorSubtaskState state = barrier(2, "b");
    start(state);
    assertThat(table.history()).containsExactly("1: a", "2: b");
    barrier(3, "c");
    complete(3);
    assertThat(table.history()).containsExactly("1: a", "2: b", "3: c");
  }

  @Test
  void of_two_pending_checkpoints_the_first_of_which_landed_the_second_is_committed()
      throws Exception {
    start(null);
    barrier(1, "a");
    OperatorSubtaskState state = barrier(2, "b");
    complete(1);
    start(state);
    assertThat(table.history()).containsExactly("1: a", "2: b");
    start(state);
    assertThat(table.history()).containsExactly("1: a", "2: b");
  }

  @Test
  void what_came_before_an_aborted_checkpoint_is_in_the_next_one_or_read_again() throws Exception {
    start(null);
    OperatorSubtaskState first = barrier(1, "a");
    complete(1);
    barrier(2, "b");
    job.getOperator().notifyCheckpointAborted(2);
    start(first);
    barrier(3, "b", "c");
    complete(3);
    assertThat(table.history()).containsExactly("1: a", "2: b c");
  }

  @Test
  void a_job_without_a_state_does_not_go_on_with_a_table_that_it_has_committed_to()
      throws Exception {
    start(null);
    barrier(1, "a");
    start(null);
    barrier(1, "a", "b");
    complete(1);
    barrier(2, "c");
    complete(2);
    assertRefused(null, "towns", "no checkpoint", "number 2", "begin anew");
    assertThat(table.history()).containsExactly("1: a b", "2: c");
  }

  @Test
  void a_state_that_is_older_than_the_table_is_refused_with_both_numbers() throws Exception {
    start(null);
    OperatorSubtaskState old = barrier(1, "a");
    complete(1);
    barrier(2, "b");
    barrier(3, "c");
    complete(3);
    assertRefused(old, "towns", "older than the table", "number 1", "number 3");
    assertThat(table.history()).containsExactly("1: a", "2: b", "3: c");
  }

  @Test
  void a_state_whose_commits_the_table_has_lost_is_refused_with_both_numbers() throws Exception {
    start(null);
    barrier(1, "a");
    barrier(2, "b");
    complete(2);
    OperatorSubtaskState state = barrier(3, "c");
    table.landed().remove(1);
    assertRefused(state, "towns", "rolled back", "number 1", "number 2");
    assertThat(table.history()).containsExactly("1: a");
  }

  @Test
  void a_commit_with_the_same_number_that_an_older_job_made_late_does_not_pass_for_ours()
      throws Exception {
    start(null);
    OperatorSubtaskState old = barrier(1, "a");
    complete(1);
    barrier(2, "b");
    Runnable[] late = new Runnable[1];
    table.script(commit -> late[0] = commit);
    complete(2);
    start(old);
    OperatorSubtaskState younger = barrier(2, "b", "c");
    late[0].run();
    assertThat(table.history()).containsExactly("1: a", "2: b");
    assertRefused(younger, "towns", "number 2", "an older one");
  }

  @Test
  void a_commit_that_fails_for_a_while_is_tried_again_by_the_restored_job() throws Exception {
    start(null);
    for (ErrorCode passing :
        new ErrorCode[] {
          ErrorCode.COMMIT_UNKNOWN, ErrorCode.CATALOG_UNAVAILABLE, ErrorCode.STORAGE
        }) {
      int before = table.landed().size();
      OperatorSubtaskState state = barrier(before + 1, passing.name());
      table.script(
          commit -> {
            throw new SluiceException(passing, "scripted", "wait");
          });
      Throwable thrown = catchThrowable(() -> complete(before + 1));
      assertThat(failureOf(thrown).code()).isEqualTo(passing);
      assertThat(isTriedAgain(thrown)).isTrue();
      assertThat(table.landed()).hasSize(before);
      start(state);
      assertThat(table.landed()).hasSize(before + 1);
    }
  }

  @Test
  void a_commit_that_landed_though_its_answer_was_lost_is_not_made_again() throws Exception {
    start(null);
    OperatorSubtaskState state = barrier(1, "a");
    table.script(
        commit -> {
          commit.run();
          throw new SluiceException(ErrorCode.COMMIT_UNKNOWN, "scripted", "wait");
        });
    assertThat(catchThrowable(() -> complete(1))).isNotNull();
    start(state);
    barrier(2, "b");
    complete(2);
    assertThat(table.history()).containsExactly("1: a", "2: b");
  }

  @Test
  void a_conflict_and_a_truncate_end_the_job_for_good() throws Exception {
    start(null);
    barrier(1, "a");
    table.script(
        commit -> {
          throw new SluiceException(ErrorCode.COMMIT_CONFLICT, "scripted", "begin anew");
        });
    Throwable conflict = catchThrowable(() -> complete(1));
    assertThat(failureOf(conflict).code()).isEqualTo(ErrorCode.COMMIT_CONFLICT);
    assertThat(isTriedAgain(conflict)).isFalse();
    start(null);
    job.processElement(new UpdateOutput.Truncated(new byte[] {1}), 0);
    Throwable truncate = catchThrowable(() -> job.snapshot(2, 0));
    assertThat(failureOf(truncate).code()).isEqualTo(ErrorCode.RESTART_NEEDED);
    assertThat(isTriedAgain(truncate)).isFalse();
    assertThat(table.history()).isEmpty();
  }
}
