package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import io.sluice.table.RowChangeWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.iceberg.Table;

/**
 * The keyed operator of a continuous job. Its state is a cache of the target and its companion:
 * rows, remembered events, and where they lie. Events wait for the reorder window, at most until
 * the next checkpoint barrier; then the {@link EventApplier} applies those of a key together. What
 * goes is deleted where it lies, what is new is written before the barrier, and files and deletes
 * leave as {@link UpdateOutput.Written} of that checkpoint.
 *
 * <p>The first input brings events, the second the rows and remembered events that the tables have
 * at the start of the job. Until it ends events wait in keyed state, and each checkpoint tells
 * {@link UpdateOutput.Rebuilding}.
 *
 * <p>Keys that a checkpoint touches stay in memory until its barrier, or until there are too many
 * of them; then the oldest are written early.
 */
public final class ContinuousSequencer extends AbstractStreamOperator<UpdateOutput>
    implements TwoInputStreamOperator<PackedRecord, PackedRecord, UpdateOutput>,
        Triggerable<RowKey, VoidNamespace>,
        BoundedMultiInput {

  private static final long serialVersionUID = 1L;

  /** Most bytes of open keys and waiting events in memory, estimated. */
  static final long OPEN_BYTES = 128L << 20;

  private static final int REBUILD_INPUT = 2;

  /** Name of the state of the events that wait for the end of the rebuild. */
  private static final String WAITING = "waiting";

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final long window;
  private final RetentionClock retention;
  private final Map<Destination, Table> tables;
  private final Map<Destination, RowOrder> orders;
  private final String operationId;
  private final long openBytes;

  private transient SubtaskFiles subtaskFiles;
  private transient KeyGroupRange keyGroups;
  private transient long restoredCheckpoint;
  private transient boolean rebuilding;
  private transient ListState<PackedRecord> waitingForRebuild;
  private transient InternalTimerService<VoidNamespace> timers;
  private transient KeyTables changed;
  private transient SequencerMetrics counts;
  private transient KeyedWork work;

  /**
   * @param reorderWindow how long the events of a key wait for each other; zero for not at all
   * @param tombstoneRetention how long is remembered what rows do not show; zero for ever
   * @param tables serializable copies of target and companion
   * @param orders how rows come into the column order of each of them
   * @param operationId identifies the run in the names of the files
   */
  public ContinuousSequencer(
      TargetLayout layout,
      SequencerPlan plan,
      Duration reorderWindow,
      Duration tombstoneRetention,
      Map<Destination, Table> tables,
      Map<Destination, RowOrder> orders,
      String operationId) {
    this(layout, plan, reorderWindow, tombstoneRetention, tables, orders, operationId, OPEN_BYTES);
  }

  ContinuousSequencer(
      TargetLayout layout,
      SequencerPlan plan,
      Duration reorderWindow,
      Duration tombstoneRetention,
      Map<Destination, Table> tables,
      Map<Destination, RowOrder> orders,
      String operationId,
      long openBytes) {
    this.layout = layout;
    this.plan = plan;
    this.window = reorderWindow.toMillis();
    this.retention = new RetentionClock(tombstoneRetention);
    this.tables = new EnumMap<>(tables);
    this.orders = new EnumMap<>(orders);
    this.operationId = operationId;
    this.openBytes = openBytes;
  }

  /**
   * Puts the operator behind its inputs; the caller sets uid, name and parallelism.
   *
   * @param events packed events
   * @param rebuild what the tables hold, packed, with the file numbers of the operator's plan;
   *     bounded
   */
  public static SingleOutputStreamOperator<UpdateOutput> keyed(
      DataStream<PackedRecord> events,
      DataStream<PackedRecord> rebuild,
      ContinuousSequencer operator) {
    SimpleTypeInformation<RowKey> keys = SimpleTypeInformation.ofKeys();
    return events
        .keyBy(PackedRecord::key, keys)
        .connect(rebuild.keyBy(PackedRecord::key, keys))
        .transform("sequence", JavaSerializer.typeOf(UpdateOutput.class), operator);
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    subtaskFiles = new SubtaskFiles(context);
    restoredCheckpoint = context.getRestoredCheckpointId().orElse(0);
    rebuilding = subtaskFiles.isRebuilding();
  }

  @Override
  public void open() throws Exception {
    super.open();
    TaskInfo task = getRuntimeContext().getTaskInfo();
    keyGroups =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            task.getMaxNumberOfParallelSubtasks(),
            task.getNumberOfParallelSubtasks(),
            task.getIndexOfThisSubtask());
    waitingForRebuild =
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>(WAITING, PackedRecordSerializer.INSTANCE));
    timers = getInternalTimerService("retention", VoidNamespaceSerializer.INSTANCE, this);
    changed =
        new KeyTables(
            layout,
            plan,
            located(Destination.TARGET, plan.targetFiles(), task),
            located(Destination.COMPANION, plan.companionFiles(), task));
    KeyStore store = new KeyStore(getRuntimeContext(), layout);
    counts =
        new SequencerMetrics(
            getMetricGroup(),
            layout,
            plan.sources(),
            plan.collection().mark(),
            changed::tombstones,
            System::currentTimeMillis);
    counts.raiseMark(subtaskFiles.mark());
    work =
        new KeyedWork(
            new CurrentKey(),
            getProcessingTimeService(),
            layout,
            store,
            changed,
            new EventApplier(layout, plan, counts, changed.targetFiles()::path),
            retention,
            counts,
            window,
            openBytes);
    work.setUpdate(plan.update() + restoredCheckpoint);
    retention.begin(now());
    subtaskFiles.restore(keyGroups, changed, counted -> count(store, counted));
  }

  private LocatedTable located(Destination destination, List<String> planned, TaskInfo task) {
    return new LocatedTable(
        destination,
        () ->
            new RowChangeWriter(
                tables.get(destination),
                task.getIndexOfThisSubtask(),
                task.getAttemptNumber(),
                operationId),
        orders.get(destination),
        new FileNumbers(
            planned, keyGroups.getStartKeyGroup(), task.getMaxNumberOfParallelSubtasks()));
  }

  private void count(KeyStore store, KeyTables counted) throws Exception {
    for (RowKey each : StateKeys.of(getKeyedStateBackend(), KeyStore.HEAD)) {
      setCurrentKey(each);
      OpenKey key = new OpenKey(each);
      store.load(key);
      store.loadBehind(key);
      key.rows.forEach(counted::keep);
      key.remembered.forEach(counted::keep);
    }
  }

  /** The tables as this subtask changes them. */
  KeyTables tables() {
    return changed;
  }

  SequencerMetrics metrics() {
    return counts;
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  /** An event has no use for its key before it is applied. */
  @Override
  @SuppressWarnings("rawtypes")
  public void setKeyContextElement1(StreamRecord element) {}

  /** An event. */
  @Override
  public void processElement1(StreamRecord<PackedRecord> element) throws Exception {
    PackedRecord event = element.getValue();
    if (rebuilding) {
      setCurrentKey(event.key());
      waitingForRebuild.add(event);
    } else {
      work.event(event);
    }
  }

  /** Something that a table holds. */
  @Override
  public void processElement2(StreamRecord<PackedRecord> element) throws Exception {
    work.known((RowKey) getCurrentKey(), element.getValue());
  }

  @Override
  public void endInput(int input) throws Exception {
    if (input != REBUILD_INPUT || !rebuilding) {
      return;
    }
    rebuilding = false;
    for (RowKey key : StateKeys.of(getKeyedStateBackend(), WAITING)) {
      setCurrentKey(key);
      List<PackedRecord> events = new ArrayList<>();
      waitingForRebuild.get().forEach(events::add);
      waitingForRebuild.clear();
      work.apply(key, events);
    }
  }

  private void emit(UpdateOutput result) {
    output.collect(new StreamRecord<>(result));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    work.flush(this::emit);
    work.setUpdate(plan.update() + checkpointId);
    if (rebuilding) {
      emit(new UpdateOutput.Rebuilding());
    } else {
      retention.barrier(checkpointId, now());
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    subtaskFiles.snapshot(keyGroups, rebuilding, changed, counts.mark());
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    retention.complete(checkpointId);
  }

  @Override
  public void onProcessingTime(InternalTimer<RowKey, VoidNamespace> timer) throws Exception {
    work.look(timer.getKey());
  }

  @Override
  public void onEventTime(InternalTimer<RowKey, VoidNamespace> timer) {
    throw new IllegalStateException("there are no timers of event time");
  }

  @Override
  public void finish() throws Exception {
    work.flush(this::emit);
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (changed != null) {
      changed.close();
    }
    super.close();
  }

  private final class CurrentKey implements KeyedWork.Keys {

    @Override
    public void setCurrent(RowKey key) {
      setCurrentKey(key);
    }

    @Override
    public void moveTimer(long from, long to) {
      if (from != 0) {
        timers.deleteProcessingTimeTimer(VoidNamespace.INSTANCE, from);
      }
      if (to != 0) {
        timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, to);
      }
    }
  }
}
