package io.sluice.sequencing;

import io.sluice.history.Event;
import io.sluice.history.Kind;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.StorageType;
import io.sluice.history.Version;
import org.apache.flink.table.data.binary.BinaryRowData;

/**
 * What enters the keyed operator of a target: events, and what the table and its companion already
 * hold of the same keys. Values are always the user columns of the target, in its order.
 */
public sealed interface KeyedRecord {

  RowKey key();

  /**
   * A new event.
   *
   * @param sequence order-preserving bytes of the sequence
   * @param systemSequence the same of the system sequence; null for a target without a system axis
   * @param values user columns; null for a delete
   * @param flow declaration order of its flow
   * @param source order of its file (or partition) among those that the flow reads in this update
   * @param offset place inside that file
   * @param place name of its file or partition where that is not known before the job starts, then
   *     {@code source} is -1; else null
   */
  record NewEvent(
      RowKey key,
      byte[] sequence,
      byte[] systemSequence,
      BinaryRowData values,
      int flow,
      int source,
      long offset,
      String place)
      implements KeyedRecord {

    NewEvent(RowKey key, byte[] sequence, BinaryRowData values, int flow, int source, long offset) {
      this(key, sequence, null, values, flow, source, offset, null);
    }

    NewEvent(
        RowKey key,
        byte[] sequence,
        byte[] systemSequence,
        BinaryRowData values,
        int flow,
        int source,
        long offset) {
      this(key, sequence, systemSequence, values, flow, source, offset, null);
    }

    Event<BinaryRowData> event(SequencerPlan plan) {
      String from = place;
      if (from == null) {
        from = source < 0 ? "" : plan.flow(flow).names().get(source);
      }
      return new Event<>(
          Sequence.of(sequence),
          systemSequenceOf(systemSequence),
          values == null ? Kind.DELETE : Kind.UPSERT,
          values,
          new Origin(flow, from, offset));
    }
  }

  /**
   * A row of the target as it is before this update.
   *
   * @param start sequence of the row's start (of the winner for SCD type 1); null where the row has
   *     none
   * @param end sequence of its end; null for an open row
   * @param systemStart system sequence from which on it is believed; null without a system axis
   * @param systemEnd system sequence from which on it is believed no more; null while it is
   * @param values user columns; null where they were not read, because every event of the update is
   *     above the row and replaces it whole
   * @param file number of its data file: 0 or more in the plan of this update; in a continuous job
   *     {@link FileNumbers} gives others
   * @param position row position in the file
   */
  record ExistingRow(
      RowKey key,
      byte[] start,
      byte[] end,
      byte[] systemStart,
      byte[] systemEnd,
      BinaryRowData values,
      long file,
      long position)
      implements KeyedRecord {

    /** Stands for values that were not read; whoever looks at them fails. */
    private static final BinaryRowData UNREAD = new BinaryRowData(0);

    ExistingRow(
        RowKey key, byte[] start, byte[] end, BinaryRowData values, long file, long position) {
      this(key, start, end, null, null, values, file, position);
    }

    /** The same row at another place. */
    ExistingRow at(long otherFile, long otherPosition) {
      return new ExistingRow(
          key, start, end, systemStart, systemEnd, values, otherFile, otherPosition);
    }

    /**
     * The row as a version. One without __SEQUENCE ranks lowest; one without __START_AT keeps a
     * null, which is refused (semantics 0.17).
     */
    Version<BinaryRowData> version(StorageType type) {
      Sequence from =
          switch (type) {
            case SCD1 -> start == null ? Sequence.LOWEST : Sequence.of(start);
            case SCD2, BITEMPORAL -> sequenceOf(start);
          };
      return new Version<>(
          from,
          sequenceOf(end),
          sequenceOf(systemStart),
          sequenceOf(systemEnd),
          values == null ? UNREAD : values);
    }

    private static Sequence sequenceOf(byte[] bytes) {
      return bytes == null ? null : Sequence.of(bytes);
    }
  }

  /**
   * A row of a data file that the update empties: it moves to a new file unless it goes anyway.
   *
   * @param row where it is now
   */
  record Tidied(RowKey key, ExistingRow row) implements KeyedRecord {}

