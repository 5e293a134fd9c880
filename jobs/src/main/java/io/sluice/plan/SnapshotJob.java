package io.sluice.plan;

import io.sluice.history.StorageType;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.sequencing.EventEncoder;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.ExistingRowDecoder;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.HeldRowsFunction;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.PackedRecord;
import io.sluice.sequencing.RecordStreams;
import io.sluice.sequencing.SequencerPlan;
import io.sluice.sequencing.SimpleTypeInformation;
import io.sluice.sequencing.SnapshotPlan;
import io.sluice.sequencing.SnapshotSequencer;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.sequencing.VersionStamp;
import io.sluice.table.RowSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.SerializableTable;

/**
 * The job of a step that applies a snapshot. The rows of the snapshot and the current rows of the
 * target meet by key; nothing of either is held in memory beyond one key.
 */
final class SnapshotJob {

  private static final SimpleTypeInformation<PackedRecord> RECORDS =
      SimpleTypeInformation.ofRecords();

  private final FlinkSession session;
  private final TemporaryNames names;
  private final Pipeline pipeline;
  private final ResolvedTarget target;
  private final OpenTarget open;
  private final String ownCatalog;
  private final List<DataStream<InvalidEvent>> invalid = new ArrayList<>();

  SnapshotJob(
      FlinkSession session,
      TemporaryNames names,
      Pipeline pipeline,
      ResolvedTarget target,
      OpenTarget open,
      String ownCatalog) {
    this.session = session;
    this.names = names;
    this.pipeline = pipeline;
    this.target = target;
    this.open = open;
    this.ownCatalog = ownCatalog;
  }

  /** Rows of the snapshot that cannot be read or have no key; complete after {@link #build}. */
  List<DataStream<InvalidEvent>> invalid() {
    return invalid;
  }

  /** The stream of what the job writes. */
  DataStream<UpdateOutput> build(FlowStep step) {
    TargetLayout layout = target.layout().orElseThrow();
    SnapshotVersion version = step.snapshot().flatMap(SnapshotStep::version).orElseThrow();
    Flow flow = step.flow().flow();
    FlowSources sources = new FlowSources(flow.name(), flow.order(), List.of(), "record");
    DataStream<PackedRecord> records =
        encoded(rows(step, version), layout, step.flow(), version, sources)
            .union(currentRows(layout).toArray(DataStream[]::new));
    SequencerPlan plan =
        new SequencerPlan(
            List.of(sources),
            open.targetFiles(),
            open.companionFiles(),
            false,
            open.appliedAtMicros(),
            open.update(),
            open.collection(),
            open.floor());
    TargetWriter writer = new TargetWriter(target, open);
    return writer.write(
        RecordStreams.byKey(records)
            .process(
                new SnapshotSequencer(
                    layout, plan, new SnapshotPlan(flow.order(), version.bytes())))
            .returns(writer.changeType())
            .name("compare " + target.table().name()));
  }

  private DataStream<RowData> rows(FlowStep step, SnapshotVersion version) {
    ResolvedFlow flow =
        step.flow()
            .withSources(
                FunctionSources.with(
                    step.flow().sources(),
                    FunctionSources.CURRENT_VERSION,
                    version.column().relation(),
                    List.of(version.row())));
    JobSources sources = new JobSources(session, names, flow, step.inputs(), ownCatalog, false);
    PlannedQuery query =
        new FlowQueryPlanner(session, pipeline, sources, names)
            .plan(flow.flow().query(), flow.flow().scope());
    FlowProjection projection = new FlowProjection(session, names, flow.flow(), query);
    DataStream<RowData> rows = projection.appendRows(target.userColumns());
    invalid.addAll(sources.malformed());
    return rows;
  }

  private DataStream<PackedRecord> encoded(
      DataStream<RowData> rows,
      TargetLayout layout,
      ResolvedFlow flow,
      SnapshotVersion version,
      FlowSources sources) {
    RowType columns = target.userColumns();
    List<RowType.RowField> stamped = new ArrayList<>(columns.getFields());
    stamped.add(new RowType.RowField("__sequence", layout.sequence().type()));
    stamped.add(new RowType.RowField("__delete", new BooleanType(false)));
    EventLayout events =
        new EventLayout(
            columns,
            layout.keys(),
            layout.sequence(),
            null,
            false,
            flow.authorship(columns, Optional.empty()),
            layout.partial(),
            EventLayout.Position.NONE);
    SingleOutputStreamOperator<PackedRecord> encoded =
        rows.map(new VersionStamp(layout.sequence(), version.bytes()))
            .returns(InternalTypeInfo.of(new RowType(false, stamped)))
            .process(new EventEncoder(events, sources))
            .returns(RECORDS)
            .name("snapshot of " + sources.flow());
    invalid.add(encoded.getSideOutput(EventEncoder.INVALID));
    return RecordStreams.arriving(encoded);
  }

  /** What the target holds; of SCD type 1 also what its companion remembers of change feeds. */
  private List<DataStream<PackedRecord>> currentRows(TargetLayout layout) {
    List<DataStream<PackedRecord>> current = new ArrayList<>();
    if (!open.targetSplits().isEmpty()) {
      current.add(
          read(
              open.targetSplits(),
              HeldRowsFunction.current(
                  SerializableTable.copyOf(open.table()),
                  ExistingRowDecoder.ofTarget(layout),
                  open.targetFiles())));
    }
    if (layout.type() == StorageType.SCD1 && !open.companionSplits().isEmpty()) {
      current.add(
          read(
              open.companionSplits(),
              HeldRowsFunction.current(
                  SerializableTable.copyOf(open.companion().orElseThrow().table()),
                  ExistingRowDecoder.ofCompanion(layout, open.collection()),
                  open.companionFiles())));
    }
    return current;
  }

  private DataStream<PackedRecord> read(List<RowSplit> splits, HeldRowsFunction reader) {
    return session
        .environment()
        .fromCollection(splits, JavaSerializer.typeOf(RowSplit.class))
        .rebalance()
        .process(reader)
        .returns(RECORDS)
        .name("current rows of " + target.table().name());
  }
}
