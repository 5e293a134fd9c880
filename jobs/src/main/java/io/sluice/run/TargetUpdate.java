package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.catalog.CatalogErrors;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.plan.AdoptionJob;
import io.sluice.plan.FlowHistory;
import io.sluice.plan.FlowStep;
import io.sluice.plan.OpenTarget;
import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.StepPlanner;
import io.sluice.plan.TargetOpener;
import io.sluice.plan.TargetState;
import io.sluice.plan.UpdateJob;
import io.sluice.plan.UpdateStep;
import io.sluice.sequencing.UpdateCounters;
import io.sluice.table.CommitId;
import io.sluice.table.CommitResult;
import io.sluice.table.Companion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;

/** One update of one target: step after step, each a job and a commit. */
final class TargetUpdate {

  /** A table that others keep changing is planned again so often, then the update fails. */
  private static final int ATTEMPTS = 4;

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final int parallelism;
  private final UpdateOptions options;
  private final Pipeline pipeline;
  private final ResolvedTarget target;
  private final String updateId;
  private final ProgressListener listener;
  private final TargetTally tally;

  private boolean refreshPending;
  private int steps;
  private int tries;
  private OptionalLong snapshot = OptionalLong.empty();
  private long liveTombstones;

  TargetUpdate(
      CatalogConnection connection,
      FlinkRuntime runtime,
      UpdateOptions options,
      Pipeline pipeline,
      ResolvedTarget target,
      String updateId,
      ProgressListener listener) {
    this.connection = connection;
    this.runtime = runtime;
    this.parallelism = options.parallelism();
    this.options = options;
    this.pipeline = pipeline;
    this.target = target;
    this.updateId = updateId;
    this.listener = listener;
    this.tally = new TargetTally(target);
    this.refreshPending = target.state().refreshed();
  }

  /**
   * Runs the update of the target.
   *
   * @throws SluiceException if it fails; finished steps stay, nothing else does
   */
  TargetResult run() {
    long started = System.nanoTime();
    StepPlanner planner =
        new StepPlanner(connection, pipeline, target, () -> runtime.bounded(parallelism));
    int attempts = 1;
    while (true) {
      try {
        if (!step(planner)) {
          break;
        }
        steps++;
        attempts = 1;
      } catch (SluiceException e) {
        if (e.code() != ErrorCode.COMMIT_CONFLICT || ++attempts > ATTEMPTS) {
          throw e;
        }
      } catch (CommitFailedException | AlreadyExistsException e) {
        // Somebody else created or changed the table between our look at it and our change.
        if (++attempts > ATTEMPTS) {
          throw overtaken(e);
        }
      } catch (RuntimeException e) {
        throw CatalogErrors.unavailable("table " + target.table().name(), e);
      }
    }
    return tally.result(steps, (System.nanoTime() - started) / 1e9, snapshot, liveTombstones);
  }

  private SluiceException overtaken(RuntimeException e) {
    return new SluiceException(
        ErrorCode.COMMIT_CONFLICT,
        "other writers created or changed table "
            + target.table().name()
            + " or its companion "
            + ATTEMPTS
            + " times in a row when this update was about to",
        "Run the update again",
        e);
  }

  /** Plans and runs the next step; false if nothing is left to do. */
  private boolean step(StepPlanner planner) {
    TargetState state = TargetState.load(connection, pipeline, target.table(), refreshPending);
    options.requireNoRun(target.table(), state);
    TargetOpener opener = new TargetOpener(connection, pipeline, target);
    if (opener.mustReplace(state)) {
      rehearse(state.elsewhere(), opener, planner);
      opener.drop(state);
      state = TargetState.load(connection, pipeline, target.table(), refreshPending);
    }
    if (state.adopting()) {
      adopt(state, opener);
      state = TargetState.load(connection, pipeline, target.table(), refreshPending);
    }
    FlowHistory history = FlowHistory.of(pipeline, target.table(), state, new ArrayList<>());
    Table table = opener.table(state);
    Optional<UpdateStep> next = planner.next(history, steps).map(this::seedsFirst);
    snapshot = state.currentSnapshot();
    if (next.isEmpty() && !refreshPending && !options.takesOver(state)) {
      liveTombstones = state.companion().map(Companion::liveTombstones).orElse(0L);
      return false;
    }
    UpdateStep step = next.orElse(new UpdateStep(steps, List.of()));
    // A step that is planned again is another commit with other files: what its first try left in
    // the companion must not pass for it.
    CommitId id = CommitId.of(updateId, tries);
    OpenTarget open = opener.open(state, table, updateId + "-" + tries, id);
    tries++;
    StepCommitter committer = committer(state, history, open);
    JobRunner.Outcome outcome =
        step.needsJob()
            ? runJob(step, open, committer)
            : new JobRunner.Outcome(List.of(), Map.of());
    try {
      InvalidEvents invalid = checked(step, outcome);
      snapshot = OptionalLong.of(commit(committer, step, outcome, id).snapshotId());
      tally.add(
          step,
          outcome.counters(),
          invalid,
          Expectations.of(outcome.outputs()),
          Moves.of(outcome.outputs()));
    } catch (RuntimeException e) {
      if (isCertain(e)) {
        committer.discard(outcome.outputs());
      }
      throw e;
    }
    refreshPending = false;
    return true;
  }

