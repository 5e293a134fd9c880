package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Seeded;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/** Counts the live events of a step that lie at or below what the seeds gave their key. */
final class CutoverCheck {

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final Cutover cutover;
  private final Violations violations;

  /** Counts. */
  @FunctionalInterface
  interface Violations {

    /** A live event of a flow, by its number, or one at or above which the flow seeds. */
    void count(int flow);
  }

  CutoverCheck(RuntimeContext context, TargetLayout layout, SequencerPlan plan, Cutover cutover) {
    this(layout, plan, cutover, counting(context, plan, cutover));
  }

  /** A check of single events. */
  CutoverCheck(TargetLayout layout, SequencerPlan plan, boolean fail, Violations violations) {
    this(layout, plan, new Cutover(Cutover.Step.LIVE, fail), violations);
  }

  private CutoverCheck(
      TargetLayout layout, SequencerPlan plan, Cutover cutover, Violations violations) {
    this.layout = layout;
    this.plan = plan;
    this.cutover = cutover;
    this.violations = violations;
  }

  private static Violations counting(RuntimeContext context, SequencerPlan plan, Cutover cutover) {
    return cutover.step() == Cutover.Step.UNCHECKED ? flow -> {} : counting(context, plan);
  }

  /** Counts in the accumulators of a job, one per flow. */
  static Violations counting(RuntimeContext context, SequencerPlan plan) {
    Map<Integer, LongCounter> counters = new HashMap<>();
    for (FlowSources flow : plan.sources()) {
      LongCounter counter = new LongCounter();
      context.addAccumulator(UpdateCounters.cutoverViolationsOf(flow.order()), counter);
      counters.put(flow.order(), counter);
    }
    return flow -> counters.get(flow).add(1);
  }

  /** An applier that looks at the records of each key first. */
  KeyApplier<RowChange> before(KeyApplier<RowChange> applier) {
    return cutover.step() == Cutover.Step.UNCHECKED
        ? applier
        : (records, out) -> {
          check(records);
          applier.apply(records, out);
        };
  }

  /** Looks at the records of one key. */
  void check(List<KeyedRecord> records) {
    switch (cutover.step()) {
      case UNCHECKED -> {}
      case SEED -> checkSeed(records);
      case LIVE -> checkLive(records);
    }
  }

  private void checkLive(List<KeyedRecord> records) {
    SeededSequences seeds = new SeededSequences();
    records.forEach(
        record -> {
          if (record instanceof Seeded seeded) {
            seeds.add(seeded);
          }
        });
    byte[] last = seeds.last();
    if (last == null) {
      return;
    }
    for (KeyedRecord record : records) {
      if (record instanceof NewEvent event) {
        check(event, last);
      }
    }
  }

  /** Looks at a live event of a key whose last seeded sequence is known. */
  void check(NewEvent event, byte[] last) {
    if (Arrays.compareUnsigned(event.sequence(), last) <= 0) {
      violated(event.flow(), event.key(), event.sequence(), last);
    }
  }

  /** The flow of events that were there before is not known; they count for the seed. */
  private void checkSeed(List<KeyedRecord> records) {
    NewEvent seed = null;
    TreeSet<byte[]> live = new TreeSet<>(Arrays::compareUnsigned);
    for (KeyedRecord record : records) {
      if (record instanceof NewEvent event) {
        boolean later =
            seed == null || Arrays.compareUnsigned(event.sequence(), seed.sequence()) > 0;
        seed = later ? event : seed;
      } else if (record instanceof ExistingRow row) {
        add(row.start(), live);
        add(row.end(), live);
      } else if (record instanceof Remembered event) {
        add(event.sequence(), live);
      }
    }
    if (seed != null) {
      for (byte[] sequence : live.headSet(seed.sequence(), true)) {
        violated(seed.flow(), seed.key(), sequence, seed.sequence());
      }
    }
  }

  private static void add(byte[] sequence, TreeSet<byte[]> live) {
    if (sequence != null && sequence.length > 0) {
      live.add(sequence);
    }
  }

  private void violated(int flow, RowKey key, byte[] live, byte[] seeded) {
    if (cutover.fail()) {
      throw new SluiceException(
          ErrorCode.CUTOVER_VIOLATION,
          "table "
              + layout.table()
              + ": key "
              + layout.describe(key)
              + " has a live event at "
              + layout.describeSequence(live)
              + ", which is not behind its last seeded sequence "
              + layout.describeSequence(seeded)
              + " (flow '"
              + plan.flow(flow).flow()
              + "')",
          "sluice validate-cutover shows all such keys. Let the live flow begin later, correct the"
              + " seed, or SET 'sluice.cutover' = 'WARN'");
    }
    violations.count(flow);
  }
}
