package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.KeyedRecord.NewEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;

/** A continuous job under test: subtasks, checkpoints, commits, and all events that it got. */
final class ContinuousRun implements AutoCloseable {

  static final int MAX_PARALLELISM = 16;

  private final ContinuousCase of;
  private final ContinuousTables tables;
  private final Duration window;
  private final Duration retention;
  private final long openBytes;
  private final StateBackend backend;
  private final RecordCodec codec;
  private final List<NewEvent> sent = new ArrayList<>();
  private final List<UpdateOutput> uncommitted = new ArrayList<>();
  private List<
          KeyedTwoInputStreamOperatorTestHarness<RowKey, PackedRecord, PackedRecord, UpdateOutput>>
      subtasks = new ArrayList<>();
  private SequencerPlan plan;
  private List<PackedRecord> toRebuild = List.of();
  private Checkpoint last;
  private int checkpoints;
  private long now = 1_000_000;

  private record Checkpoint(
      int id,
      OperatorSubtaskState state,
      int parallelism,
      int events,
      List<PackedRecord> toRebuild,
      boolean ended,
      SequencerPlan plan,
      List<UpdateOutput> uncommitted) {}

  private boolean ended;

  ContinuousRun(
      ContinuousCase of,
      ContinuousTables tables,
      Duration window,
      Duration retention,
      long openBytes,
      StateBackend backend) {
    this.of = of;
    this.tables = tables;
    this.window = window;
    this.retention = retention;
    this.openBytes = openBytes;
    this.backend = backend;
    this.codec = new RecordCodec(of.layout.valueColumns().getFieldCount());
  }

  /** Starts from the table; the rebuild is not sent yet. */
  ContinuousRun start(int parallelism) throws Exception {
    close();
    plan =
        ContinuousCase.plan(
            ContinuousTables.files(tables.targetSplits()),
            ContinuousTables.files(tables.companionSplits()));
    last = null;
    uncommitted.clear();
    ended = false;
    open(parallelism, null, 0);
    RuntimeContext context = subtasks.get(0).getOperator().getRuntimeContext();
    toRebuild = tables.rebuild(context);
    return this;
  }

  /** The same, and everything is rebuilt at once. */
  ContinuousRun startRebuilt(int parallelism) throws Exception {
    start(parallelism);
    rebuild(Integer.MAX_VALUE);
    endRebuild();
    return this;
  }

