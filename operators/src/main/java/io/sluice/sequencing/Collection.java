package io.sluice.sequencing;

import io.sluice.history.Sequence;
import io.sluice.sequencing.KeyedRecord.Retention;
import java.io.Serializable;
import java.util.Objects;

/**
 * What an update may forget of the remembered events (semantics 0.5, 0.16): those that were applied
 * up to a time. What was applied before another time, an earlier update has gone through already;
 * what it kept then is looked at again only when its key has events.
 *
 * @param afterMicros end of what earlier updates went through, microseconds since 1970
 * @param untilMicros what was applied up to then may go
 * @param mark the greatest sequence of events that earlier updates went through
 */
public record Collection(long afterMicros, long untilMicros, Sequence mark)
    implements Serializable {

  /** Nothing is ever forgotten. */
  public static final Collection NONE =
      new Collection(Long.MIN_VALUE, Long.MIN_VALUE, Sequence.LOWEST);

  public Collection {
    Objects.requireNonNull(mark, "mark");
  }

  /** Whether there may be events that no update has gone through. */
  public boolean isDue() {
    return untilMicros > afterMicros;
  }

  Retention retentionOf(long appliedAtMicros) {
    if (appliedAtMicros > untilMicros) {
      return Retention.LASTS;
    }
    return appliedAtMicros > afterMicros ? Retention.ENDS : Retention.OVER;
  }

  /** Whether what an event with this sequence would have met may be forgotten. */
  boolean mayHaveForgotten(Sequence sequence) {
    return sequence.compareTo(mark) <= 0;
  }
}
