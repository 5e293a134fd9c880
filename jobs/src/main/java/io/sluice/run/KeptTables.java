package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
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
import java.util.function.Consumer;
import org.apache.iceberg.Table;

/** The notes of a continuous run in the ledgers of its tables. */
final class KeptTables {

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final FlinkRuntime runtime;
  private final int parallelism;
  private final Consumer<String> notices;

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

  /** The commit with which the run takes the table. */
  void begin(ResolvedTarget target, ContinuousMarker marker) {
    commit(target, marker.run(), CommitId.of(marker.run(), 0), marker::write);
  }

  /** Says of every table that the run keeps it no more. */
  void leave(ContinuousMarker marker) {
    String run = marker.run();
    try {
      resolve().levels().stream()
          .flatMap(List::stream)
          .filter(target -> isKeptBy(target.state().ledger(), run))
          .forEach(target -> commit(target, run, new CommitId(run + "/stopped"), ledger -> {}));
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
  boolean areStillOurs(ContinuousMarker marker, long began) {
    return pipeline.tables().stream()
        .map(table -> TargetState.load(connection, pipeline, table, false))
        .flatMap(state -> state.table().stream())
        .allMatch(table -> isStillOurs(table, marker.run(), began));
  }

  private static boolean isStillOurs(Table table, String run, long began) {
    Optional<Ledger.Found> found = Ledger.read(table);
    return found.isEmpty()
        || isKeptBy(found.get().ledger(), run)
        || table.snapshot(found.get().snapshotId()).timestampMillis() < began;
  }

  private static boolean isKeptBy(Ledger ledger, String run) {
    Optional<ContinuousMarker> marker = ContinuousMarker.of(ledger);
    return marker.isPresent() && marker.get().run().equals(run);
  }

  private void commit(
      ResolvedTarget target, String run, CommitId id, Consumer<Ledger.Builder> note) {
    TargetState state = TargetState.load(connection, pipeline, target.table(), false);
    FlowHistory history = FlowHistory.of(pipeline, target.table(), state, new ArrayList<>());
    TargetOpener opener = new TargetOpener(connection, pipeline, target);
    Table table = opener.table(state);
    OpenTarget open = opener.open(state, table, run, id);
    new StepCommitter(connection, target, state, history, open, note)
        .commit(new UpdateStep(0, List.of()), List.of(), id);
  }
}