  private void open(int parallelism, OperatorSubtaskState state, int stateParallelism)
      throws Exception {
    for (int i = 0; i < parallelism; i++) {
      ContinuousSequencer operator =
          new ContinuousSequencer(
              of.layout,
              plan,
              window,
              retention,
              tables.copies(),
              tables.orders(),
              "op",
              openBytes);
      var subtask =
          new KeyedTwoInputStreamOperatorTestHarness<>(
              operator,
              PackedRecord::key,
              PackedRecord::key,
              SimpleTypeInformation.ofKeys(),
              MAX_PARALLELISM,
              parallelism,
              i);
      if (backend != null) {
        subtask.setStateBackend(backend);
      }
      subtask.setup(new JavaSerializer<>());
      subtask.setProcessingTime(now);
      if (state != null) {
        subtask.setRestoredCheckpointId(last.id());
        subtask.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                state, MAX_PARALLELISM, stateParallelism, parallelism, i));
      }
      subtask.open();
      subtasks.add(subtask);
    }
  }

  private KeyedTwoInputStreamOperatorTestHarness<RowKey, PackedRecord, PackedRecord, UpdateOutput>
      of(RowKey key) {
    return subtasks.get(
        KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, subtasks.size()));
  }

  void send(NewEvent... events) throws Exception {
    for (NewEvent event : events) {
      sent.add(event);
      of(event.key()).processElement1(codec.pack(event), 0);
    }
  }

  /** Sends some more of what the tables had at the start. */
  void rebuild(int records) throws Exception {
    int count = Math.min(records, toRebuild.size());
    for (PackedRecord record : toRebuild.subList(0, count)) {
      of(record.key()).processElement2(record, 0);
    }
    toRebuild = List.copyOf(toRebuild.subList(count, toRebuild.size()));
  }

  boolean isRebuilt() {
    return ended;
  }

  void endRebuild() throws Exception {
    rebuild(Integer.MAX_VALUE);
    ended = true;
    for (var subtask : subtasks) {
      subtask.endInput2();
    }
  }

  /** One subtask has everything, the others still wait. */
  void endRebuildOf(int subtask) throws Exception {
    List<PackedRecord> others = new ArrayList<>();
    for (PackedRecord record : toRebuild) {
      if (of(record.key()) == subtasks.get(subtask)) {
        subtasks.get(subtask).processElement2(record, 0);
      } else {
        others.add(record);
      }
    }
    toRebuild = List.copyOf(others);
    subtasks.get(subtask).endInput2();
  }

  void endRebuildIfNeeded() throws Exception {
    if (!ended) {
      endRebuild();
    }
  }

  /** The state names the files that have live rows, and no others. */
  void assertFilesAreThoseOf(ContinuousTables expected) {
    Set<String> target = new TreeSet<>();
    Set<String> companion = new TreeSet<>();
    for (var subtask : subtasks) {
      ContinuousSequencer operator = (ContinuousSequencer) subtask.getOperator();
      operator.tables().targetFiles().entries().forEach(entry -> target.add(entry.path()));
      operator.tables().companionFiles().entries().forEach(entry -> companion.add(entry.path()));
    }
    assertThat(target).isEqualTo(expected.liveFiles());
    assertThat(companion).isEqualTo(expected.liveCompanionFiles());
  }

  void advance(long millis) throws Exception {
    now += millis;
    for (var subtask : subtasks) {
      subtask.setProcessingTime(now);
    }
  }

  /** A checkpoint that completes; what it hands over is committed unless it waits for a rebuild. */
  List<UpdateOutput> checkpoint() throws Exception {
    int id = ++checkpoints;
    List<UpdateOutput> outputs = new ArrayList<>();
    OperatorSubtaskState[] states = new OperatorSubtaskState[subtasks.size()];
    for (int i = 0; i < states.length; i++) {
      subtasks.get(i).prepareSnapshotPreBarrier(id);
      states[i] = subtasks.get(i).snapshot(id, now);
      outputs.addAll(subtasks.get(i).extractOutputValues());
      subtasks.get(i).getOutput().clear();
    }
    uncommitted.addAll(outputs);
    boolean rebuilding = outputs.stream().anyMatch(UpdateOutput.Rebuilding.class::isInstance);
    if (!rebuilding) {
      tables.commit(uncommitted);
      uncommitted.clear();
    }
    last =
        new Checkpoint(
            id,
            AbstractStreamOperatorTestHarness.repackageState(states),
            states.length,
            sent.size(),
            toRebuild,
            ended,
            plan,
            List.copyOf(uncommitted));
    for (var subtask : subtasks) {
      subtask.notifyOfCompletedCheckpoint(id);
    }
    return outputs;
  }

  /** A barrier alone: what the subtasks hand over. */
  List<UpdateOutput> barrier() throws Exception {
    List<UpdateOutput> outputs = new ArrayList<>();
    for (var subtask : subtasks) {
      subtask.prepareSnapshotPreBarrier(checkpoints + 1);
      outputs.addAll(subtask.extractOutputValues());
      subtask.getOutput().clear();
    }
    return outputs;
  }

  OperatorSubtaskState lastState() {
    return last.state();
  }

  /** Starts one subtask from a state that was written elsewhere. */
  void startFrom(OperatorSubtaskState state) throws Exception {
    close();
    open(1, state, 1);
  }

  boolean hasCheckpoint() {
    return last != null;
  }

  /** All subtasks die, and go on from the last checkpoint with another parallelism. */
  void restore(int parallelism) throws Exception {
    close();
    plan = last.plan();
    ended = last.ended();
    toRebuild = last.toRebuild();
    uncommitted.clear();
    uncommitted.addAll(last.uncommitted());
    open(parallelism, last.state(), last.parallelism());
    if (ended) {
      for (var subtask : subtasks) {
        subtask.endInput2();
      }
    }
    resend(last.events());
  }

  /** All subtasks die with their checkpoints, and start from the table; no commit was lost. */
  void loseCheckpoints(int parallelism) throws Exception {
    int committed = last == null ? 0 : last.events();
    start(parallelism);
    resend(committed);
  }

  private void resend(int from) throws Exception {
    List<NewEvent> again = List.copyOf(sent.subList(from, sent.size()));
    sent.subList(from, sent.size()).clear();
    send(again.toArray(NewEvent[]::new));
  }

  List<UpdateOutput> end() throws Exception {
    List<UpdateOutput> outputs = new ArrayList<>();
    for (var subtask : subtasks) {
      subtask.endInput1();
      if (!ended) {
        subtask.endInput2();
      }
      subtask.getOperator().finish();
      outputs.addAll(subtask.extractOutputValues());
      subtask.getOutput().clear();
    }
    tables.commit(outputs);
    return outputs;
  }

  /** Events that all subtasks have applied since they started. */
  long applied() {
    return subtasks.stream()
        .mapToLong(subtask -> ((ContinuousSequencer) subtask.getOperator()).metrics().applied())
        .sum();
  }

  /** Deletes that all subtasks remember, as their metrics tell. */
  long tombstones() {
    return subtasks.stream()
        .mapToLong(subtask -> ((ContinuousSequencer) subtask.getOperator()).tables().tombstones())
        .sum();
  }

  int stateEntries() {
    return subtasks.stream().mapToInt(subtask -> subtask.numKeyedStateEntries()).sum();
  }

  int timers() {
    return subtasks.stream().mapToInt(subtask -> subtask.numProcessingTimeTimers()).sum();
  }

  /** All subtasks die; the harness would finish them. */
  @Override
  public void close() throws Exception {
    for (var subtask : subtasks) {
      subtask.getOperator().close();
      subtask.getEnvironment().close();
    }
    subtasks = new ArrayList<>();
  }

  /** The rows that all events in one batch give, sorted. */
  List<String> expectedRows() {
    return new SequencedAtOnce(of, sent).rows;
  }

  /** What all events in one batch leave in the companion, sorted. */
  List<String> expectedRemembered() {
    return new SequencedAtOnce(of, sent).remembered;
  }
}
