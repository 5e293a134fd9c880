package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateInitializationContext;

/** The operator state of a {@link ContinuousSequencer}: a {@link SubtaskState} per subtask. */
final class SubtaskFiles {

  /** Tells all files of the rows of this subtask, one call per row. */
  @FunctionalInterface
  interface Counting {
    void count(FileNumbers target, FileNumbers companion) throws Exception;
  }

  private final ListState<byte[]> state;
  private final List<SubtaskState> restored = new ArrayList<>();

  SubtaskFiles(StateInitializationContext context) throws Exception {
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("subtasks", BytePrimitiveArraySerializer.INSTANCE));
    for (byte[] bytes : state.get()) {
      restored.add(SubtaskState.of(bytes));
    }
  }

  /** Whether rows of the table may be missing in the state. */
  boolean isRebuilding() {
    return restored.isEmpty() || restored.stream().anyMatch(SubtaskState::rebuilding);
  }

  /**
   * Takes over the files of a checkpoint. After a rescaling the rows in each are counted anew,
   * since every subtask has other keys than before.
   *
   * @throws SluiceException COMMIT_CONFLICT if the state was being rebuilt from other files than
   *     those of the plan
   */
  void restore(
      KeyGroupRange keyGroups, FileNumbers target, FileNumbers companion, Counting counting)
      throws Exception {
    boolean counted = restored.isEmpty();
    for (SubtaskState subtask : restored) {
      target.restoreNext(subtask.target().next());
      companion.restoreNext(subtask.companion().next());
      if (isRebuilding()) {
        requirePlanned(subtask.target(), target);
        requirePlanned(subtask.companion(), companion);
      }
      if (subtask.isOf(keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup())) {
        counted = true;
        subtask.target().entries().forEach(target::restore);
        subtask.companion().entries().forEach(companion::restore);
      }
    }
    if (!counted) {
      for (SubtaskState subtask : restored) {
        subtask.target().entries().forEach(target::restorePath);
        subtask.companion().entries().forEach(companion::restorePath);
      }
      counting.count(target, companion);
      target.dropEmpty();
      companion.dropEmpty();
    }
    restored.clear();
  }

  private static void requirePlanned(SubtaskState.Files files, FileNumbers numbers) {
    for (FileNumbers.Entry entry : files.entries()) {
      if (!numbers.isPlanned(entry)) {
        throw new SluiceException(
            ErrorCode.COMMIT_CONFLICT,
            "the checkpoint was made while the state was being rebuilt from file "
                + entry.path()
                + ", which is not among those that the table has now",
            "Start from the table instead of this checkpoint");
      }
    }
  }

  void snapshot(
      KeyGroupRange keyGroups, boolean rebuilding, FileNumbers target, FileNumbers companion)
      throws Exception {
    SubtaskState subtask =
        new SubtaskState(
            keyGroups.getStartKeyGroup(),
            keyGroups.getEndKeyGroup(),
            rebuilding,
            SubtaskState.Files.of(target),
            SubtaskState.Files.of(companion));
    state.update(List.of(subtask.toBytes()));
  }
}
