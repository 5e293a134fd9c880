package io.sluice.sequencing;

import io.sluice.history.Event;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.StorageType;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.RowChange.Destination;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.util.Collector;

/** Makes rows of the target of versions, and rows of the companion of remembered events. */
final class RowChangeEncoder {

  private static final int OPEN = 0;
  private static final int CLOSED = 1;
  private static final int SUPERSEDED = 2;

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final OrderedColumn[] keyColumns;
  private final ProjectedRowData userColumns;
  private final LeafNames names;

  RowChangeEncoder(TargetLayout layout, SequencerPlan plan) {
    this.layout = layout;
    this.plan = plan;
    this.keyColumns = layout.keyColumns().toArray(OrderedColumn[]::new);
    this.userColumns =
        ProjectedRowData.from(IntStream.range(0, layout.columns().getFieldCount()).toArray());
    this.names = layout.partial() ? new LeafNames(layout.columns()) : null;
  }

  /**
   * A row of the target. Closed versions, and rows that are believed no more, go to files of their
   * own, which statistics let later updates skip.
   */
  RowChange.Insert insert(Version<BinaryRowData> version) {
    GenericRowData generated =
        switch (layout.type()) {
          case SCD1 -> GenericRowData.of(sequence(version.start()));
          case SCD2 -> GenericRowData.of(sequence(version.start()), sequence(version.end()));
          case BITEMPORAL ->
              GenericRowData.of(
                  sequence(version.start()),
                  sequence(version.end()),
                  systemSequence(version.systemStart()),
                  systemSequence(version.systemEnd()));
        };
    return new RowChange.Insert(
        Destination.TARGET,
        new JoinedRowData(columnsOf(version.values()), generated),
        group(version));
  }

  private int group(Version<BinaryRowData> version) {
    if (layout.type() == StorageType.BITEMPORAL && !version.isBelieved()) {
      return SUPERSEDED;
    }
    return version.isOpen() ? OPEN : CLOSED;
  }

  /** Emits the changes of keys whose rows lie in the files of the plan. */
  KeyChanges emitting(Collector<RowChange> out) {
    return new Emitted(out);
  }

  private final class Emitted implements KeyChanges {

    private final Collector<RowChange> out;

    Emitted(Collector<RowChange> out) {
      this.out = out;
    }

    @Override
    public void insert(RowKey key, Version<BinaryRowData> row) {
      out.collect(RowChangeEncoder.this.insert(row));
    }

    @Override
    public void delete(ExistingRow row) {
      out.collect(
          new RowChange.Delete(Destination.TARGET, plan.targetFile(row.file()), row.position()));
    }

    @Override
    public void remember(RowKey key, Event<BinaryRowData> event) {
      out.collect(
          RowChangeEncoder.this.remember(key, event, plan.appliedAtMicros(), plan.update()));
    }

    @Override
    public void forget(Remembered event) {
      out.collect(
          new RowChange.Delete(
              Destination.COMPANION, plan.companionFile(event.file()), event.position()));
    }
  }

  /**
   * Tells what the companion has to change so that it holds exactly {@code wanted}, for SCD type 2
   * from a sequence on; entries below it stay as they are.
   */
  void rememberDifference(
      RowKey key,
      Sequence from,
      List<Remembered> stored,
      List<Event<BinaryRowData>> wanted,
      KeyChanges out) {
    List<Event<BinaryRowData>> missing = new ArrayList<>(wanted);
    for (Remembered entry : stored) {
      boolean inScope =
          layout.type() != StorageType.SCD2
              || Arrays.compareUnsigned(entry.sequence(), from.bytes()) >= 0;
      if (inScope && !missing.removeIf(event -> isStoredAs(event, entry))) {
        out.forget(entry);
      }
    }
    for (Event<BinaryRowData> event : missing) {
      out.remember(key, event);
    }
  }

