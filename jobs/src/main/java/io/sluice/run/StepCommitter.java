package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.history.Sequence;
import io.sluice.history.StorageType;
import io.sluice.pipeline.Flow;
import io.sluice.plan.ContinuousMarker;
import io.sluice.plan.FlowHistory;
import io.sluice.plan.FlowPosition;
import io.sluice.plan.FlowStep;
import io.sluice.plan.OpenTarget;
import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.SnapshotStep;
import io.sluice.plan.SnapshotVersion;
import io.sluice.plan.SourceReaders;
import io.sluice.plan.TargetState;
import io.sluice.plan.UpdateStep;
import io.sluice.sequencing.Collection;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.CommitId;
import io.sluice.table.CommitRequest;
import io.sluice.table.CommitResult;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.Quarantine;
import io.sluice.table.SeedTags;
import io.sluice.table.TableCommitter;
import io.sluice.table.WriteOutcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits one step: the companion first, if it changes, then the target with the new ledger, which
 * names the companion's snapshot. Dying in between leaves a companion snapshot that no ledger names
 * and that the next commit rolls back.
 */
final class StepCommitter {

  private static final Logger LOG = LoggerFactory.getLogger(StepCommitter.class);

  private final CatalogConnection connection;
  private final ResolvedTarget target;
  private final TargetState state;
  private final FlowHistory history;
  private final OpenTarget open;
  private final Consumer<Ledger.Builder> note;
  private final TableCommitter committer = new TableCommitter();

  private Optional<Companion> companion;
  private List<WriteOutcome> spilled;
  private boolean mayBeInCompanion;
  private boolean mayBeInQuarantine;

  StepCommitter(
      CatalogConnection connection,
      ResolvedTarget target,
      TargetState state,
      FlowHistory history,
      OpenTarget open) {
    this(connection, target, state, history, open, ledger -> {});
  }

  /**
   * @param note adds to the new ledger
   */
  StepCommitter(
      CatalogConnection connection,
      ResolvedTarget target,
      TargetState state,
      FlowHistory history,
      OpenTarget open,
      Consumer<Ledger.Builder> note) {
    this.note = note;
    this.connection = connection;
    this.target = target;
    this.state = state;
    this.history = history;
    this.open = open;
    this.companion = open.companion();
  }

  /**
   * Removes the files of a step that is not committed. Those of a companion that may be committed
   * stay although no ledger will name its snapshot: a snapshot without its files is a broken table.
   */
  void discard(List<UpdateOutput> outputs) {
    committer.discard(open.table(), outcomes(outputs, Destination.TARGET));
    committer.discard(open.table(), outcomes(outputs, Destination.MOVED));
    if (companion.isPresent() && !mayBeInCompanion) {
      Table table = companion.get().table();
      committer.discard(table, outcomes(outputs, Destination.COMPANION));
      committer.discard(table, spilled == null ? List.of() : spilled);
    }
    if (open.quarantine().isPresent() && !mayBeInQuarantine) {
      committer.discard(open.quarantine().get().table(), outcomes(outputs, Destination.QUARANTINE));
    }
  }

  /** Commits a step; again with the same id, it finds out what an earlier call has done. */
  CommitResult commit(UpdateStep step, List<UpdateOutput> outputs, CommitId id) {
    PositionSpill spill = new PositionSpill(open.update(), reserved());
    Map<String, FlowPosition> kept = spill.shorten(positions(step));
    if (spilled == null) {
      spilled = spill(spill, kept);
    }
    List<WriteOutcome> companionOutcomes =
        new ArrayList<>(outcomes(outputs, Destination.COMPANION));
    companionOutcomes.addAll(spilled);
    Ledger.Builder ledger = ledger(step, kept);
    truncates(outputs).forEach(truncate -> ledger.raiseFloor(truncate.toString()));
    state
        .appliedTimes()
        .write(
            ledger,
            id,
            open.appliedAtMicros(),
            step.collects() ? open.collection() : Collection.NONE,
            expired(outputs));
    if (!companionOutcomes.isEmpty()) {
      mayBeInCompanion = true;
      ledger.companion(companion.orElseThrow().commit(companionOutcomes, id));
    }
    open.quarantine()
        .ifPresent(
            quarantine -> {
              mayBeInQuarantine = true;
              quarantine
                  .commit(outcomes(outputs, Destination.QUARANTINE), standing(), id)
                  .ifPresent(ledger::quarantine);
            });
    SourceReaders.note(connection, SourceReaders.beginning(step, history), state.identifier());
    Moves moves = Moves.of(outputs);
    List<WriteOutcome> targetOutcomes = new ArrayList<>(outcomes(outputs, Destination.TARGET));
    targetOutcomes.addAll(moves.committed());
    CommitResult result =
        committer.commit(
            open.table(),
            new CommitRequest(
                targetOutcomes,
                ledger.build(),
                state.currentSnapshot(),
                state.refreshed(),
                target.layout().isPresent(),
                id),
            SeedTags.tagging(seeds(step), beforeSeeds(), state.refreshed()));
    committer.discard(open.table(), moves.dropped());
    companion.ifPresent(this::finish);
    if (state.refreshed()) {
      open.quarantine().ifPresent(quarantine -> finishRefresh(quarantine, id));
    }
    return result;
  }

  /** The seeds of a step that holds nothing else; those of a mixed one cannot be told apart. */
  private static Set<String> seeds(UpdateStep step) {
    boolean mixed = step.flows().stream().anyMatch(each -> !each.flow().flow().isSeed());
    return mixed
        ? Set.of()
        : step.flows().stream().map(each -> each.flow().flow().name()).collect(Collectors.toSet());
  }

