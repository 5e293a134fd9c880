package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.Sequence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateInitializationContext;

/** The operator state of a {@link ContinuousSequencer}: a {@link SubtaskState} per subtask. */
final class SubtaskFiles {

  /** Tells the tables of everything that the keys of this subtask hold. */
  @FunctionalInterface
  interface Counting {
    void count(KeyTables tables) throws Exception;
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

  /** The greatest sequence of what was forgotten, as of the checkpoint. */
  Sequence mark() {
    return restored.stream()
        .map(SubtaskState::mark)
        .max(Comparator.naturalOrder())
        .orElse(Sequence.LOWEST);
  }

  /**
   * Takes over the files of a checkpoint. After a rescaling the rows in each are counted anew,
   * since every subtask has other keys than before.
   *
   * @throws SluiceException COMMIT_CONFLICT if the state was being rebuilt from other files than
   *     those of the plan
   */
  void restore(KeyGroupRange keyGroups, KeyTables tables, Counting counting) throws Exception {
    boolean counted = restored.isEmpty();
    FileNumbers target = tables.targetFiles();
    FileNumbers companion = tables.companionFiles();
    for (SubtaskState subtask : restored) {
      target.restoreNext(subtask.target().next());
      companion.restoreNext(subtask.companion().next());
      if (isRebuilding()) {
        requirePlanned(subtask.target(), target);
        requirePlanned(subtask.companion(), companion);
      }
      if (subtask.isOf(keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup())) {
        counted = true;
        tables.restoreTombstones(subtask.tombstones());
        subtask.target().entries().forEach(target::restore);
        subtask.companion().entries().forEach(companion::restore);
      }
    }
    if (!counted) {
      for (SubtaskState subtask : restored) {
        subtask.target().entries().forEach(target::restorePath);
        subtask.companion().entries().forEach(companion::restorePath);
      }
      counting.count(tables);
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

  void snapshot(KeyGroupRange keyGroups, boolean rebuilding, KeyTables tables, Sequence mark)
      throws Exception {
    SubtaskState subtask =
        new SubtaskState(
            keyGroups.getStartKeyGroup(),
            keyGroups.getEndKeyGroup(),
            rebuilding,
            tables.tombstones(),
            mark,
            SubtaskState.Files.of(tables.targetFiles()),
            SubtaskState.Files.of(tables.companionFiles()));
    state.update(List.of(subtask.toBytes()));
  }
}
