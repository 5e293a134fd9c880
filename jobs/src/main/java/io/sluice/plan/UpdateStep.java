package io.sluice.plan;

import java.util.List;

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

  /** Whether a job is needed; if not, only positions move. */
  public boolean needsJob() {
    return flows.stream().anyMatch(FlowStep::hasRows);
  }
}
