package io.sluice.run;

import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedTarget;
import io.sluice.sequencing.UpdateCounters;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Tells what the tasks of a continuous job have counted. */
final class RunProgress implements Consumer<Map<String, Object>> {

  private final List<ResolvedTarget> targets;
  private final ProgressListener listener;
  private final Consumer<String> notices;
  private final Set<Integer> told = new HashSet<>();

  /**
   * @param notices is told once of each flow whose events are not behind the seed
   */
  RunProgress(List<ResolvedTarget> targets, ProgressListener listener, Consumer<String> notices) {
    this.targets = List.copyOf(targets);
    this.listener = listener;
    this.notices = notices;
  }

  @Override
  public synchronized void accept(Map<String, Object> counters) {
    for (ResolvedTarget target : targets) {
      String name = target.table().name().toString();
      long read = 0;
      for (ResolvedFlow flow : target.flows()) {
        int order = flow.flow().order();
        read += number(counters, UpdateCounters.eventsOf(order));
        long violations = number(counters, UpdateCounters.cutoverViolationsOf(order));
        if (violations > 0 && told.add(order)) {
          notices.accept(cutover(flow.flow().name(), name, violations));
        }
      }
      listener.progress(name, read, 0);
    }
  }

  private static long number(Map<String, Object> counters, String name) {
    return counters.get(name) instanceof Number number ? number.longValue() : 0;
  }

  /** What the user should know of live events that the seed of their key has overtaken. */
  static String cutover(String flow, String table, long violations) {
    return "flow '%s' of %s: %d live events are not behind what was seeded of their key"
            .formatted(flow, table, violations)
        + " (sluice validate-cutover shows them)";
  }
}
