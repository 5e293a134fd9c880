package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.catalog.CatalogErrors;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.ContinuousFlows;
import io.sluice.plan.ContinuousJob;
import io.sluice.plan.ContinuousMarker;
import io.sluice.plan.FlowHistory;
import io.sluice.plan.OpenTarget;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.SourceReaders;
import io.sluice.plan.TargetOpener;
import io.sluice.plan.TargetState;
import io.sluice.sql.QualifiedName;
import io.sluice.table.CommitId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
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

  private static final long LOOK_MS = 500;

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final UpdateOptions options;
  private final ProgressListener listener;
  private final Consumer<String> notices;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final StopWish stopping = new StopWish();

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
    KeptTables tables =
        new KeptTables(connection, pipeline, runtime, options.parallelism(), notices);
    try {
      keep(pipeline, tables);
    } finally {
      try {
        tables.leave();
      } finally {
        ended.countDown();
      }
    }
  }

  private void keep(Pipeline pipeline, KeptTables tables) {
    UpdateOptions now = options;
    while (true) {
      new Update(connection, runtime, now, listener)
          .run(pipeline, ContinuousFlows::check)
          .orThrow();
      if (stopping.isThere()) {
        return;
      }
      StreamExecutionEnvironment environment =
          runtime.unbounded(options.parallelism(), pipeline.settings());
      ContinuousMarker marker = tables.name(environment.getMaxParallelism());
      long began = System.currentTimeMillis();
      try {
        runJob(pipeline, tables, marker, now, environment);
        return;
      } catch (SluiceException e) {
        if (!MENDED.contains(e.code()) || !areStillOurs(tables, began, e)) {
          throw e;
        }
        if (stopping.isThere()) {
          notices.accept(
              "the last checkpoint was not committed, the next run reads it again: "
                  + e.getMessage());
          return;
        }
        now = tables.anew(options, marker);
        notices.accept("the run begins anew from the tables: " + e.getMessage());
      }
    }
  }

  /** Whether the run may begin anew after a failure; not where its tables cannot be looked at. */
  private static boolean areStillOurs(KeptTables tables, long began, SluiceException failure) {
    try {
      return tables.areStillOurs(began);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** Lets the run end with a last checkpoint; returns at once. */
  public void requestStop() {
    stopping.wish();
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

  private void runJob(
      Pipeline pipeline,
      KeptTables tables,
      ContinuousMarker marker,
      UpdateOptions now,
      StreamExecutionEnvironment environment) {
    ResolvedPipeline resolved = tables.resolve();
    ContinuousJob job = new ContinuousJob(connection, pipeline, environment);
    List<ResolvedTarget> targets = resolved.levels().stream().flatMap(List::stream).toList();
    Set<QualifiedName> bySnapshots = new LinkedHashSet<>();
    List<ResolvedTarget> streamed = new ArrayList<>();
    for (ResolvedTarget target : targets) {
      tables.begin(target, marker, now);
      if (ContinuousFlows.areSnapshots(target)) {
        bySnapshots.add(target.table().name());
      } else if (!ContinuousFlows.of(target).isEmpty()) {
        add(job, pipeline, target, marker.run());
        streamed.add(target);
      }
    }
    tables.areAllTaken();
    StopRequests requests =
        new StopRequests(
            connection,
            targets.stream().map(target -> target.state().identifier()).toList(),
            tables.own(marker));
    SnapshotUpdates updates =
        new SnapshotUpdates(
            connection,
            runtime,
            pipeline,
            UpdateOptions.of(tables.own(marker), bySnapshots, options.parallelism()),
            listener,
            notices);
    BooleanSupplier stop = () -> stopping.isThereOr(requests::isRequested) || updates.isOvertaken();
    try (updates) {
      if (!bySnapshots.isEmpty()) {
        updates.start();
      }
      if (streamed.isEmpty()) {
        await(stop);
      } else {
        UnboundedJob.run(
            environment,
            pipeline,
            new RunProgress(streamed, listener, notices),
            stop,
            stopping.wished());
      }
    }
    updates.requireSuccess();
  }

  private void add(ContinuousJob job, Pipeline pipeline, ResolvedTarget target, String run) {
    TargetState state = TargetState.load(connection, pipeline, target.table(), false);
    Table table =
        state.table().orElseThrow(() -> CatalogErrors.dropped("table " + target.table().name()));
    FlowHistory history = FlowHistory.of(pipeline, target.table(), state, new ArrayList<>());
    OpenTarget open =
        new TargetOpener(connection, pipeline, target).open(state, table, run, CommitId.of(run, 0));
    SourceReaders.note(connection, ContinuousFlows.of(target), state.identifier());
    List<String> flows =
        ContinuousFlows.of(target).stream().map(flow -> flow.flow().name()).toList();
    job.add(
        target,
        history,
        open,
        new TargetCommits(
            connection.loader(),
            TargetCommits.nameOf(state.identifier()),
            open.table().schema(),
            run,
            flows,
            target.layout().isPresent(),
            pipeline.invalidEvents()));
  }

  /** Waits where no table has a stream. */
  private static void await(BooleanSupplier stop) {
    try {
      while (!stop.getAsBoolean()) {
        Thread.sleep(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
