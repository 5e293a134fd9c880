package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.ContinuousJob;
import io.sluice.plan.ContinuousMarker;
import io.sluice.plan.DefinitionResolver;
import io.sluice.plan.FlowHistory;
import io.sluice.plan.OpenTarget;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.TargetOpener;
import io.sluice.plan.TargetState;
import io.sluice.plan.UpdateStep;
import io.sluice.table.CommitId;
import io.sluice.table.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.iceberg.Table;

/**
 * A continuous run of a pipeline. A triggered update first reads what is there, ONCE flows
 * included; then one unbounded job keeps all tables, each checkpoint one commit per table. Between
 * both each table gets a commit that says who keeps it from now on. Whatever changes the ground
 * under the job, such as a compaction by somebody else, ends it, and the run begins anew from the
 * tables.
 */
public final class ContinuousRun {

  /** What another begin from the tables mends. */
  private static final Set<ErrorCode> MENDED =
      Set.of(ErrorCode.COMMIT_CONFLICT, ErrorCode.CHECKPOINT_REFUSED, ErrorCode.RESTART_NEEDED);

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final UpdateOptions options;
  private final ProgressListener listener;
  private final Consumer<String> notices;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;

  /**
   * @param options parallelism, and whether tables are taken over from another run
   * @param notices is told what the user should know while the run goes on
   */
  public ContinuousRun(
      CatalogConnection connection,
      FlinkRuntime runtime,
      UpdateOptions options,
      ProgressListener listener,
      Consumer<String> notices) {
    this.connection = connection;
    this.runtime = runtime;
    this.options = options;
    this.listener = listener;
    this.notices = notices;
  }

  /**
   * Runs until somebody stops it.
   *
   * @throws SluiceException if it cannot go on; what was committed stays
   */
  public void run(Pipeline pipeline) {
    try {
      UpdateOptions now = options;
      while (!stopping) {
        requireSuccess(new Update(connection, runtime, now, listener).run(pipeline));
        now = options.takingOver();
        String run = UUID.randomUUID().toString();
        long began = System.currentTimeMillis();
        try {
          runJob(pipeline, run);
          return;
        } catch (SluiceException e) {
          if (!MENDED.contains(e.code()) || !isStillOurs(pipeline, run, began)) {
            leave(pipeline, run);
            throw e;
          }
          notices.accept("the run begins anew from the tables: " + e.getMessage());
        }
      }
    } finally {
      ended.countDown();
    }
  }

  /** Lets the run end with a last checkpoint; returns at once. */
  public void requestStop() {
    stopping = true;
  }

  /** Ends the run with a last checkpoint and waits until that is committed. */
  public void stop() {
    requestStop();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void requireSuccess(UpdateResult result) {
    List<Problem> problems = new ArrayList<>();
    result.failures().values().forEach(problems::addAll);
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
  }

  private void runJob(Pipeline pipeline, String run) {
    ResolvedPipeline resolved =
        DefinitionResolver.resolve(
            connection, pipeline, runtime.bounded(options.parallelism()), table -> false);
    StreamExecutionEnvironment environment =
        runtime.unbounded(options.parallelism(), pipeline.settings());
    ContinuousJob job = new ContinuousJob(connection, pipeline, environment);
    List<ResolvedTarget> targets = resolved.levels().stream().flatMap(List::stream).toList();
    targets.forEach(ContinuousJob::flowsOf);
    for (ResolvedTarget target : targets) {
      begin(pipeline, target, run);
      TargetState state = TargetState.load(connection, pipeline, target.table(), false);
      FlowHistory history = FlowHistory.of(pipeline, target.table(), state, new ArrayList<>());
      OpenTarget open =
          new TargetOpener(connection, pipeline, target)
              .open(state, state.table().orElseThrow(), run, CommitId.of(run, 0));
      List<String> flows =
          ContinuousJob.flowsOf(target).stream().map(flow -> flow.flow().name()).toList();
      job.add(
          target,
          history,
          open,
          new TargetCommits(
              connection.loader(),
              TargetCommits.nameOf(state.identifier()),
              run,
              flows,
              target.layout().isPresent(),
              pipeline.invalidEvents()));
    }
    StopRequests requests = new StopRequests(connection, targets.get(0).state().identifier(), run);
    UnboundedJob.run(
        environment, pipeline, targets, listener, () -> stopping || requests.isRequested());
    leave(pipeline, run);
  }

  /** The commit with which the run takes the table. */
  private void begin(Pipeline pipeline, ResolvedTarget target, String run) {
    commit(pipeline, target, run, CommitId.of(run, 0), ContinuousMarker.begin(run)::write);
  }

  /** Says of every table that the run keeps it no more. */
  private void leave(Pipeline pipeline, String run) {
    try {
      ResolvedPipeline resolved =
          DefinitionResolver.resolve(
              connection, pipeline, runtime.bounded(options.parallelism()), table -> false);
      resolved.levels().stream()
          .flatMap(List::stream)
          .filter(target -> isKeptBy(target, run))
          .forEach(
              target ->
                  commit(pipeline, target, run, new CommitId(run + "/stopped"), ledger -> {}));
    } catch (SluiceException e) {
      notices.accept(
          "the tables could not be told that the run has stopped, the next one needs --take-over: "
              + e.getMessage());
    }
  }

  /**
   * Whether no table was taken over since the run began. One that was rolled back behind the begin
   * is still ours: its ledger is from before.
   */
  private boolean isStillOurs(Pipeline pipeline, String run, long began) {
    return pipeline.tables().stream()
        .map(table -> TargetState.load(connection, pipeline, table, false))
        .flatMap(state -> state.table().stream())
        .allMatch(table -> isStillOurs(table, run, began));
  }

  private static boolean isStillOurs(Table table, String run, long began) {
    Optional<Ledger.Found> found = Ledger.read(table);
    return found.isEmpty()
        || isKeptBy(found.get().ledger(), run)
        || table.snapshot(found.get().snapshotId()).timestampMillis() < began;
  }

  private static boolean isKeptBy(ResolvedTarget target, String run) {
    return isKeptBy(target.state().ledger(), run);
  }

  private static boolean isKeptBy(Ledger ledger, String run) {
    Optional<ContinuousMarker> marker = ContinuousMarker.of(ledger);
    return marker.isPresent() && marker.get().run().equals(run);
  }

  private void commit(
      Pipeline pipeline,
      ResolvedTarget target,
      String run,
      CommitId id,
      Consumer<Ledger.Builder> note) {
    TargetState state = TargetState.load(connection, pipeline, target.table(), false);
    FlowHistory history = FlowHistory.of(pipeline, target.table(), state, new ArrayList<>());
    TargetOpener opener = new TargetOpener(connection, pipeline, target);
    Table table = opener.table(state);
    OpenTarget open = opener.open(state, table, run, id);
    new StepCommitter(connection, target, state, history, open, note)
        .commit(new UpdateStep(0, List.of()), List.of(), id);
  }
}
