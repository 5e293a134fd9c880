package io.sluice.plan;

import java.util.List;
import java.util.Optional;

/**
 * One commit of an update of one target.
 *
 * @param number counted from 0 within the update
 * @param flows the flows that take part
 */
public record UpdateStep(int number, List<FlowStep> flows) {

  public UpdateStep {
    flows = List.copyOf(flows);
  }

  /**
   * The same step without its live flows if it has seeds, too: what the seeds gave is to be told
   * from what came later (semantics 0.15). The next step has the live flows.
   */
  public UpdateStep seedsFirst() {
    boolean both =
        flows.stream().anyMatch(each -> each.flow().flow().isSeed())
            && flows.stream().anyMatch(each -> each.flow().flow().isLive());
    return both
        ? new UpdateStep(
            number, flows.stream().filter(each -> each.flow().flow().isSeed()).toList())
        : this;
  }

  /** What a snapshot flow does in the step; such a step has no other flow. */
  public Optional<FlowStep> snapshot() {
    return flows.stream().filter(flow -> flow.snapshot().isPresent()).findFirst();
  }

  /** Whether the step goes through remembered events that may be forgotten; a snapshot does not. */
  public boolean collects() {
    return needsJob() && snapshot().isEmpty();
  }

  /** Whether a job is needed; if not, only positions move. */
  public boolean needsJob() {
    return flows.stream().anyMatch(FlowStep::hasRows);
  }
}
