package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.Remembered;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;

/**
 * When a continuous job may forget what it remembers (semantics 0.5, 0.16): when the retention has
 * ended since it was applied, and two later checkpoints of this run are complete.
 */
final class RetentionClock implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Checkpoints that have to be complete after the one that applied an event. */
  private static final int LATER_CHECKPOINTS = 2;

  /** A key whose time has come too early is looked at again after so many milliseconds. */
  private static final long AGAIN = 10_000;

  private final long micros;

  private transient TreeMap<Long, Long> pending;
  private transient Deque<Long> complete;

  /**
   * @param retention zero: nothing is ever forgotten
   */
  RetentionClock(Duration retention) {
    this.micros = retention.toNanos() / 1000;
  }

  /** A run begins; what was applied before counts as the work of one checkpoint. */
  void begin(long nowMillis) {
    pending = new TreeMap<>();
    complete = new ArrayDeque<>();
    complete.add(nowMillis);
  }

  /** All that was applied so far belongs to a checkpoint. */
  void barrier(long checkpoint, long nowMillis) {
    pending.put(checkpoint, nowMillis);
  }

  void complete(long checkpoint) {
    Long time = pending.get(checkpoint);
    if (time == null) {
      return;
    }
    pending.headMap(checkpoint, true).clear();
    complete.add(time);
    if (complete.size() > LATER_CHECKPOINTS + 1) {
      complete.remove();
    }
  }

  /** What was applied up to this time may go, microseconds since 1970. */
  long untilMicros(long nowMillis) {
    return micros == 0 || complete.size() <= LATER_CHECKPOINTS
        ? Long.MIN_VALUE
        : Math.min(complete.getFirst() * 1000, nowMillis * 1000 - micros);
  }

  /**
   * When to look at a key, milliseconds since 1970; 0 for never.
   *
   * @param key what was looked at already does not count
   */
  long timer(OpenKey key, long nowMillis) {
    if (micros == 0) {
      return 0;
    }
    long next = 0;
    for (Remembered event : key.remembered) {
      if (event.appliedAt() > key.lookedUntil && event.appliedAt() != Remembered.UNKNOWN_TIME) {
        long end = Math.floorDiv(event.appliedAt() + micros + 999, 1000L);
        long due = end > nowMillis ? end : key.timer != 0 ? key.timer : nowMillis + AGAIN;
        next = next == 0 ? due : Math.min(next, due);
      }
    }
    return next;
  }
}
