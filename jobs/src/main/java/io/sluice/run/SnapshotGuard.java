package io.sluice.run;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.plan.FlowStep;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.SnapshotStep;
import io.sluice.plan.SnapshotVersion;
import io.sluice.plan.UpdateStep;
import io.sluice.sequencing.UpdateCounters;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Stops a snapshot that would delete suspiciously much (semantics 0.10): a source that was read
 * half or empty must not close the rows of a table.
 */
final class SnapshotGuard {

  private static final String DEFAULT_RATIO = "0.5";

  private final Pipeline pipeline;
  private final ResolvedTarget target;

  SnapshotGuard(Pipeline pipeline, ResolvedTarget target) {
    this.pipeline = pipeline;
    this.target = target;
  }

  /**
   * Checks what a step is about to commit.
   *
   * @throws SluiceException SNAPSHOT_DELETES_TOO_MUCH
   */
  void check(UpdateStep step, Map<String, Long> counters) {
    BigDecimal ratio = new BigDecimal(pipeline.setting(Settings.MAX_DELETE_RATIO, DEFAULT_RATIO));
    if (ratio.compareTo(BigDecimal.ONE) >= 0 || step.snapshot().isEmpty()) {
      return;
    }
    FlowStep flow = step.snapshot().get();
    SnapshotStep snapshot = flow.snapshot().orElseThrow();
    if (snapshot.version().isEmpty()) {
      return;
    }
    long live = counters.getOrDefault(UpdateCounters.LIVE_KEYS, 0L);
    long deleted = counters.getOrDefault(UpdateCounters.KEYS_DELETED, 0L);
    long rows = counters.getOrDefault(UpdateCounters.eventsOf(flow.flow().flow().order()), 0L);
    BigDecimal most = ratio.multiply(BigDecimal.valueOf(live));
    if (rows == 0 && snapshot.previous().isPresent()) {
      throw refuse(flow.flow().flow(), snapshot.version().get(), "is empty", ratio);
    }
    if (BigDecimal.valueOf(deleted).compareTo(most) > 0) {
      throw refuse(
          flow.flow().flow(),
          snapshot.version().get(),
          "would delete " + deleted + " of " + live + " live keys",
          ratio);
    }
  }

  private SluiceException refuse(
      Flow flow, SnapshotVersion version, String what, BigDecimal ratio) {
    return new SluiceException(
        Problem.at(
            flow.at(),
            ErrorCode.SNAPSHOT_DELETES_TOO_MUCH,
            "table "
                + target.table().name()
                + ": the snapshot of flow '"
                + flow.name()
                + "' at version "
                + version
                + " "
                + what
                + ", and '"
                + Settings.MAX_DELETE_RATIO
                + "' is "
                + ratio,
            "Nothing was committed. Check that the snapshot is complete; if it is, run once with"
                + " --set "
                + Settings.MAX_DELETE_RATIO
                + "=1"));
  }
}
