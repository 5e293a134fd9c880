package io.sluice.sequencing;

import java.io.Serializable;

/**
 * How a step of an update checks the cut-over from seeds to live flows (semantics 0.15): every live
 * event at or below its key's last seeded sequence is counted.
 *
 * @param step what the step applies
 * @param fail whether the first violation is an error
 */
public record Cutover(Step step, boolean fail) implements Serializable {

  /** No check: there is no seed, or nobody wants to know. */
  public static final Cutover NONE = new Cutover(Step.UNCHECKED, false);

  /** What a step applies. */
  public enum Step {
    /** Nothing that is to be checked. */
    UNCHECKED,
    /** Events of ONCE flows; what the table holds already counts as live. */
    SEED,
    /**
     * Events of live flows; what the seeds gave comes beside them as {@link KeyedRecord.Seeded}.
     */
    LIVE
  }
}
