package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.history.StorageType;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.sequencing.CutoverFunction;
import io.sluice.sequencing.CutoverOperator;
import io.sluice.sequencing.EventEncoder;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.InvalidEventOperator;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.KeySet;
import io.sluice.sequencing.PackedRecord;
import io.sluice.sequencing.RecordStreams;
import io.sluice.sequencing.SimpleTypeInformation;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.Tidying;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The job that checks the cut-over of one target (semantics 0.15): what the seeds gave each key, as
 * tags keep it or, for seeds that have not run, as their sources have it, against all that the live
 * flows can read.
 */
public final class CutoverJob {

  private static final TypeInformation<UpdateOutput> OUTPUT =
      JavaSerializer.typeOf(UpdateOutput.class);

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final ResolvedTarget target;
  private final TargetLayout layout;
  private final FlinkSession session;
  private final TemporaryNames names = new TemporaryNames();
  private final SimpleTypeInformation<PackedRecord> type = SimpleTypeInformation.ofRecords();
  private final List<DataStream<UpdateOutput>> outputs = new ArrayList<>();

  private CutoverJob(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      StreamExecutionEnvironment environment) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.target = target;
    this.layout = target.layout().orElseThrow();
    this.session = FlinkSession.open(environment, connection, pipeline);
  }

  /** Whether a target has seeds and live flows, and one order of events. */
  public static boolean applies(ResolvedTarget target) {
    return target.layout().map(layout -> layout.type() != StorageType.BITEMPORAL).orElse(false)
        && target.flows().stream().anyMatch(each -> each.flow().isSeed())
        && target.flows().stream().anyMatch(each -> each.flow().isLive());
  }

  /** The seeds that have run and of which no tag keeps what they gave. */
  public static boolean isUntold(ResolvedTarget target) {
    return target.flows().stream().anyMatch(each -> each.idle() && each.flow().isSeed())
        && target.state().table().map(table -> seeds(target).isEmpty()).orElse(true);
  }

  private static List<SeededRows> seeds(ResolvedTarget target) {
    return target
        .state()
        .table()
        .map(
            table ->
                SeededRows.of(table, target.state().companion(), target.layout().orElseThrow()))
        .orElse(List.of());
  }

  /** Builds the job of a target to which the check applies. */
  public static DataStream<UpdateOutput> build(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      StreamExecutionEnvironment environment) {
    return new CutoverJob(connection, pipeline, target, environment).build();
  }

  private DataStream<UpdateOutput> build() {
    PositionPlanner planner = new PositionPlanner(connection, target);
    List<DataStream<PackedRecord>> records = new ArrayList<>();
    for (ResolvedFlow flow : target.flows()) {
      if (!flow.idle() && (flow.flow().isSeed() || flow.flow().isLive())) {
        FlowStep step = planner.everything(flow);
        if (step.hasRows()) {
          records.add(events(step));
        }
      }
    }
    seeds(target).forEach(seed -> records.add(seeded(seed)));
    if (records.isEmpty()) {
      return session.environment().fromCollection(List.of(), OUTPUT);
    }
    outputs.add(
        RecordStreams.byKey(Streams.union(records))
            .process(new CutoverFunction(layout, orders(Flow::isSeed), orders(Flow::isLive)))
            .name("cut-over of " + target.table().name())
            .transform("cut-over", OUTPUT, new CutoverOperator(layout))
            .forceNonParallel());
    return Streams.union(outputs);
  }

  private Set<Integer> orders(Predicate<Flow> wanted) {
    return target.flows().stream()
        .map(ResolvedFlow::flow)
        .filter(wanted)
        .map(Flow::order)
        .collect(Collectors.toSet());
  }

  private DataStream<PackedRecord> events(FlowStep step) {
    FlowRows rows = FlowRows.of(connection, pipeline, session, names, target, step);
    EventLayout events = target.events(step.flow(), pipeline.unavailableValue(), rows.position());
    SingleOutputStreamOperator<PackedRecord> encoded =
        rows.rows()
            .process(new EventEncoder(events, rows.sources()))
            .returns(type)
            .name("events of " + step.flow().flow().name());
    rows.malformed().forEach(this::invalid);
    invalid(encoded.getSideOutput(EventEncoder.INVALID));
    return RecordStreams.arriving(encoded);
  }

  private void invalid(DataStream<InvalidEvent> events) {
    outputs.add(events.transform("invalid events", OUTPUT, new InvalidEventOperator()));
  }

  private DataStream<PackedRecord> seeded(SeededRows seed) {
    return RecordStreams.existing(
        session
            .environment()
            .fromCollection(List.of(KeySet.all()), JavaSerializer.typeOf(KeySet.class)),
        seed.splits(),
        seed.reader(),
        Tidying.NONE,
        "the seeds of " + target.table().name());
  }
}
