package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.continuous.CheckpointCommitter;
import io.sluice.continuous.Commits;
import io.sluice.continuous.TopicWatch;
import io.sluice.history.StorageType;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.sequencing.AppendFunction;
import io.sluice.sequencing.ContinuousSequencer;
import io.sluice.sequencing.CutoverWatch;
import io.sluice.sequencing.EventEncoder;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.ExistingRowDecoder;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.HeldRowsFunction;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.InvalidEventOperator;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.PackedRecord;
import io.sluice.sequencing.RowChange;
import io.sluice.sequencing.SequencerPlan;
import io.sluice.sequencing.SimpleTypeInformation;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.RowSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.iceberg.SerializableTable;

/**
 * Builds the one unbounded job of a continuous run: for each target its flows, the sequencer with
 * the rows that its state is rebuilt from, and a committer.
 */
public final class ContinuousJob {

  private static final SimpleTypeInformation<PackedRecord> RECORDS =
      SimpleTypeInformation.ofRecords();

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final FlinkSession session;
  private final TemporaryNames names = new TemporaryNames();

  /**
   * @param environment for streaming
   */
  public ContinuousJob(
      CatalogConnection connection, Pipeline pipeline, StreamExecutionEnvironment environment) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.session = FlinkSession.openStreaming(environment, connection, pipeline);
  }

  /**
   * Adds a target to the job.
   *
   * @param history what its flows have read
   * @param open the target, as of the commit with which the run begins
   * @param commits how it is committed
   */
  public void add(ResolvedTarget target, FlowHistory history, OpenTarget open, Commits commits) {
    String uid = pipeline.name() + "/" + target.table().name();
    List<DataStream<UpdateOutput>> outputs = new ArrayList<>();
    List<DataStream<InvalidEvent>> invalid = new ArrayList<>();
    TargetWriter writer = new TargetWriter(target, open);
    List<Planned> flows = new ArrayList<>();
    List<TopicWatch.Watched> topics = new ArrayList<>();
    for (ResolvedFlow flow : ContinuousFlows.of(target)) {
      ContinuousSources sources =
          new ContinuousSources(
              session,
              names,
              connection,
              flow,
              history.position(flow.flow()),
              pipeline.duration(Settings.DISCOVERY_INTERVAL),
              uid + "/" + flow.flow().name());
      FlowRows rows = FlowRows.of(pipeline, session, names, target, flow, sources);
      nameRest(rows.rows().getTransformation(), uid + "/" + flow.flow().name());
      flows.add(new Planned(flow, rows));
      outputs.addAll(sources.positions());
      topics.addAll(sources.watched());
      outputs.addAll(rows.expectations());
      invalid.addAll(rows.malformed());
    }
    if (flows.isEmpty()) {
      return;
    }
    outputs.add(
        target.layout().isPresent()
            ? changes(target.layout().get(), target, open, flows, invalid, writer, uid)
            : appended(target, flows, writer, uid));
    for (DataStream<InvalidEvent> events : invalid) {
      outputs.add(
          events.transform(
              "invalid events",
              TargetWriter.OUTPUT,
              new InvalidEventOperator(
                  pipeline.invalidEvents() == InvalidEventRule.QUARANTINE
                      ? Integer.MAX_VALUE
                      : InvalidEventOperator.SAMPLES)));
    }
    DataStreamSink<Void> end =
        Streams.union(outputs)
            .transform(
                "commit " + target.table().name(),
                Types.VOID,
                new CheckpointCommitter(
                    target.table().name().toString(), commits, new TopicWatch(topics)))
            .uid(uid + "/commit")
            .setParallelism(1)
            .setMaxParallelism(1)
            .sinkTo(new DiscardingSink<>())
            .name("done")
            .setParallelism(1);
    nameRest(end.getTransformation(), uid);
  }

  /**
   * Gives a uid to operators that need none, because they keep nothing, and to those that Flink's
   * planner makes. The same definition gives the same ones.
   *
   * @param uid of the target or of one of its flows, with which the others begin
   */
  private static void nameRest(Transformation<?> end, String uid) {
    int number = 0;
    for (Transformation<?> each : end.getTransitivePredecessors()) {
      if (each instanceof PhysicalTransformation && each.getUid() == null) {
        each.setUid(uid + "/operator" + number++);
      }
    }
  }

  private record Planned(ResolvedFlow flow, FlowRows rows) {}

  private DataStream<UpdateOutput> appended(
      ResolvedTarget target, List<Planned> flows, TargetWriter writer, String uid) {
    List<DataStream<RowChange>> changes = new ArrayList<>();
    for (Planned each : flows) {
      Flow flow = each.flow().flow();
      changes.add(
          each.rows()
              .rows()
              .process(new AppendFunction(flow.order()))
              .returns(writer.changeType())
              .name("append " + flow.name()));
    }
    return writer.write(Streams.union(changes)).uid(uid + "/write");
  }

  private DataStream<UpdateOutput> changes(
      TargetLayout layout,
      ResolvedTarget target,
      OpenTarget open,
      List<Planned> flows,
      List<DataStream<InvalidEvent>> invalid,
      TargetWriter writer,
      String uid) {
    List<DataStream<PackedRecord>> events = new ArrayList<>();
    List<DataStream<UpdateOutput>> outputs = new ArrayList<>();
    List<FlowSources> sources = new ArrayList<>();
    for (Planned each : flows) {
      EventLayout row =
          target.events(each.flow(), pipeline.unavailableValue(), each.rows().position());
      SingleOutputStreamOperator<PackedRecord> encoded =
          each.rows()
              .rows()
              .process(new EventEncoder(row, each.rows().sources()))
              .returns(RECORDS)
              .name("events of " + each.flow().flow().name());
      invalid.add(encoded.getSideOutput(EventEncoder.INVALID));
      if (row.truncates()) {
        outputs.add(
            encoded
                .getSideOutput(EventEncoder.TRUNCATES)
                .<UpdateOutput>map(UpdateOutput.Truncated::new)
                .returns(TargetWriter.OUTPUT)
                .name("truncates of " + each.flow().flow().name()));
      }
      events.add(encoded);
      sources.add(each.rows().sources());
    }
    SequencerPlan plan =
        open.plan(sources, "FAIL".equals(pipeline.setting(Settings.TIES, "RESOLVE")));
    ContinuousSequencer sequencer =
        new ContinuousSequencer(
            layout,
            plan,
            pipeline.duration(Settings.REORDER_WINDOW),
            pipeline.tombstoneRetention(target.table()),
            writer.tables(),
            writer.orders(),
            open.operationId());
    outputs.add(
        ContinuousSequencer.keyed(
                Streams.union(events), rebuild(layout, target, open, uid), sequencer)
            .name("sequence " + target.table().name())
            .uid(uid + "/sequence"));
    watchCutover(layout, target, open, plan, events, uid).ifPresent(outputs::add);
    return Streams.union(outputs);
  }

  /** Live events are held against what seeds gave their keys, where there are seeds. */
  private Optional<DataStream<UpdateOutput>> watchCutover(
      TargetLayout layout,
      ResolvedTarget target,
      OpenTarget open,
      SequencerPlan plan,
      List<DataStream<PackedRecord>> events,
      String uid) {
    String setting = pipeline.setting(Settings.CUTOVER, "WARN");
    if (layout.type() == StorageType.BITEMPORAL || setting.equals("OFF")) {
      return Optional.empty();
    }
    List<DataStream<PackedRecord>> seeds = new ArrayList<>();
    for (SeededRows seed : SeededRows.of(open.table(), open.companion(), layout)) {
      seeds.add(
          read(
              seed.splits(),
              seed.reader().ofAllKeys(),
              "seed of " + target.table().name(),
              uid + "/seed" + seeds.size()));
    }
    return seeds.isEmpty()
        ? Optional.empty()
        : Optional.of(
            CutoverWatch.keyed(
                    Streams.union(events),
                    Streams.union(seeds),
                    new CutoverWatch(layout, plan, setting.equals("FAIL")))
                .name("cut-over of " + target.table().name())
                .uid(uid + "/cut-over"));
  }

  /** All that the table and its companion hold. */
  private DataStream<PackedRecord> rebuild(
      TargetLayout layout, ResolvedTarget target, OpenTarget open, String uid) {
    DataStream<PackedRecord> rows =
        read(
            open.targetSplits(),
            HeldRowsFunction.all(
                SerializableTable.copyOf(open.table()),
                ExistingRowDecoder.ofTarget(layout),
                open.targetFiles()),
            "rows of " + target.table().name(),
            uid + "/rows");
    return open.companion().isEmpty()
        ? rows
        : rows.union(
            read(
                open.companionSplits(),
                HeldRowsFunction.all(
                    SerializableTable.copyOf(open.companion().get().table()),
                    ExistingRowDecoder.ofCompanion(layout, open.collection()),
                    open.companionFiles()),
                "log of " + target.table().name(),
                uid + "/log"));
  }

  private DataStream<PackedRecord> read(
      List<RowSplit> splits, HeldRowsFunction reader, String name, String uid) {
    return session
        .environment()
        .fromCollection(splits, JavaSerializer.typeOf(RowSplit.class))
        .name("splits")
        .uid(uid + "/splits")
        .rebalance()
        .process(reader)
        .returns(RECORDS)
        .name(name)
        .uid(uid);
  }
}
