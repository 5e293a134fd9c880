package io.sluice.run;

import io.sluice.pipeline.Flow;
import io.sluice.plan.FlowStep;
import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedTarget;
import io.sluice.plan.UpdateStep;
import io.sluice.sequencing.UpdateCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Adds up what the steps of an update did for one target. */
final class TargetTally {

  private final ResolvedTarget target;
  private final Map<String, FlowResult> flows = new LinkedHashMap<>();
  private long inserted;
  private long updated;
  private long deleted;
  private long moved;
  private long rowsReadBack;
  private long bytesReadBack;
  private long collected;
  private long arrivedAfterCollection;

  TargetTally(ResolvedTarget target) {
    this.target = target;
    for (ResolvedFlow resolved : target.flows()) {
      Flow flow = resolved.flow();
      FlowResult.State state =
          resolved.idle() && flow.once() ? FlowResult.State.DONE : FlowResult.State.UP_TO_DATE;
      flows.put(flow.name(), FlowResult.none(flow.name(), flow.kind(), state));
    }
  }

  /** Adds a committed step. */
  void add(
      UpdateStep step,
      Map<String, Long> counters,
      InvalidEvents invalid,
      Expectations expectations,
      Moves moves) {
    boolean keyed = target.layout().isPresent();
    long stepInserted = count(counters, UpdateCounters.INSERTED);
    for (FlowStep each : step.flows()) {
      Flow flow = each.flow().flow();
      long events = count(counters, UpdateCounters.eventsOf(flow.order()));
      boolean shared = keyed && step.flows().size() > 1;
      FlowResult more =
          new FlowResult(
              flow.name(),
              flow.kind(),
              FlowResult.State.RAN,
              events + expectations.dropped(flow.name()),
              shared ? -1 : keyed ? stepInserted : events,
              shared ? -1 : count(counters, UpdateCounters.UPDATED),
              shared ? -1 : count(counters, UpdateCounters.DELETED),
              count(counters, UpdateCounters.lateOf(flow.order())),
              count(counters, UpdateCounters.tiesOf(flow.order())),
              invalid.of(flow.name()),
              count(counters, UpdateCounters.cutoverViolationsOf(flow.order())),
              expectations.dropped(flow.name()),
              expectations.of(flow.name()));
      flows.merge(flow.name(), more, FlowResult::plus);
      if (!keyed) {
        inserted += more.inserted();
      }
    }
    inserted += stepInserted;
    updated += count(counters, UpdateCounters.UPDATED);
    deleted += count(counters, UpdateCounters.DELETED);
    moved += moves.rows();
    collected += count(counters, UpdateCounters.COLLECTED);
    arrivedAfterCollection += count(counters, UpdateCounters.ARRIVED_AFTER_COLLECTION);
    rowsReadBack += count(counters, UpdateCounters.ROWS_READ_BACK);
    bytesReadBack +=
        count(counters, UpdateCounters.BYTES_READ_BACK)
            + count(counters, "companion-" + UpdateCounters.BYTES_READ_BACK);
  }

  private static long count(Map<String, Long> counters, String name) {
    return counters.getOrDefault(name, 0L);
  }

  TargetResult result(int steps, double seconds, OptionalLong snapshot, long liveTombstones) {
    return new TargetResult(
        target.table().name().toString(),
        List.copyOf(flows.values()),
        inserted,
        updated,
        deleted,
        moved,
        rowsReadBack,
        bytesReadBack,
        new Tombstones(liveTombstones, collected, arrivedAfterCollection),
        steps,
        seconds,
        snapshot);
  }
}
