package io.sluice.run;

import io.sluice.sequencing.UpdateOutput.CutoverSample;
import java.util.List;
import java.util.Optional;

/**
 * What a check of the cut-over found for one target (semantics 0.15).
 *
 * @param target full name of the table
 * @param seededKeys keys that the seeds have
 * @param untold whether seeds have run of which no tag keeps what they gave; then nothing is known
 *     of their keys
 * @param flows the live flows in declaration order
 */
public record CutoverReport(
    String target, long seededKeys, boolean untold, List<FlowReport> flows) {

  public CutoverReport {
    flows = List.copyOf(flows);
  }

  /**
   * A live flow.
   *
   * @param flow its name
   * @param liveKeys keys of its events
   * @param violatingKeys keys with a live event at or below their last seeded sequence
   * @param violations these events
   * @param safeBoundary the least boundary behind which all its events are safe; empty if all are
   * @param samples some of the keys
   * @param invalid records that are no events and were left out
   */
  public record FlowReport(
      String flow,
      long liveKeys,
      long violatingKeys,
      long violations,
      Optional<String> safeBoundary,
      List<CutoverSample> samples,
      long invalid) {
    public FlowReport {
      samples = List.copyOf(samples);
    }
  }

  /** Whether no live event is too early, as far as that is known. */
  public boolean clean() {
    return flows.stream().allMatch(flow -> flow.violatingKeys() == 0);
  }
}
