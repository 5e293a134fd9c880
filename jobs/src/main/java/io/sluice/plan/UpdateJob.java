package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.sequencing.AppendFunction;
import io.sluice.sequencing.EventEncoder;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.ExistingRowDecoder;
import io.sluice.sequencing.ExistingRowsFunction;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.InvalidEventOperator;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.KeySet;
import io.sluice.sequencing.KeySetOperator;
import io.sluice.sequencing.PackedRecord;
import io.sluice.sequencing.QuarantineFunction;
import io.sluice.sequencing.RecordStreams;
import io.sluice.sequencing.RowChange;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.RowChangeOperator;
import io.sluice.sequencing.RowChangeSerializer;
import io.sluice.sequencing.RowOrder;
import io.sluice.sequencing.Sequencer;
import io.sluice.sequencing.SequencerPlan;
import io.sluice.sequencing.SimpleTypeInformation;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sequencing.TruncateOperator;
import io.sluice.sequencing.TruncatingSequencer;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.Quarantine;
import io.sluice.table.Tidying;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;

/** Builds the Flink job of one step of an update of one target. */
public final class UpdateJob {

  /** Weight of the sort among the users of a slot's managed memory; it is the only one. */
  private static final TypeInformation<UpdateOutput> OUTPUT =
      JavaSerializer.typeOf(UpdateOutput.class);

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final ResolvedTarget target;
  private final OpenTarget open;
  private final FlinkSession session;
  private final TemporaryNames names = new TemporaryNames();
  private final List<DataStream<InvalidEvent>> invalid = new ArrayList<>();
  private final List<DataStream<byte[]>> truncates = new ArrayList<>();
  private final List<DataStream<UpdateOutput>> outputs = new ArrayList<>();

