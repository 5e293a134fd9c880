package io.sluice.sequencing;

import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * The keyed part of an update. The events of a key meet its existing rows; then the {@link
 * EventApplier} applies them, and only the difference leaves.
 */
public final class Sequencer extends KeyAtATime<RowChange> {

  private static final long serialVersionUID = 1L;

  private final SequencerPlan plan;
  private final Cutover cutover;

  public Sequencer(TargetLayout layout, SequencerPlan plan) {
    this(layout, plan, Cutover.NONE);
  }

  /**
   * @param cutover how the step checks the cut-over from seeds to live flows
   */
  public Sequencer(TargetLayout layout, SequencerPlan plan, Cutover cutover) {
    super(layout);
    this.plan = plan;
    this.cutover = cutover;
  }

  @Override
  KeyApplier<RowChange> applier(RuntimeContext context) {
    return new CutoverCheck(context, layout, plan, cutover)
        .before(
            new EventApplier(layout, plan, new SequencerCounters(context, layout.type(), plan)));
  }
}
