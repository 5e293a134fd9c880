package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Lets the events of a subtask wait for each other, so that those of a key are applied together.
 * The window begins with the first of them and ends for all at once: until then an event is only
 * kept, and a key is opened once for all its events.
 */
final class ReorderWindow {

  /** Applies the events of a key. */
  @FunctionalInterface
  interface Ended {

    /**
     * @param events in the order in which they came; valid during the call
     */
    void apply(RowKey key, List<PackedRecord> events) throws Exception;
  }

  private final long millis;
  private final ProcessingTimeService time;
  private final Ended ended;
  private final WaitingEvents waiting = new WaitingEvents();
  private long deadline;
  private boolean timed;

  /**
   * @param millis length of the window
   * @param ended called at the end of the window, for one key after the other
   */
  ReorderWindow(long millis, ProcessingTimeService time, Ended ended) {
    this.millis = millis;
    this.time = time;
    this.ended = ended;
  }

  /** An event waits. */
  void add(PackedRecord event) {
    if (waiting.isEmpty()) {
      deadline = time.getCurrentProcessingTime() + millis;
      schedule();
    }
    waiting.add(event);
  }

  /** Estimated bytes of all events that wait. */
  long bytes() {
    return waiting.bytes();
  }

  private void schedule() {
    if (!timed) {
      timed = true;
      time.registerTimer(deadline, this::fired);
    }
  }

  private void fired(long timer) throws Exception {
    timed = false;
    if (waiting.isEmpty()) {
      return;
    }
    if (deadline <= Math.max(timer, time.getCurrentProcessingTime())) {
      end();
    } else {
      schedule(); // the window that it was set for has ended earlier
    }
  }

  /** The window ends now: applies everything that waits. */
  void end() throws Exception {
    waiting.sortByKeyHash();
    List<PackedRecord> alike = new ArrayList<>();
    int count = waiting.count();
    for (int i = 0; i < count; i++) {
      alike.add(waiting.get(i));
      if (i + 1 == count || waiting.keyHash(i) != waiting.keyHash(i + 1)) {
        applyByKey(alike);
        alike.clear();
      }
    }
    waiting.clear();
  }

  /** Applies events whose keys have one hash; nearly always they are of one key. */
  private void applyByKey(List<PackedRecord> alike) throws Exception {
    PackedRecord first = alike.get(0);
    List<PackedRecord> others = List.of();
    for (PackedRecord event : alike) {
      if (!event.isOfKeyOf(first)) {
        others = alike.stream().filter(each -> !each.isOfKeyOf(first)).toList();
        alike.removeAll(others);
        break;
      }
    }
    ended.apply(first.key(), alike);
    if (!others.isEmpty()) {
      applyByKey(new ArrayList<>(others));
    }
  }
}
