package io.sluice.run;

import io.sluice.plan.ContinuousMarker;
import java.util.Set;

/**
 * A continuous run that updates its own tables.
 *
 * @param marker what it notes in them
 * @param before ids under which it has begun earlier, in this process
 */
public record OwnRun(ContinuousMarker marker, Set<String> before) {

  public OwnRun {
    before = Set.copyOf(before);
  }

  /** Whether a table with this note is the run's. */
  boolean keeps(ContinuousMarker noted) {
    return isCalled(noted.run());
  }

  /** Whether an id is or was the run's. */
  boolean isCalled(String run) {
    return marker.run().equals(run) || before.contains(run);
  }
}
