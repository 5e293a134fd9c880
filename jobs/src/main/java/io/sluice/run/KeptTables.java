package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.iceberg.Table;

/** The notes of a continuous run in the ledgers of its tables. */
final class KeptTables {

  /** Looks at a table that others change while the run leaves it. */
  private static final int ATTEMPTS = 10;

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final FlinkRuntime runtime;
  private final int parallelism;
  private final Consumer<String> notices;

  /** Ids of all begins from the tables. */
  private final Set<String> runs = new HashSet<>();

  /** The tables as they were when the run last took them; what they read may be gone at its end. */
  private final Map<TargetTable, ResolvedTarget> targets = new LinkedHashMap<>();

  /** Whether one of them has got every table. */
  private boolean taken;

  /**
   * @param notices is told where the end of a run could not be noted
   */
  KeptTables(
      CatalogConnection connection,
      Pipeline pipeline,
      FlinkRuntime runtime,
      int parallelism,
      Consumer<String> notices) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.runtime = runtime;
    this.parallelism = parallelism;
    this.notices = notices;
  }

  /**
   * The pipeline as its tables and sources are now.
   *
   * @throws SluiceException with every problem of the definition
   */
  ResolvedPipeline resolve() {
    return DefinitionResolver.resolve(
        connection, pipeline, runtime.bounded(parallelism), table -> false);
  }

  /**
   * A new name of the run, under which it begins from the tables.
   *
   * @param maxParallelism of its job
   */
  ContinuousMarker name(int maxParallelism) {
    ContinuousMarker marker = ContinuousMarker.begin(UUID.randomUUID().toString(), maxParallelism);
    runs.add(marker.run());
    return marker;
  }

  /** What the run is called and was called. */
  OwnRun own(ContinuousMarker marker) {
    return new OwnRun(marker, runs);
  }

  /**
   * The commit with which the run takes the table.
   *
   * @param options of the update before, which say whether tables of others are taken over
   * @throws SluiceException RUN_ACTIVE if another run was faster
   */
  void begin(ResolvedTarget target, ContinuousMarker marker, UpdateOptions options) {
    TargetState state = TargetState.load(connection, pipeline, target.table(), false);
    options.requireNoRun(target.table(), state);
    targets.put(target.table(), target);
    commit(target, state, marker.run(), CommitId.of(marker.run(), 0), marker::write);
  }

  /** To be told when the run has begun to keep every table. */
  void areAllTaken() {
    taken = true;
  }

  /** The options of the update with which the run begins anew after this name of it. */
  UpdateOptions anew(UpdateOptions first, ContinuousMarker marker) {
    return first.beginningAnew(own(marker), first.takeOver() && !taken);
  }

  /** Says of every table that this run keeps, under whatever name, that it does so no more. */
  void leave() {
    targets.values().forEach(this::leave);
  }

  private void leave(ResolvedTarget target) {
    try {
      for (int attempt = 1; !hasLeft(target); attempt++) {
        if (attempt == ATTEMPTS) {
          throw new SluiceException(
              ErrorCode.COMMIT_CONFLICT,
              "other writers changed it " + ATTEMPTS + " times in a row",
              "Start the next run with --take-over");
        }
      }
    } catch (RuntimeException e) {
      notices.accept(
          "table "
              + target.table().name()
              + " could not be told that the run has stopped, the next one needs --take-over: "
              + e.getMessage());
    }
  }

  /** Notes in the table, if this run keeps it, that it does so no more; false to look again. */
  private boolean hasLeft(ResolvedTarget target) {
    TargetState state = TargetState.load(connection, pipeline, target.table(), false);
    Optional<String> run =
        ContinuousMarker.of(state.ledger()).map(ContinuousMarker::run).filter(runs::contains);
    if (run.isEmpty()) {
      return true;
    }
    try {
      commit(target, state, run.get(), new CommitId(run.get() + "/stopped"), ledger -> {});
      return true;
    } catch (SluiceException e) {
      if (e.code() == ErrorCode.COMMIT_CONFLICT) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Whether no table was taken over since the run began. One that was rolled back behind the begin
   * is still ours: its ledger is from before.
   */
  boolean areStillOurs(long began) {
    return pipeline.tables().stream()
        .map(table -> TargetState.load(connection, pipeline, table, false))
        .flatMap(state -> state.table().stream())
        .allMatch(table -> isStillOurs(table, began));
  }

  private boolean isStillOurs(Table table, long began) {
    Optional<Ledger.Found> found = Ledger.read(table);
    return found.isEmpty()
        || ContinuousMarker.of(found.get().ledger())
            .filter(marker -> runs.contains(marker.run()))
            .isPresent()
        || table.snapshot(found.get().snapshotId()).timestampMillis() < began;
  }

  private void commit(
      ResolvedTarget target,
      TargetState state,
      String run,
      CommitId id,
      Consumer<Ledger.Builder> note) {
    FlowHistory history = FlowHistory.of(pipeline, target.table(), state, new ArrayList<>());
    TargetOpener opener = new TargetOpener(connection, pipeline, target);
    Table table = opener.table(state);
    OpenTarget open = opener.open(state, table, run, id);
    new StepCommitter(connection, target, state, history, open, note)
        .commit(new UpdateStep(0, List.of()), List.of(), id);
  }
}