  /** A continuous run goes on keeping what it updates itself. */
  private StepCommitter committer(TargetState state, FlowHistory history, OpenTarget open) {
    return new StepCommitter(
        connection,
        target,
        state,
        history,
        open,
        ledger -> options.keeper().ifPresent(keeper -> keeper.marker().write(ledger)));
  }

  /** Takes over a table of somebody else after a look at all of its rows (semantics 0.17). */
  private void adopt(TargetState state, TargetOpener opener) {
    Table table = opener.prepareAdoption(state);
    if (target.layout().isPresent() && table.currentSnapshot() != null) {
      String name = target.table().name().toString();
      JobRunner.Outcome outcome =
          JobRunner.run(
              runtime,
              AdoptionJob.build(connection, pipeline, target, table, runtime.bounded(parallelism)),
              "adoption of " + name,
              counters -> {},
              outputs -> {});
      InvalidEvents.of(outcome.outputs()).failAdoption(name);
    }
    opener.adopt(table);
  }

  private UpdateStep seedsFirst(UpdateStep step) {
    return "OFF".equals(pipeline.setting(Settings.CUTOVER, "WARN")) ? step : step.seedsFirst();
  }

  /** A snapshot is complete or nothing: a row that is left out would count as deleted. */
  private InvalidEvents checked(UpdateStep step, JobRunner.Outcome outcome) {
    Expectations.of(outcome.outputs()).failIfViolated(target.table().name().toString());
    InvalidEvents invalid = InvalidEvents.of(outcome.outputs());
    if (step.snapshot().isPresent()) {
      invalid.failSnapshotIfAny(target.table().name().toString());
    } else if (pipeline.invalidEvents() == InvalidEventRule.FAIL) {
      invalid.failIfAny(target.table().name().toString());
    }
    new SnapshotGuard(pipeline, target).check(step, outcome.counters());
    return invalid;
  }

  /**
   * Runs the first step into a table beside the target and throws the outcome away: a table that a
   * full refresh has to replace is dropped only after its input was read without an error.
   */
  private void rehearse(TargetState scratch, TargetOpener opener, StepPlanner planner) {
    FlowHistory history = FlowHistory.of(pipeline, target.table(), scratch, new ArrayList<>());
    Optional<UpdateStep> step = planner.next(history, steps).filter(UpdateStep::needsJob);
    if (step.isEmpty()) {
      return;
    }
    opener.drop(scratch);
    try {
      OpenTarget open =
          opener.open(
              scratch,
              opener.table(scratch),
              updateId + "-rehearsal-" + tries,
              CommitId.of(updateId, tries));
      StepCommitter committer = committer(scratch, history, open);
      JobRunner.Outcome outcome = runJob(step.get(), open, committer);
      committer.discard(outcome.outputs());
      checked(step.get(), outcome);
    } finally {
      opener.drop(scratch);
    }
  }

  /** Commits; a commit whose fate the catalog did not tell is asked for again under its id. */
  private static CommitResult commit(
      StepCommitter committer, UpdateStep step, JobRunner.Outcome outcome, CommitId id) {
    for (int attempt = 1; ; attempt++) {
      try {
        return committer.commit(step, outcome.outputs(), id);
      } catch (SluiceException e) {
        if (e.code() != ErrorCode.COMMIT_UNKNOWN || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Whether the commit has certainly not landed, so that its files may go. */
  private static boolean isCertain(RuntimeException e) {
    return e instanceof SluiceException known
        && (known.code() == ErrorCode.INVALID_EVENT
            || known.code() == ErrorCode.EXPECTATION_VIOLATED
            || known.code() == ErrorCode.MALFORMED_RECORD
            || known.code() == ErrorCode.SNAPSHOT_DELETES_TOO_MUCH
            || known.code() == ErrorCode.COMMIT_CONFLICT);
  }

  private JobRunner.Outcome runJob(UpdateStep step, OpenTarget open, StepCommitter committer) {
    String name = target.table().name().toString();
    return JobRunner.run(
        runtime,
        UpdateJob.build(connection, pipeline, target, open, step, runtime.bounded(parallelism)),
        "update of " + name,
        counters -> listener.progress(name, read(step, counters), written(counters)),
        committer::discard);
  }

  private static long read(UpdateStep step, Map<String, Long> counters) {
    return step.flows().stream()
        .map(FlowStep::flow)
        .map(ResolvedFlow::flow)
        .mapToLong(flow -> counters.getOrDefault(UpdateCounters.eventsOf(flow.order()), 0L))
        .sum();
  }

  private static long written(Map<String, Long> counters) {
    return counters.getOrDefault(UpdateCounters.ROWS_WRITTEN, 0L);
  }
}
