package io.sluice.run;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.TargetTable;
import io.sluice.plan.ContinuousMarker;
import io.sluice.plan.TargetState;
import io.sluice.sql.QualifiedName;
import io.sluice.table.Ledger;
import java.util.Optional;
import java.util.Set;

/**
 * What the caller of an update chooses.
 *
 * @param only tables to update; empty for all
 * @param fullRefresh tables of which everything is read again
 * @param fullRefreshAll whether that is every table that allows it
 * @param parallelism subtasks per operator
 * @param takeOver whether tables are updated that a continuous run has not left
 * @param keeper the continuous run that updates its own tables; empty for a run of its own
 */
public record UpdateOptions(
    Set<QualifiedName> only,
    Set<QualifiedName> fullRefresh,
    boolean fullRefreshAll,
    int parallelism,
    boolean takeOver,
    Optional<OwnRun> keeper) {

  public UpdateOptions {
    only = Set.copyOf(only);
    fullRefresh = Set.copyOf(fullRefresh);
  }

  /** Options of an update of its own. */
  public UpdateOptions(
      Set<QualifiedName> only,
      Set<QualifiedName> fullRefresh,
      boolean fullRefreshAll,
      int parallelism,
      boolean takeOver) {
    this(only, fullRefresh, fullRefreshAll, parallelism, takeOver, Optional.empty());
  }

  /** Options of an update that takes no table over. */
  public UpdateOptions(
      Set<QualifiedName> only,
      Set<QualifiedName> fullRefresh,
      boolean fullRefreshAll,
      int parallelism) {
    this(only, fullRefresh, fullRefreshAll, parallelism, false);
  }

  /** An update of everything that is new. */
  public static UpdateOptions incremental(int parallelism) {
    return new UpdateOptions(Set.of(), Set.of(), false, parallelism);
  }

  /**
   * The update with which a continuous run begins anew: what was to be read again has been.
   *
   * @param others whether tables of other runs are still to be taken over
   */
  UpdateOptions beginningAnew(OwnRun keeper, boolean others) {
    return new UpdateOptions(only, Set.of(), false, parallelism, others, Optional.of(keeper));
  }

  /** An update of some tables that a continuous run keeps, by that run. */
  static UpdateOptions of(OwnRun keeper, Set<QualifiedName> tables, int parallelism) {
    return new UpdateOptions(tables, Set.of(), false, parallelism, false, Optional.of(keeper));
  }

  /**
   * Two writers would read the same input twice.
   *
   * @throws SluiceException RUN_ACTIVE if another continuous run keeps a table
   */
  void requireNoRun(TargetTable table, TargetState state) {
    Optional<ContinuousMarker> run = otherRun(state);
    if (run.isPresent() && !takeOver) {
      throw new SluiceException(
          ErrorCode.RUN_ACTIVE,
          "table "
              + table.name()
              + " is kept by a continuous run that was started "
              + run.get().started()
              + " and has not said that it stopped",
          "Stop it with sluice stop; if it is dead, or to end it, add --take-over");
    }
  }

  /**
   * Whether the table is taken from another run, which its ledger has to say although nothing may
   * be new in it: else the next run would be refused for a run that was taken over already.
   */
  boolean takesOver(TargetState state) {
    return takeOver && otherRun(state).isPresent();
  }

  private Optional<ContinuousMarker> otherRun(TargetState state) {
    return state
        .table()
        .flatMap(Ledger::read)
        .flatMap(found -> ContinuousMarker.of(found.ledger()))
        .filter(found -> keeper.isEmpty() || !keeper.get().keeps(found));
  }

  /**
   * Whether everything of a table is read again. A table that forbids it refuses where it is named,
   * and is updated as usual where all tables are refreshed.
   */
  public boolean refreshes(TargetTable table) {
    return fullRefresh.contains(table.name()) || (fullRefreshAll && table.resetAllowed());
  }

  /** Whether a table takes part. */
  boolean takesPart(TargetTable table) {
    return only.isEmpty() || only.contains(table.name()) || fullRefresh.contains(table.name());
  }
}
