package io.sluice.plan;

import java.util.Map;
import java.util.Optional;

/**
 * What one flow does in one step of an update.
 *
 * @param flow the flow
 * @param inputs what it reads, by source id; sources without anything new are left out
 * @param after its position when the step is committed; that of a snapshot flow never moves
 * @param snapshot what a snapshot flow does; empty for every other one
 */
public record FlowStep(
    ResolvedFlow flow,
    Map<String, SourceInput> inputs,
    FlowPosition after,
    Optional<SnapshotStep> snapshot) {

  public FlowStep {
    inputs = Map.copyOf(inputs);
  }

  /** Whether there are rows to read; if not, only the position moves. */
  boolean hasRows() {
    if (snapshot.isPresent()) {
      return snapshot.get().version().isPresent();
    }
    boolean reads = inputs.values().stream().anyMatch(input -> input.size() > 0);
    boolean readsWithoutPosition =
        flow.flow().once()
            && flow.sources().values().stream()
                .anyMatch(ResolvedSource.FlinkTable.class::isInstance);
    return reads || readsWithoutPosition || (flow.flow().once() && flow.sources().isEmpty());
  }
}
