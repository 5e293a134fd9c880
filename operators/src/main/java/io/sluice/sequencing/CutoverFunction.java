package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Seeded;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.Collector;

/**
 * Finds the keys whose live events do not all lie behind what the seeds gave them. Seeds come as
 * {@link Seeded} sequences of a commit, or as events of flows that have not run.
 */
public final class CutoverFunction extends KeyAtATime<CutoverFunction.Violation> {

  private static final long serialVersionUID = 1L;

  private final Set<Integer> seeds;
  private final Set<Integer> live;

  private transient LongCounter seededKeys;
  private transient Map<Integer, LongCounter> liveKeys;

  /**
   * @param seeds declaration order of the seeds
   * @param live declaration order of the live flows
   */
  public CutoverFunction(TargetLayout layout, Set<Integer> seeds, Set<Integer> live) {
    super(layout);
    this.seeds = Set.copyOf(seeds);
    this.live = Set.copyOf(live);
  }

  /**
   * A key of a live flow with events at or below its last seeded sequence.
   *
   * @param flow declaration order of the flow
   * @param key the key
   * @param lastSeeded its last seeded sequence
   * @param firstLive sequence of its first live event
   * @param lastViolating greatest sequence of the events that are too early
   * @param events how many these are
   */
  record Violation(
      int flow, RowKey key, byte[] lastSeeded, byte[] firstLive, byte[] lastViolating, long events)
      implements Serializable {}

  @Override
  KeyApplier<Violation> applier(RuntimeContext context) {
    seededKeys = new LongCounter();
    context.addAccumulator(UpdateCounters.SEEDED_KEYS, seededKeys);
    liveKeys = new HashMap<>();
    for (int flow : live) {
      liveKeys.put(flow, new LongCounter());
      context.addAccumulator(UpdateCounters.liveKeysOf(flow), liveKeys.get(flow));
    }
    return this::check;
  }

  private void check(List<KeyedRecord> records, Collector<Violation> out) {
    RowKey key = records.get(0).key();
    SeededSequences committed = new SeededSequences();
    byte[] last = null;
    for (KeyedRecord record : records) {
      if (record instanceof Seeded seeded) {
        committed.add(seeded);
      } else if (record instanceof NewEvent event && seeds.contains(event.flow())) {
        last = greater(last, event.sequence());
      }
    }
    byte[] lastCommitted = committed.last();
    last = lastCommitted == null ? last : greater(last, lastCommitted);
    if (last != null) {
      seededKeys.add(1);
    }
    for (int flow : live) {
      check(key, flow, last, records, out);
    }
  }

  private void check(
      RowKey key, int flow, byte[] last, List<KeyedRecord> records, Collector<Violation> out) {
    byte[] first = null;
    byte[] lastViolating = null;
    long events = 0;
    for (KeyedRecord record : records) {
      if (record instanceof NewEvent event && event.flow() == flow) {
        byte[] at = event.sequence();
        first = first == null || Arrays.compareUnsigned(at, first) < 0 ? at : first;
        if (last != null && Arrays.compareUnsigned(at, last) <= 0) {
          events++;
          lastViolating = greater(lastViolating, at);
        }
      }
    }
    if (first != null) {
      liveKeys.get(flow).add(1);
    }
    if (events > 0) {
      out.collect(new Violation(flow, key, last, first, lastViolating, events));
    }
  }

  private static byte[] greater(byte[] left, byte[] right) {
    return left == null || Arrays.compareUnsigned(right, left) > 0 ? right : left;
  }
}
