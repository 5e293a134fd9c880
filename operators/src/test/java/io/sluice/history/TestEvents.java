package io.sluice.history;

import java.util.List;

/** Short forms for tests: sequences are integers, the partition is always the same. */
final class TestEvents {

  /** The storage types without a system axis. */
  static final List<StorageType> ONE_AXIS = List.of(StorageType.SCD1, StorageType.SCD2);

  private TestEvents() {}

  static Sequence sequence(long value) {
    return Sequence.of(new SequenceEncoder().putLong(value).toBytes());
  }

  static long number(Sequence sequence) {
    return (Long) SequenceType.BIGINT.decode(sequence);
  }

  static Origin offset(long offset) {
    return new Origin(0, "p0", offset);
  }

  static Event<Row> upsert(String row, long sequence) {
    return Event.upsert(sequence(sequence), Row.of(row), Origin.UNKNOWN);
  }

  static Event<Row> upsert(String row, long sequence, Origin origin) {
    return Event.upsert(sequence(sequence), Row.of(row), origin);
  }

  static Event<Row> delete(long sequence) {
    return Event.delete(sequence(sequence), Origin.UNKNOWN);
  }

  static Event<Row> delete(long sequence, Origin origin) {
    return Event.delete(sequence(sequence), origin);
  }

  static Version<Row> row(String row, long start, long end) {
    return new Version<>(sequence(start), sequence(end), Row.of(row));
  }

  static Version<Row> openRow(String row, long start) {
    return new Version<>(sequence(start), null, Row.of(row));
  }

  static Event<Row> upsert(String row, long sequence, long system) {
    return upsert(row, sequence).learnedAt(sequence(system));
  }

  static Event<Row> delete(long sequence, long system) {
    return delete(sequence).learnedAt(sequence(system));
  }

  /** A bitemporal row; null for an open end. */
  static Version<Row> row(String row, long start, Long end, long systemStart, Long systemEnd) {
    return new Version<>(
        sequence(start),
        end == null ? null : sequence(end),
        sequence(systemStart),
        systemEnd == null ? null : sequence(systemEnd),
        Row.of(row));
  }

  /** {@code (values,start,end,systemStart,systemEnd)} per row, {@code -} for an open end. */
  static <V> List<String> showAll(List<Version<V>> rows) {
    return rows.stream()
        .map(
            row ->
                "(%s,%d,%s,%d,%s)"
                    .formatted(
                        row.values(),
                        number(row.start()),
                        row.isOpen() ? "-" : number(row.end()),
                        number(row.systemStart()),
                        row.isBelieved() ? "-" : number(row.systemEnd())))
        .toList();
  }

  /** {@code u(values,sequence,system)} or {@code d(sequence,system)}, with what is known of it. */
  static <V> List<String> showBitemporal(List<Event<V>> events) {
    return events.stream().map(TestEvents::showBitemporal).toList();
  }

  private static String showBitemporal(Event<?> event) {
    boolean open = event.systemSequence().equals(Sequence.LOWEST);
    String places = number(event.sequence()) + "," + (open ? "?" : number(event.systemSequence()));
    String text =
        event.isUpsert() ? "u(" + event.values() + "," + places + ")" : "d(" + places + ")";
    return event.origin().equals(Origin.ROWS)
        ? text + "~"
        : event.origin().isKnown() ? text + "@" + event.origin().offset() : text;
  }

  /** {@code (values,start,end)} per row, {@code -} for the open end. */
  static List<String> show(List<Version<Row>> rows) {
    return rows.stream()
        .map(
            row ->
                "(%s,%d,%s)"
                    .formatted(
                        row.values(), number(row.start()), row.isOpen() ? "-" : number(row.end())))
        .toList();
  }

  /** {@code u(values,sequence)} or {@code d(sequence)} per event, {@code @offset} where known. */
  static List<String> showEvents(List<Event<Row>> events) {
    return events.stream().map(TestEvents::show).toList();
  }

  private static String show(Event<Row> event) {
    long sequence = number(event.sequence());
    String text =
        event.isUpsert() ? "u(" + event.values() + "," + sequence + ")" : "d(" + sequence + ")";
    return event.origin().isKnown() ? text + "@" + event.origin().offset() : text;
  }

  static History<Row> roundTrip(StorageType type, History<Row> history) {
    try {
      return History.recover(type, new RowValues(), history.versions(), history.remembered());
    } catch (InvalidHistoryException e) {
      throw new AssertionError(e);
    }
  }
}