  private UpdateJob(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      OpenTarget open,
      StreamExecutionEnvironment environment) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.target = target;
    this.open = open;
    this.session = FlinkSession.open(environment, connection, pipeline);
  }

  /**
   * Builds the job.
   *
   * @return the one stream of what its tasks hand to the driver
   */
  public static DataStream<UpdateOutput> build(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      OpenTarget open,
      UpdateStep step,
      StreamExecutionEnvironment environment) {
    UpdateJob job = new UpdateJob(connection, pipeline, target, open, environment);
    List<FlowStep> reading = step.flows().stream().filter(FlowStep::hasRows).toList();
    if (target.layout().isPresent()) {
      job.changes(reading, target.layout().get());
    } else {
      job.append(reading);
    }
    return job.finish();
  }

  private DataStream<UpdateOutput> finish() {
    DataStream<UpdateOutput> all = outputs.get(0);
    for (DataStream<UpdateOutput> more : outputs.subList(1, outputs.size())) {
      all = all.union(more);
    }
    for (DataStream<byte[]> each : truncates) {
      all = all.union(each.<UpdateOutput>map(UpdateOutput.Truncated::new).returns(OUTPUT));
    }
    for (DataStream<InvalidEvent> events : invalid) {
      all = all.union(events.transform("invalid events", OUTPUT, new InvalidEventOperator()));
    }
    if (pipeline.invalidEvents() == InvalidEventRule.QUARANTINE && !invalid.isEmpty()) {
      all = all.union(quarantined());
    }
    return all;
  }

  /** Writes all invalid records into the quarantine; it is committed before its target. */
  private DataStream<UpdateOutput> quarantined() {
    Table table = open.quarantine().orElseThrow().table();
    Map<Destination, RowType> types = Map.of(Destination.QUARANTINE, Quarantine.columns());
    return union(invalid)
        .process(
            new QuarantineFunction(
                open.appliedAtMicros(), open.update(), open.lineage(), open.commit().text()))
        .returns(new SimpleTypeInformation<>(RowChange.class, new RowChangeSerializer(types)))
        .name("quarantine")
        .transform(
            "write quarantine",
            OUTPUT,
            new RowChangeOperator(
                Map.of(Destination.QUARANTINE, SerializableTable.copyOf(table)),
                Map.of(Destination.QUARANTINE, RowOrder.of(Quarantine.columns(), table)),
                open.operationId()));
  }

  private record FlowRows(DataStream<RowData> rows, FlowSources sources, boolean positioned) {}

  private FlowRows rows(FlowStep step, boolean changes) {
    JobSources sources =
        new JobSources(
            session, names, step.flow(), step.inputs(), connection.config().name(), false);
    PlannedQuery query =
        new FlowQueryPlanner(session, pipeline, sources, names)
            .plan(step.flow().flow().query(), step.flow().flow().scope());
    FlowProjection projection = new FlowProjection(session, names, step.flow().flow(), query);
    var table =
        changes
            ? projection.changeRows(
                target.userColumns(),
                step.flow().columns(),
                target.layout().orElseThrow().sequence().type())
            : projection.appendRows(target.userColumns());
    DataStream<RowData> rows = session.rows(table, step.flow().flow().at());
    invalid.addAll(sources.malformed());
    return new FlowRows(rows, sources.flowSources(query.positionedBy()), query.positioned());
  }

  /** One writer for all flows: the names of its files are unique within an operator only. */
  private void append(List<FlowStep> steps) {
    List<DataStream<RowChange>> changes = new ArrayList<>();
    for (FlowStep step : steps) {
      changes.add(
          rows(step, false)
              .rows()
              .process(new AppendFunction(step.flow().flow().order()))
              .returns(changeType())
              .name("append " + step.flow().flow().name()));
    }
    outputs.add(union(changes).transform("write " + target.table().name(), OUTPUT, writer()));
  }

  private RowChangeOperator writer() {
    Map<Destination, Table> tables = new EnumMap<>(Destination.class);
    Map<Destination, RowOrder> orders = new EnumMap<>(Destination.class);
    changedRows()
        .forEach(
            (destination, type) -> {
              Table table =
                  destination == Destination.COMPANION
                      ? open.companion().orElseThrow().table()
                      : open.table();
              tables.put(destination, SerializableTable.copyOf(table));
              orders.put(destination, RowOrder.of(type, table));
            });
    return new RowChangeOperator(tables, orders, open.operationId());
  }

  private TypeInformation<RowChange> changeType() {
    return new SimpleTypeInformation<>(RowChange.class, new RowChangeSerializer(changedRows()));
  }

  /** The tables that the job may change, and the rows that it makes for them. */
  private Map<Destination, RowType> changedRows() {
    Map<Destination, RowType> types = new EnumMap<>(Destination.class);
    types.put(Destination.TARGET, target.fullColumns());
    types.put(Destination.MOVED, target.fullColumns());
    if (open.companion().isPresent() && target.layout().isPresent()) {
      types.put(Destination.COMPANION, target.layout().get().companionColumns());
    }
    return types;
  }

  private void changes(List<FlowStep> steps, TargetLayout layout) {
    RowType columns = target.userColumns();
    SimpleTypeInformation<PackedRecord> type = SimpleTypeInformation.ofRecords();
    List<FlowSources> sources = new ArrayList<>();
    List<DataStream<PackedRecord>> events = new ArrayList<>();
    for (FlowStep step : steps) {
      FlowRows rows = rows(step, true);
      sources.add(rows.sources());
      EventLayout eventLayout =
          new EventLayout(
              columns,
              layout.keys(),
              layout.sequence(),
              step.flow().flow().cdc().orElseThrow().truncateWhen().isPresent(),
              rows.positioned());
      SingleOutputStreamOperator<PackedRecord> encoded =
          rows.rows()
              .process(new EventEncoder(eventLayout, rows.sources()))
              .returns(type)
              .name("events of " + step.flow().flow().name());
      invalid.add(encoded.getSideOutput(EventEncoder.INVALID));
      if (eventLayout.truncates()) {
        truncates.add(
            encoded
                .getSideOutput(EventEncoder.TRUNCATES)
                .transform(
                    "truncates of " + step.flow().flow().name(),
                    PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                    new TruncateOperator(open.floor())));
      }
      events.add(RecordStreams.arriving(encoded));
    }
    DataStream<PackedRecord> records = union(events);
    DataStream<PackedRecord> all = withExistingRows(records, events, layout);
    SequencerPlan plan =
        new SequencerPlan(
            sources,
            open.targetFiles(),
            open.companionFiles(),
            "FAIL".equals(pipeline.setting(Settings.TIES, "RESOLVE")),
            open.appliedAtMicros(),
            open.update(),
            open.floor());
    KeyedStream<PackedRecord, Long> keyed = RecordStreams.byKey(all);
    SingleOutputStreamOperator<RowChange> sequenced =
        truncates.isEmpty()
            ? keyed.process(new Sequencer(layout, plan))
            : keyed
                .connect(union(truncates).broadcast(ExistingRowsFunction.BROADCAST))
                .process(new TruncatingSequencer(layout, plan));
    outputs.add(
        sequenced
            .returns(changeType())
            .name("sequence " + target.table().name())
            .transform("write " + target.table().name(), OUTPUT, writer()));
  }

  /** Adds the rows of the touched keys, of the target and of its companion, if there are any. */
  private DataStream<PackedRecord> withExistingRows(
      DataStream<PackedRecord> records,
      List<DataStream<PackedRecord>> events,
      TargetLayout layout) {
    if (open.targetSplits().isEmpty() && open.companionSplits().isEmpty()) {
      return records;
    }
    List<DataStream<KeySet>> parts = new ArrayList<>();
    for (DataStream<PackedRecord> flow : events) {
      parts.add(flow.transform("keys", JavaSerializer.typeOf(KeySet.class), new KeySetOperator()));
    }
    for (DataStream<byte[]> each : truncates) {
      parts.add(each.map(UpdateJob::truncateOf).returns(JavaSerializer.typeOf(KeySet.class)));
    }
    DataStream<KeySet> keys = union(parts);
    DataStream<PackedRecord> all = records;
    String name = target.table().name().toString();
    if (!open.targetSplits().isEmpty()) {
      ExistingRowDecoder decoder = ExistingRowDecoder.ofTarget(layout);
      all =
          all.union(
              RecordStreams.existing(
                  keys,
                  open.targetSplits(),
                  new ExistingRowsFunction(
                      SerializableTable.copyOf(open.table()), decoder, open.targetFiles()),
                  Tidying.of(open.table(), decoder.columnNames()),
                  name));
    }
    if (!open.companionSplits().isEmpty()) {
      all =
          all.union(
              RecordStreams.existing(
                  keys,
                  open.companionSplits(),
                  new ExistingRowsFunction(
                      SerializableTable.copyOf(open.companion().orElseThrow().table()),
                      ExistingRowDecoder.ofCompanion(layout),
                      open.companionFiles()),
                  Tidying.NONE,
                  "the log of " + name));
    }
    return all;
  }

  private static KeySet truncateOf(byte[] sequence) {
    KeySet set = new KeySet();
    set.truncateAt(sequence);
    return set;
  }

  private static <T> DataStream<T> union(List<DataStream<T>> streams) {
    DataStream<T> all = streams.get(0);
    for (DataStream<T> more : streams.subList(1, streams.size())) {
      all = all.union(more);
    }
    return all;
  }
}
