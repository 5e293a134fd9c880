package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.history.StorageType;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.sequencing.AppendFunction;
import io.sluice.sequencing.Cutover;
import io.sluice.sequencing.EventEncoder;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.GreatestSequenceOperator;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.InvalidEventOperator;
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
import io.sluice.sequencing.TruncatingSequencer;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.Quarantine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;

/** Builds the Flink job of one step of an update of one target. */
public final class UpdateJob {

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final ResolvedTarget target;
  private final OpenTarget open;
  private final FlinkSession session;
  private final TargetWriter writer;
  private final TemporaryNames names = new TemporaryNames();
  private final List<DataStream<InvalidEvent>> invalid = new ArrayList<>();
  private final List<DataStream<UpdateOutput>> expectations = new ArrayList<>();
  private final List<DataStream<byte[]>> truncates = new ArrayList<>();
  private final List<DataStream<byte[]>> expired = new ArrayList<>();
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
    this.writer = new TargetWriter(target, open);
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
    if (!reading.isEmpty() && reading.get(0).snapshot().isPresent()) {
      job.snapshot(reading.get(0));
    } else if (target.layout().isPresent()) {
      job.changes(reading, target.layout().get());
    } else {
      job.append(reading);
    }
    return job.finish();
  }

  private void snapshot(FlowStep step) {
    SnapshotJob job =
        new SnapshotJob(session, names, pipeline, target, open, connection.config().name());
    outputs.add(job.build(step));
    invalid.addAll(job.invalid());
  }

  private DataStream<UpdateOutput> finish() {
    List<DataStream<UpdateOutput>> early = new ArrayList<>(expectations);
    for (DataStream<byte[]> each : truncates) {
      early.add(each.<UpdateOutput>map(UpdateOutput.Truncated::new).returns(TargetWriter.OUTPUT));
    }
    for (DataStream<byte[]> each : expired) {
      early.add(each.<UpdateOutput>map(UpdateOutput.Expired::new).returns(TargetWriter.OUTPUT));
    }
    for (DataStream<InvalidEvent> events : invalid) {
      early.add(
          events.transform("invalid events", TargetWriter.OUTPUT, new InvalidEventOperator()));
    }
    if (pipeline.invalidEvents() == InvalidEventRule.QUARANTINE && !invalid.isEmpty()) {
      early.add(quarantined());
    }
    outputs.addAll(early);
    // With truncates all that stands before the sequencer ends before that begins; a pipelined
    // exchange around it would tie both parts together again.
    if (!truncates.isEmpty()) {
      outputs.replaceAll(Streams::blocking);
    }
    return Streams.union(outputs);
  }

  private FlowRows rows(FlowStep step) {
    FlowRows rows = FlowRows.of(connection, pipeline, session, names, target, step);
    invalid.addAll(rows.malformed());
    expectations.addAll(rows.expectations());
    return rows;
  }

  /** Writes all invalid records into the quarantine; it is committed before its target. */
  private DataStream<UpdateOutput> quarantined() {
    Table table = open.quarantine().orElseThrow().table();
    Map<Destination, RowType> types = Map.of(Destination.QUARANTINE, Quarantine.columns());
    return Streams.union(invalid)
        .process(
            new QuarantineFunction(
                open.appliedAtMicros(), open.update(), open.lineage(), open.commit().text()))
        .returns(new SimpleTypeInformation<>(RowChange.class, new RowChangeSerializer(types)))
        .name("quarantine")
        .transform(
            "write quarantine",
            TargetWriter.OUTPUT,
            new RowChangeOperator(
                Map.of(Destination.QUARANTINE, SerializableTable.copyOf(table)),
                Map.of(Destination.QUARANTINE, RowOrder.of(Quarantine.columns(), table)),
                open.operationId()));
  }

  private void append(List<FlowStep> steps) {
    List<DataStream<RowChange>> changes = new ArrayList<>();
    for (FlowStep step : steps) {
      changes.add(
          rows(step)
              .rows()
              .process(new AppendFunction(step.flow().flow().order()))
              .returns(writer.changeType())
              .name("append " + step.flow().flow().name()));
    }
    outputs.add(writer.write(Streams.union(changes)));
  }

  private void changes(List<FlowStep> steps, TargetLayout layout) {
    SimpleTypeInformation<PackedRecord> type = SimpleTypeInformation.ofRecords();
    List<FlowSources> sources = new ArrayList<>();
    List<DataStream<PackedRecord>> events = new ArrayList<>();
    for (FlowStep step : steps) {
      FlowRows rows = rows(step);
      sources.add(rows.sources());
      EventLayout eventLayout =
          target.events(step.flow(), pipeline.unavailableValue(), rows.position());
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
                    new GreatestSequenceOperator(open.floor())));
      }
      events.add(RecordStreams.arriving(encoded));
    }
    Cutover cutover = cutover(steps);
    List<SeededRows> seeds =
        cutover.step() == Cutover.Step.LIVE
            ? SeededRows.of(open.table(), open.companion(), layout)
            : List.of();
    boolean wholeKeys = cutover.step() == Cutover.Step.SEED;
    ExistingRows existing = new ExistingRows(session, target, open, layout, wholeKeys);
    DataStream<PackedRecord> all = existing.with(events, truncates, seeds);
    existing.expired().ifPresent(expired::add);
    SequencerPlan plan =
        open.plan(sources, "FAIL".equals(pipeline.setting(Settings.TIES, "RESOLVE")));
    SingleOutputStreamOperator<RowChange> sequenced =
        truncates.isEmpty()
            ? RecordStreams.byKey(all).process(new Sequencer(layout, plan, cutover))
            : RecordStreams.byKey(Streams.blocking(all))
                .connect(
                    Streams.blocking(Streams.union(truncates))
                        .broadcast(TruncatingSequencer.BROADCAST))
                .process(new TruncatingSequencer(layout, plan, cutover));
    outputs.add(
        writer.write(
            sequenced.returns(writer.changeType()).name("sequence " + target.table().name())));
  }

  /** Seeds and live flows come in steps of their own; see {@link UpdateStep#seedsFirst}. */
  private Cutover cutover(List<FlowStep> steps) {
    String setting = pipeline.setting(Settings.CUTOVER, "WARN");
    boolean oneOrder = target.layout().orElseThrow().type() != StorageType.BITEMPORAL;
    if (!oneOrder
        || setting.equals("OFF")
        || target.flows().stream().noneMatch(each -> each.flow().isLive())) {
      return Cutover.NONE;
    }
    boolean seeding = steps.stream().anyMatch(step -> step.flow().flow().isSeed());
    Cutover.Step step =
        seeding
            ? Cutover.Step.SEED
            : open.snapshot().isPresent() ? Cutover.Step.LIVE : Cutover.Step.UNCHECKED;
    return new Cutover(step, setting.equals("FAIL"));
  }
}
