package io.sluice.sequencing;

import io.sluice.errors.SluiceException;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Seeded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.BooleanSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Watches the cut-over from seeds to live flows in a continuous job (semantics 0.15): counts the
 * live events at or below what the seeds gave their key, or fails at the first one. It stands
 * beside the {@link ContinuousSequencer} and changes nothing.
 *
 * <p>The first input brings the live events, the second what the seeds gave; until that has ended
 * events wait in keyed state, and each checkpoint tells {@link UpdateOutput.Rebuilding}, so that
 * nothing is committed that was not looked at.
 */
public final class CutoverWatch extends AbstractStreamOperator<UpdateOutput>
    implements TwoInputStreamOperator<PackedRecord, PackedRecord, UpdateOutput>, BoundedMultiInput {

  private static final long serialVersionUID = 1L;

  private static final int SEEDS_INPUT = 2;

  private static final String SEEDED = "seeded";
  private static final String WAITING = "waiting";

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final boolean fail;

  private transient ListState<Boolean> ended;
  private transient boolean reading;
  private transient ListState<PackedRecord> seeded;
  private transient ListState<PackedRecord> waiting;
  private transient ValueState<byte[]> last;
  private transient RecordCodec codec;
  private transient CutoverCheck check;

  /**
   * @param plan names the flows
   * @param fail whether the first violation ends the job
   */
  public CutoverWatch(TargetLayout layout, SequencerPlan plan, boolean fail) {
    this.layout = layout;
    this.plan = plan;
    this.fail = fail;
  }

  /**
   * Puts the operator behind its inputs; the caller sets uid and name.
   *
   * @param events packed events of live flows
   * @param seeds what the seeds gave, packed; bounded
   */
  public static SingleOutputStreamOperator<UpdateOutput> keyed(
      DataStream<PackedRecord> events, DataStream<PackedRecord> seeds, CutoverWatch operator) {
    SimpleTypeInformation<RowKey> keys = SimpleTypeInformation.ofKeys();
    return events
        .keyBy(PackedRecord::key, keys)
        .connect(seeds.keyBy(PackedRecord::key, keys))
        .transform("cut-over", JavaSerializer.typeOf(UpdateOutput.class), operator);
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    ended =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("ended", BooleanSerializer.INSTANCE));
    List<Boolean> restored = new ArrayList<>();
    ended.get().forEach(restored::add);
    reading = restored.isEmpty() || restored.contains(false);
  }

  @Override
  public void open() throws Exception {
    super.open();
    seeded =
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>(SEEDED, PackedRecordSerializer.INSTANCE));
    waiting =
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>(WAITING, PackedRecordSerializer.INSTANCE));
    last =
        getRuntimeContext()
            .getState(
                new ValueStateDescriptor<>("last seeded", BytePrimitiveArraySerializer.INSTANCE));
    codec = new RecordCodec(layout.valueColumns().getFieldCount());
    check = new CutoverCheck(layout, plan, fail, counting());
  }

  private CutoverCheck.Violations counting() {
    CutoverCheck.Violations shown = CutoverCheck.counting(getRuntimeContext(), plan);
    Map<Integer, Counter> measured = new HashMap<>();
    for (FlowSources flow : plan.sources()) {
      measured.put(
          flow.order(),
          getMetricGroup()
              .addGroup("target", layout.table())
              .addGroup("flow", flow.flow())
              .counter("cutoverViolations"));
    }
    return flow -> {
      shown.count(flow);
      measured.get(flow).inc();
    };
  }

  /** An event. */
  @Override
  public void processElement1(StreamRecord<PackedRecord> element) throws Exception {
    if (reading) {
      waiting.add(element.getValue());
    } else {
      check(element.getValue());
    }
  }

  private void check(PackedRecord event) throws Exception {
    byte[] sequence = last.value();
    if (sequence == null) {
      return;
    }
    try {
      check.check((NewEvent) codec.unpack(event), sequence);
    } catch (SluiceException e) {
      throw Failures.inTask(e);
    }
  }

  /** Something that a seed gave. */
  @Override
  public void processElement2(StreamRecord<PackedRecord> element) throws Exception {
    seeded.add(element.getValue());
  }

  @Override
  public void endInput(int input) throws Exception {
    if (input != SEEDS_INPUT || !reading) {
      return;
    }
    reading = false;
    for (RowKey key : StateKeys.of(getKeyedStateBackend(), SEEDED)) {
      setCurrentKey(key);
      SeededSequences sequences = new SeededSequences();
      for (PackedRecord record : seeded.get()) {
        sequences.add((Seeded) codec.unpack(record));
      }
      seeded.clear();
      if (sequences.last() != null) {
        last.update(sequences.last());
      }
    }
    for (RowKey key : StateKeys.of(getKeyedStateBackend(), WAITING)) {
      setCurrentKey(key);
      List<PackedRecord> events = new ArrayList<>();
      waiting.get().forEach(events::add);
      waiting.clear();
      for (PackedRecord event : events) {
        check(event);
      }
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    if (reading) {
      output.collect(new StreamRecord<>(new UpdateOutput.Rebuilding()));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    ended.update(List.of(!reading));
  }
}
