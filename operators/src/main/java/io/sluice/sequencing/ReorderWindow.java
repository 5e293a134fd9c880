package io.sluice.sequencing;

import java.util.ArrayDeque;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Lets the events of a key wait for a while, so that they are applied together. All windows are
 * equally long, so that they end in the order in which they began, and one timer is enough.
 */
final class ReorderWindow {

  /** Applies the events of a key. */
  @FunctionalInterface
  interface Ended {
    void apply(OpenKey key) throws Exception;
  }

  /** When the window of a key ends; void if its events were applied earlier. */
  private record Waiting(OpenKey key, long deadline) {
    boolean holds() {
      return !key.waiting.isEmpty() && key.deadline == deadline;
    }
  }

  private final long millis;
  private final ProcessingTimeService time;
  private final Ended ended;
  private final ArrayDeque<Waiting> deadlines = new ArrayDeque<>();
  private boolean timed;

  /**
   * @param millis length of the window
   * @param ended called at the end of the window of a key whose events still wait
   */
  ReorderWindow(long millis, ProcessingTimeService time, Ended ended) {
    this.millis = millis;
    this.time = time;
    this.ended = ended;
  }

  /** The first event of a key is about to wait. */
  void begin(OpenKey key) {
    key.deadline = time.getCurrentProcessingTime() + millis;
    deadlines.add(new Waiting(key, key.deadline));
    schedule();
  }

  /** Nothing waits any more. */
  void clear() {
    deadlines.clear();
  }

  private void schedule() {
    if (!timed && !deadlines.isEmpty()) {
      timed = true;
      time.registerTimer(deadlines.peek().deadline(), this::end);
    }
  }

  private void end(long timer) throws Exception {
    timed = false;
    long now = Math.max(timer, time.getCurrentProcessingTime());
    while (!deadlines.isEmpty() && deadlines.peek().deadline() <= now) {
      Waiting waiting = deadlines.poll();
      if (waiting.holds()) {
        ended.apply(waiting.key());
      }
    }
    schedule();
  }
}
