package io.sluice.sequencing;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;

/** The metrics of one subtask of a continuous job, in a group per target, and per flow below. */
final class SequencerMetrics implements ChangeCounts {

  static final String UPSERTS = "upserts";
  static final String DELETES = "deletes";

  /** Events older than what their key had, in applications that changed no row. */
  static final String STALE_IGNORED = "staleIgnored";

  /** Events older than what their key had, in applications that changed rows. */
  static final String LATE_REWRITES = "lateRewrites";

  static final String TIES_RESOLVED = "tiesResolved";

  /** Deletes that are remembered now. */
  static final String TOMBSTONES_LIVE = "tombstonesLive";

  /** Remembered events that were forgotten because their retention had ended. */
  static final String TOMBSTONES_COLLECTED = "tombstonesCollected";

  /** Events that may have met something that was forgotten. */
  static final String AFTER_COLLECTION = "arrivedAfterTombstoneCollected";

  /**
   * How far the greatest sequence that was applied is behind the clock, in milliseconds; only where
   * the sequence, or the first column of it, is a timestamp.
   */
  static final String SEQUENCE_LAG = "sequenceLag";

  private final TargetLayout layout;
  private final Counts all;
  private final Map<Integer, Counts> flows = new HashMap<>();
  private final Counter collected;
  private final Counter afterCollection;
  private Sequence mark;
  private Sequence greatest = Sequence.LOWEST;

  /**
   * @param sources the flows
   * @param mark the greatest sequence of what was forgotten before
   * @param tombstones how many deletes are remembered
   * @param clock milliseconds since 1970
   */
  SequencerMetrics(
      MetricGroup operator,
      TargetLayout layout,
      List<FlowSources> sources,
      Sequence mark,
      LongSupplier tombstones,
      LongSupplier clock) {
    MetricGroup group = operator.addGroup("target", layout.table());
    this.layout = layout;
    this.mark = mark;
    all = new Counts(group);
    for (FlowSources flow : sources) {
      flows.put(flow.order(), new Counts(group.addGroup("flow", flow.flow())));
    }
    collected = group.counter(TOMBSTONES_COLLECTED);
    afterCollection = group.counter(AFTER_COLLECTION);
    group.gauge(TOMBSTONES_LIVE, (Gauge<Long>) tombstones::getAsLong);
    if (timeOf(layout.sequence()) != null) {
      group.gauge(SEQUENCE_LAG, (Gauge<Long>) () -> lag(clock.getAsLong()));
    }
  }

  @Override
  public void count(
      Changes<BinaryRowData> changes,
      Floor floor,
      List<ExistingRow> rows,
      List<Remembered> stored,
      List<Event<BinaryRowData>> events) {
    boolean known = !(rows.isEmpty() && stored.isEmpty());
    for (Event<BinaryRowData> event : events) {
      all.applied(event);
      Counts flow = flows.get(event.origin().flow());
      if (flow != null) {
        flow.applied(event);
      }
      if (event.sequence().compareTo(greatest) > 0) {
        greatest = event.sequence();
      }
      // A key of SCD type 1 that still has something has lost nothing that could matter.
      if (!(layout.type() == StorageType.SCD1 && known) && event.sequence().compareTo(mark) <= 0) {
        afterCollection.inc();
      }
    }
    boolean rewritten =
        !changes.isEmpty() && (layout.type() != StorageType.SCD1 || layout.partial());
    if (changes.late() > 0) {
      all.late(rewritten, changes.late());
      LateEvents.forEach(
          rows,
          stored,
          floor,
          events,
          event -> of(event.origin().flow()).ifPresent(flow -> flow.late(rewritten, 1)));
    }
    all.ties.inc(changes.ties());
    changes
        .tiesResolved()
        .forEach(tie -> of(LateEvents.flowOf(tie)).ifPresent(flow -> flow.ties.inc()));
  }

  private Optional<Counts> of(int flow) {
    return Optional.ofNullable(flows.get(flow));
  }

  @Override
  public void collected(int events) {
    collected.inc(events);
  }

  /** Something with this sequence may be forgotten from now on. */
  void raiseMark(Sequence sequence) {
    if (sequence.compareTo(mark) > 0) {
      mark = sequence;
    }
  }

  Sequence mark() {
    return mark;
  }

  /** Events since the start. */
  long applied() {
    return all.upserts.getCount() + all.deletes.getCount();
  }

  /** What is counted of a target, and of each of its flows. */
  private static final class Counts {

    private final Counter upserts;
    private final Counter deletes;
    private final Counter stale;
    private final Counter late;
    private final Counter ties;

    Counts(MetricGroup group) {
      upserts = group.counter(UPSERTS);
      deletes = group.counter(DELETES);
      stale = group.counter(STALE_IGNORED);
      late = group.counter(LATE_REWRITES);
      ties = group.counter(TIES_RESOLVED);
    }

    void applied(Event<BinaryRowData> event) {
      (event.isUpsert() ? upserts : deletes).inc();
    }

    void late(boolean rewritten, int events) {
      (rewritten ? late : stale).inc(events);
    }
  }

  private long lag(long now) {
    return greatest.equals(Sequence.LOWEST) ? 0 : now - millis(greatest);
  }

  private long millis(Sequence sequence) {
    Object value = layout.sequence().take(new SequenceDecoder(sequence.bytes()));
    while (value instanceof GenericRowData struct) {
      value = struct.getField(0);
    }
    return ((TimestampData) value).getMillisecond();
  }

  /** The column that tells the time; null if there is none. */
  private static OrderedColumn timeOf(OrderedColumn sequence) {
    return switch (sequence.type().getTypeRoot()) {
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> sequence;
      case ROW -> timeOf(sequence.fields().get(0));
      default -> null;
    };
  }
}
