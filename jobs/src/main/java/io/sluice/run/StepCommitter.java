package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Flow;
import io.sluice.plan.FlowHistory;
import io.sluice.plan.FlowPosition;
import io.sluice.plan.FlowStep;
import io.sluice.plan.OpenTarget;
import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.TargetState;
import io.sluice.plan.UpdateStep;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.CommitId;
import io.sluice.table.CommitRequest;
import io.sluice.table.CommitResult;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.TableCommitter;
import io.sluice.table.WriteOutcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Commits one step: the companion first, if it changes, then the target with the new ledger, which
 * names the companion's snapshot. Dying in between leaves a companion snapshot that no ledger names
 * and that the next commit rolls back.
 */
final class StepCommitter {

  private final CatalogConnection connection;
  private final ResolvedTarget target;
  private final TargetState state;
  private final FlowHistory history;
  private final OpenTarget open;
  private final TableCommitter committer = new TableCommitter();

  StepCommitter(
      CatalogConnection connection,
      ResolvedTarget target,
      TargetState state,
      FlowHistory history,
      OpenTarget open) {
    this.connection = connection;
    this.target = target;
    this.state = state;
    this.history = history;
    this.open = open;
  }

  /** Removes the files of a step that is not committed. */
  void discard(List<UpdateOutput> outputs) {
    committer.discard(open.table(), outcomes(outputs, Destination.TARGET));
    open.companion()
        .ifPresent(
            companion ->
                committer.discard(companion.table(), outcomes(outputs, Destination.COMPANION)));
  }

  /** Commits a step. */
  CommitResult commit(UpdateStep step, List<UpdateOutput> outputs, CommitId id) {
    Map<String, FlowPosition> positions = positions(step);
    PositionSpill spill = new PositionSpill(open.update());
    Map<String, FlowPosition> kept = spill.shorten(positions);
    List<WriteOutcome> companionOutcomes =
        new ArrayList<>(outcomes(outputs, Destination.COMPANION));
    Optional<Companion> companion = open.companion();
    if (spill.hasRows(kept, this::before)) {
      Companion ensured =
          companion.isPresent()
              ? companion.get()
              : Companion.ensure(
                  connection.catalog(), state.identifier(), open.table(), state.ledger());
      companion = Optional.of(ensured);
      companionOutcomes.addAll(spill.write(ensured, kept, this::before, open.operationId()));
    }
    Ledger.Builder ledger = ledger(step, kept);
    if (!companionOutcomes.isEmpty()) {
      ledger.companion(companion.orElseThrow().commit(companionOutcomes, id));
    }
    CommitResult result =
        committer.commit(
            open.table(),
            new CommitRequest(
                outcomes(outputs, Destination.TARGET),
                ledger.build(),
                state.currentSnapshot(),
                state.refreshed(),
                target.layout().isPresent(),
                id));
    companion.ifPresent(each -> finish(each));
    return result;
  }

  private void finish(Companion companion) {
    open.table().refresh();
    Ledger.read(open.table()).ifPresent(found -> companion.finished(open.table(), found.ledger()));
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
              if (!flow.once() && state.ledger().position(history.ledgerName(flow)).isPresent()) {
                positions.put(flow.name(), history.position(flow));
              }
            });
    for (FlowStep flow : step.flows()) {
      if (!flow.flow().flow().once()) {
        positions.put(flow.flow().flow().name(), flow.after());
      }
    }
    return positions;
  }

  private Ledger.Builder ledger(UpdateStep step, Map<String, FlowPosition> positions) {
    Ledger.Builder ledger = state.ledger().toBuilder();
    for (var resolved : target.flows()) {
      Flow flow = resolved.flow();
      String old = history.ledgerName(flow);
      if (!old.equals(flow.name())) {
        state.ledger().once(old).ifPresent(entry -> ledger.once(flow.name(), entry));
        ledger.removeFlow(old);
      }
    }
    positions.forEach((flow, position) -> ledger.position(flow, position.toJson()));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    for (FlowStep each : step.flows()) {
      Flow flow = each.flow().flow();
      if (flow.once()) {
        ledger.once(flow.name(), new Ledger.OnceEntry(now, FlowHistory.digest(flow)));
      }
    }
    return ledger.extra("update", Long.toString(open.update()));
  }

  private static List<WriteOutcome> outcomes(List<UpdateOutput> outputs, Destination destination) {
    return outputs.stream()
        .filter(UpdateOutput.Written.class::isInstance)
        .map(UpdateOutput.Written.class::cast)
        .filter(written -> written.destination() == destination)
        .map(UpdateOutput.Written::outcome)
        .toList();
  }
}
