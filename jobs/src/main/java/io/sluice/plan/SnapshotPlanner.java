package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.history.InvalidSequenceException;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.SnapshotVersions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.TimestampData;

/**
 * The version loop of a snapshot flow (semantics 11.2): each version is a step with a commit of its
 * own, and what the ledger says after it decides about the next one.
 */
final class SnapshotPlanner {

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final ResolvedTarget target;
  private final Supplier<StreamExecutionEnvironment> environments;
  private Optional<SnapshotVersion> before;

  /**
   * @param environments gives an environment for each run of a version query
   */
  SnapshotPlanner(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      Supplier<StreamExecutionEnvironment> environments) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.target = target;
    this.environments = environments;
  }

  /**
   * The next snapshot of the target; empty if there is none now.
   *
   * @param number of the step within the update
   * @throws SluiceException OUT_OF_ORDER_SNAPSHOT_VERSION,
   *     AUTO_CDC_FROM_SNAPSHOT_NON_EMPTY_TARGET_WITHOUT_VERSION, or an error of the version query
   */
  Optional<UpdateStep> next(FlowHistory history, int number) {
    return target.flows().stream()
        .filter(flow -> flow.snapshot().isPresent() && !history.hasRun(flow.flow()))
        .findFirst()
        .flatMap(flow -> next(flow, history))
        .map(step -> new UpdateStep(number, List.of(step)));
  }

  private Optional<FlowStep> next(ResolvedFlow flow, FlowHistory history) {
    Optional<SnapshotVersion> last = history.version(flow.flow());
    if (before == null) {
      before = last;
    }
    boolean taken = !last.equals(before);
    SnapshotVersions versions = flow.flow().snapshot().orElseThrow();
    if (versions instanceof SnapshotVersions.ByQuery) {
      return byQuery(flow, last, taken);
    }
    if (versions instanceof SnapshotVersions.ByFunction) {
      return byFunction(flow, last);
    }
    if (taken) {
      return Optional.empty();
    }
    if (versions instanceof SnapshotVersions.InitialLoad) {
      requireEmpty(flow.flow(), last, history);
    }
    return Optional.of(step(flow, now(flow), last, true));
  }

  private Optional<FlowStep> byQuery(
      ResolvedFlow flow, Optional<SnapshotVersion> last, boolean taken) {
    ResolvedSnapshot snapshot = flow.snapshot().orElseThrow();
    if (taken && !snapshot.readsSources()) {
      return Optional.empty();
    }
    FlinkSession session = FlinkSession.open(environments.get(), connection, pipeline);
    Optional<SnapshotVersion> next =
        new VersionQuery(
                session, pipeline, new TemporaryNames(), connection.config().name(), flow.flow())
            .next(snapshot, last);
    if (next.isPresent()) {
      return Optional.of(step(flow, next.get(), last, !snapshot.readsSources()));
    }
    boolean done = flow.flow().once() && last.isPresent();
    return done ? Optional.of(done(flow, last)) : Optional.empty();
  }

  private Optional<FlowStep> byFunction(ResolvedFlow flow, Optional<SnapshotVersion> last) {
    Optional<FunctionSnapshot> next = FunctionSnapshot.next(flow.flow(), last);
    if (next.isEmpty()) {
      return flow.flow().once() ? Optional.of(done(flow, last)) : Optional.empty();
    }
    FlinkSession session = FlinkSession.open(environments.get(), connection, pipeline);
    FunctionSnapshot.Resolved snapshot =
        next.get()
            .requireSuccessorOf(last)
            .resolve(new SourceResolver(connection, session, pipeline, Map.of()));
    ResolvedFlow reading =
        new ResolvedFlow(
            snapshot.flow(),
            snapshot.sources(),
            flow.columns(),
            flow.sequence(),
            flow.systemSequence(),
            Set.of(),
            false,
            Optional.of(snapshot.snapshot()),
            false);
    return Optional.of(step(reading, next.get().version(), last, false));
  }

  private static FlowStep done(ResolvedFlow flow, Optional<SnapshotVersion> last) {
    return new FlowStep(
        flow,
        Map.of(),
        FlowPosition.START,
        Optional.of(new SnapshotStep(Optional.empty(), last, true)));
  }

  private static FlowStep step(
      ResolvedFlow flow, SnapshotVersion version, Optional<SnapshotVersion> last, boolean only) {
    if (last.isPresent() && version.compareTo(last.get()) <= 0) {
      throw problem(
          flow.flow(),
          ErrorCode.OUT_OF_ORDER_SNAPSHOT_VERSION,
          "version " + version + " is not greater than " + last.get() + ", which was applied last",
          "Let WITH VERSION give only versions above that of last_snapshot_version(), and no row"
              + " where there is none");
    }
    return new FlowStep(
        flow,
        SnapshotFiles.of(flow, version),
        FlowPosition.START,
        Optional.of(new SnapshotStep(Optional.of(version), last, only)));
  }

  private static SnapshotVersion now(ResolvedFlow flow) {
    TimestampData now = TimestampData.fromInstant(Instant.now().truncatedTo(ChronoUnit.MICROS));
    try {
      return SnapshotVersion.of(flow.snapshot().orElseThrow().column(), GenericRowData.of(now));
    } catch (InvalidSequenceException e) {
      throw new IllegalStateException(e);
    }
  }

  private void requireEmpty(Flow flow, Optional<SnapshotVersion> last, FlowHistory history) {
    if (last.isPresent() || history.targetHasRows()) {
      throw problem(
          flow,
          ErrorCode.AUTO_CDC_FROM_SNAPSHOT_NON_EMPTY_TARGET_WITHOUT_VERSION,
          "it has no WITH VERSION, and table "
              + target.table().name()
              + (last.isPresent()
                  ? " holds the snapshot of " + last.get() + " already"
                  : " is not empty"),
          "Add WITH VERSION (query), which tells later snapshots from earlier ones, or write ONCE"
              + " for a load that is not repeated");
    }
  }

  private static SluiceException problem(Flow flow, ErrorCode code, String message, String remedy) {
    return new SluiceException(
        Problem.at(flow.at(), code, "flow '" + flow.name() + "': " + message, remedy));
  }
}