  private boolean isStoredAs(Event<BinaryRowData> event, Remembered entry) {
    Origin origin = event.origin();
    boolean sameOrigin =
        origin.isKnown()
            ? Objects.equals(origin.source(), entry.source())
                && origin.offset() == entry.offset()
                && origin.flow() == plan.orderOf(entry.flow())
            : origin.equals(Origin.ROWS) ? entry.wasShown() : entry.source() == null;
    return sameOrigin
        && Arrays.equals(event.sequence().bytes(), entry.sequence())
        && (entry.systemSequence() == null
            || Arrays.equals(event.systemSequence().bytes(), entry.systemSequence()))
        && Objects.equals(event.values(), entry.values());
  }

  /**
   * A row of the companion.
   *
   * @param appliedAt when the event is applied, microseconds since 1970
   * @param update number of the update that applies it
   */
  RowChange.Insert remember(RowKey key, Event<BinaryRowData> event, long appliedAt, long update) {
    Origin origin = event.origin();
    boolean known = origin.isKnown();
    List<Object> facts = new ArrayList<>(9);
    facts.add(StringData.fromString(event.kind().name()));
    facts.add(sequence(event.sequence()));
    if (layout.systemSequence() != null) {
      facts.add(systemSequence(event.systemSequence()));
    }
    facts.add(
        known && origin.flow() >= 0
            ? StringData.fromString(plan.flow(origin.flow()).flow())
            : null);
    facts.add(sourceOf(origin));
    facts.add(known ? (Object) origin.offset() : null);
    facts.add(
        TimestampData.fromEpochMillis(
            Math.floorDiv(appliedAt, 1000L), (int) Math.floorMod(appliedAt, 1000L) * 1000));
    facts.add(update);
    if (layout.partial()) {
      facts.add(event.isUpsert() ? authored(event.values()) : null);
    }
    return new RowChange.Insert(
        Destination.COMPANION,
        new JoinedRowData(
            event.isUpsert() ? columnsOf(event.values()) : keyOnly(key),
            GenericRowData.of(facts.toArray())),
        0);
  }

  private static StringData sourceOf(Origin origin) {
    if (origin.equals(Origin.ROWS)) {
      return StringData.fromString(Remembered.SHOWN_BEFORE);
    }
    return origin.isKnown() ? StringData.fromString(origin.source()) : null;
  }

  private StringData authored(BinaryRowData values) {
    int at = layout.columns().getFieldCount();
    return names.text(values.isNullAt(at) ? null : values.getBinary(at));
  }

  /**
   * The user columns of values, without what they author behind them. A row of fewer columns may be
   * a view of the same bytes, as long as both need the same number of bits for NULLs.
   */
  private RowData columnsOf(BinaryRowData values) {
    if (!layout.partial()) {
      return values;
    }
    int count = layout.columns().getFieldCount();
    if (BinaryRowData.calculateBitSetWidthInBytes(count)
        != BinaryRowData.calculateBitSetWidthInBytes(count + 1)) {
      return userColumns.replaceRow(values);
    }
    BinaryRowData view = new BinaryRowData(count);
    view.pointTo(values.getSegments(), values.getOffset(), values.getSizeInBytes());
    return view;
  }

  private RowData keyOnly(RowKey key) {
    GenericRowData row = new GenericRowData(layout.columns().getFieldCount());
    SequenceDecoder decoder = new SequenceDecoder(key.bytes());
    for (int i = 0; i < keyColumns.length; i++) {
      row.setField(layout.keys().get(i), keyColumns[i].take(decoder));
    }
    return row;
  }

  private Object sequence(Sequence sequence) {
    return decode(layout.sequence(), sequence);
  }

  private Object systemSequence(Sequence sequence) {
    return decode(layout.systemSequence(), sequence);
  }

  /** NULL for an open bound, and for the sequence of an SCD 1 row that has none. */
  private static Object decode(OrderedColumn column, Sequence sequence) {
    return sequence == null || sequence.bytes().length == 0
        ? null
        : column.take(new SequenceDecoder(sequence.bytes()));
  }
}