  /**
   * An event that the companion remembers.
   *
   * @param systemSequence its system sequence; null without a system axis
   * @param values user columns; null for a delete
   * @param flow name of the flow it came from; null where it is not known
   * @param source file or partition it came from; {@link #SHOWN_BEFORE} where rows told of it
   * @param file number of the companion's data file, as for a row of the target
   * @param appliedAt when it was applied, microseconds since 1970; {@link #UNKNOWN_TIME} where that
   *     is not known, so that it never expires
   * @param retention how far its retention is
   */
  record Remembered(
      RowKey key,
      byte[] sequence,
      byte[] systemSequence,
      BinaryRowData values,
      String flow,
      String source,
      long offset,
      long file,
      long position,
      long appliedAt,
      Retention retention)
      implements KeyedRecord {

    static final long UNKNOWN_TIME = Long.MAX_VALUE;

    /** Source, without a flow, of an event that rows showed until its system sequence. */
    static final String SHOWN_BEFORE = "rows";

    Remembered(
        RowKey key,
        byte[] sequence,
        BinaryRowData values,
        String flow,
        String source,
        long offset,
        long file,
        long position,
        Retention retention) {
      this(
          key,
          sequence,
          null,
          values,
          flow,
          source,
          offset,
          file,
          position,
          UNKNOWN_TIME,
          retention);
    }

    /**
     * What a key remembers of an event that is applied now.
     *
     * @param file where it will lie
     */
    static Remembered of(
        RowKey key,
        Event<BinaryRowData> event,
        TargetLayout layout,
        SequencerPlan plan,
        long file,
        long appliedAt) {
      Origin origin = event.origin();
      boolean known = origin.isKnown();
      return new Remembered(
          key,
          event.sequence().bytes(),
          layout.systemSequence() == null ? null : event.systemSequence().bytes(),
          event.values(),
          known && origin.flow() >= 0 ? plan.flow(origin.flow()).flow() : null,
          known ? origin.source() : origin.equals(Origin.ROWS) ? SHOWN_BEFORE : null,
          known ? origin.offset() : -1,
          file,
          0,
          appliedAt,
          Retention.LASTS);
    }

    /** The same at another place. */
    Remembered at(long otherFile, long otherPosition) {
      return new Remembered(
          key,
          sequence,
          systemSequence,
          values,
          flow,
          source,
          offset,
          otherFile,
          otherPosition,
          appliedAt,
          retention);
    }

    /** The same with another retention. */
    Remembered with(Retention other) {
      return new Remembered(
          key,
          sequence,
          systemSequence,
          values,
          flow,
          source,
          offset,
          file,
          position,
          appliedAt,
          other);
    }

    Event<BinaryRowData> event(SequencerPlan plan) {
      return new Event<>(
          Sequence.of(sequence),
          systemSequenceOf(systemSequence),
          values == null ? Kind.DELETE : Kind.UPSERT,
          values,
          origin(plan));
    }

    private Origin origin(SequencerPlan plan) {
      if (source == null) {
        return Origin.UNKNOWN;
      }
      return wasShown() ? Origin.ROWS : new Origin(plan.orderOf(flow), source, offset);
    }

    boolean wasShown() {
      return flow == null && SHOWN_BEFORE.equals(source) && offset == -1;
    }
  }

  /** How far the retention of a remembered event is (semantics 0.5, 0.16). */
  enum Retention {
    /** It goes on. */
    LASTS,
    /** It has ended, and an update went through the event already; not all it needs is read. */
    OVER,
    /** It has ended since the last update; all rows around the event are read. */
    ENDS;

    boolean isOver() {
      return this != LASTS;
    }
  }

  /**
   * Sequences that a key had as of the commit of a seed, or before it: the bounds of a row, or the
   * place of a remembered event.
   *
   * @param seed number of the seed
   * @param before whether they were there before the seed was committed
   * @param first null where there is none
   * @param second null where there is none
   */
  record Seeded(RowKey key, int seed, boolean before, byte[] first, byte[] second)
      implements KeyedRecord {}

  private static Sequence systemSequenceOf(byte[] bytes) {
    return bytes == null ? Sequence.LOWEST : Sequence.of(bytes);
  }
}