  private OptionalLong beforeSeeds() {
    OptionalLong snapshot = state.readableSnapshot();
    boolean anything =
        snapshot.isPresent()
            && (state.ledger().companion().isPresent()
                || !"0"
                    .equals(
                        open.table()
                            .snapshot(snapshot.getAsLong())
                            .summary()
                            .get(SnapshotSummary.TOTAL_RECORDS_PROP)));
    return anything ? snapshot : OptionalLong.empty();
  }

  /** The ledger of the target before this commit, also if a full refresh is to end it. */
  private Ledger standing() {
    return state.refreshed()
        ? state.table().flatMap(Ledger::read).map(Ledger.Found::ledger).orElse(state.ledger())
        : state.ledger();
  }

  private void finishRefresh(Quarantine quarantine, CommitId id) {
    try {
      quarantine.finishRefresh(state.ledger(), id);
    } catch (RuntimeException e) {
      LOG.warn("Old rows of the quarantine of {} stay until the next update", target.table(), e);
    }
  }

  private List<WriteOutcome> spill(PositionSpill spill, Map<String, FlowPosition> kept) {
    if (!spill.hasRows(kept, this::before)) {
      return List.of();
    }
    if (companion.isEmpty()) {
      companion =
          Optional.of(
              Companion.ensure(
                  connection.catalog(), state.identifier(), open.table(), state.ledger()));
    }
    return spill.write(companion.get(), kept, this::before, open.operationId());
  }

  /** Characters that the positions of flows take which are in the ledger but not in this target. */
  private int reserved() {
    Set<String> own = new HashSet<>();
    target.flows().forEach(each -> own.add(each.flow().name()));
    target.flows().forEach(each -> own.add(history.ledgerName(each.flow())));
    return state.ledger().flows().stream()
        .filter(flow -> !own.contains(flow))
        .mapToInt(flow -> state.ledger().position(flow).map(String::length).orElse(0))
        .sum();
  }

  /** Housekeeping after a commit that has landed: whatever goes wrong here, it stays landed. */
  private void finish(Companion changed) {
    try {
      open.table().refresh();
      Ledger.read(open.table()).ifPresent(found -> changed.finished(open.table(), found.ledger()));
    } catch (RuntimeException e) {
      LOG.warn("Old tags of the companion of {} stay until the next update", target.table(), e);
    }
  }

  /** What the companion holds under a flow's name; nothing under the new name of a renamed one. */
  private FlowPosition before(String flow) {
    return target
        .flow(flow)
        .map(ResolvedFlow::flow)
        .filter(each -> history.ledgerName(each).equals(each.name()))
        .map(history::position)
        .orElse(FlowPosition.START);
  }

  /** The positions that the new ledger holds of the flows of this target. */
  private Map<String, FlowPosition> positions(UpdateStep step) {
    Map<String, FlowPosition> positions = new LinkedHashMap<>();
    target
        .flows()
        .forEach(
            resolved -> {
              Flow flow = resolved.flow();
              boolean moves = !flow.once() && flow.snapshot().isEmpty();
              if (moves && state.ledger().position(history.ledgerName(flow)).isPresent()) {
                positions.put(flow.name(), history.position(flow));
              }
            });
    for (FlowStep flow : step.flows()) {
      if (!flow.flow().flow().once() && flow.snapshot().isEmpty()) {
        positions.put(flow.flow().flow().name(), flow.after());
      }
    }
    return positions;
  }

  private Ledger.Builder ledger(UpdateStep step, Map<String, FlowPosition> positions) {
    Ledger.Builder ledger = state.ledger().toBuilder();
    history.rename(ledger);
    ContinuousMarker.end(state.ledger(), ledger);
    positions.forEach((flow, position) -> ledger.position(flow, position.toJson()));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    for (FlowStep each : step.flows()) {
      Flow flow = each.flow().flow();
      each.snapshot()
          .flatMap(SnapshotStep::version)
          .ifPresent(version -> note(flow, version, ledger));
      if (flow.once() && each.snapshot().map(SnapshotStep::last).orElse(true)) {
        ledger.once(flow.name(), new Ledger.OnceEntry(now, FlowHistory.digest(flow)));
      }
    }
    note.accept(ledger);
    return ledger.extra("update", Long.toString(open.update()));
  }

  /** A version states every key, so it is the floor of an SCD 1 target, too (semantics 0.9). */
  private void note(Flow flow, SnapshotVersion version, Ledger.Builder ledger) {
    ledger.version(flow.name(), version.toJson());
    if (flow.cdc().orElseThrow().type() == StorageType.SCD1) {
      ledger.raiseFloor(Sequence.of(version.bytes()).toString());
    }
  }

  private static List<Sequence> truncates(List<UpdateOutput> outputs) {
    return outputs.stream()
        .filter(UpdateOutput.Truncated.class::isInstance)
        .map(output -> Sequence.of(((UpdateOutput.Truncated) output).sequence()))
        .toList();
  }

  static List<Sequence> expired(List<UpdateOutput> outputs) {
    return outputs.stream()
        .filter(UpdateOutput.Expired.class::isInstance)
        .map(output -> Sequence.of(((UpdateOutput.Expired) output).sequence()))
        .toList();
  }

  static List<WriteOutcome> outcomes(List<UpdateOutput> outputs, Destination destination) {
    return outputs.stream()
        .filter(UpdateOutput.Written.class::isInstance)
        .map(UpdateOutput.Written.class::cast)
        .filter(written -> written.destination() == destination)
        .map(UpdateOutput.Written::outcome)
        .toList();
  }
}
