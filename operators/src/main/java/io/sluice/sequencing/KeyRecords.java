package io.sluice.sequencing;

import io.sluice.history.Sequence;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Retention;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What an {@link EventApplier} gets of an open key: the events that have come and what is known.
 */
final class KeyRecords {

  private final OpenKey key;
  private final List<KeyedRecord> events;
  private Sequence from;
  private Sequence systemFrom;
  private byte[] expired;

  /**
   * Remembered events are told how far their retention is.
   *
   * @param fresh events that have come
   * @param untilMicros what was applied up to then has expired
   * @param bitemporal whether all rows are wanted where something has expired
   */
  KeyRecords(
      OpenKey key,
      List<PackedRecord> fresh,
      RecordCodec codec,
      long untilMicros,
      boolean bitemporal) {
    this.key = key;
    this.events = new ArrayList<>(fresh.size() + key.rows.size() + key.remembered.size());
    for (PackedRecord record : fresh) {
      NewEvent event = codec.unpackEvent(key.key, record);
      events.add(event);
      from = lesser(from, event.sequence());
      systemFrom = lesser(systemFrom, event.systemSequence());
    }
    Collection collection = new Collection(key.lookedUntil, untilMicros, Sequence.LOWEST);
    key.remembered.replaceAll(
        event -> {
          Retention retention = collection.retentionOf(event.appliedAt());
          return retention == event.retention() ? event : event.with(retention);
        });
    for (Remembered event : key.remembered) {
      if (event.retention() == Retention.ENDS) {
        from = bitemporal ? Sequence.LOWEST : lesser(from, event.sequence());
        systemFrom = bitemporal ? Sequence.LOWEST : systemFrom;
        expired = greater(expired, event.sequence());
      }
    }
  }

  private static Sequence lesser(Sequence left, byte[] right) {
    return left == null || right != null && Arrays.compareUnsigned(right, left.bytes()) < 0
        ? right == null ? null : Sequence.of(right)
        : left;
  }

  private static byte[] greater(byte[] left, byte[] right) {
    return left == null || right != null && Arrays.compareUnsigned(right, left) > 0 ? right : left;
  }

  /** Whether there is nothing to do. */
  boolean isEmpty() {
    return events.isEmpty() && expired == null;
  }

  /** The least sequence that is looked at. */
  Sequence from() {
    return from == null ? Sequence.LOWEST : from;
  }

  /** The least system sequence that is looked at. */
  Sequence systemFrom() {
    return systemFrom == null ? Sequence.LOWEST : systemFrom;
  }

  /** The greatest sequence of an expired event, or a given one if that is greater. */
  byte[] greatestExpired(byte[] before) {
    return greater(before, expired);
  }

  /** The events and what is loaded of the key. */
  List<KeyedRecord> all() {
    events.addAll(key.rows);
    events.addAll(key.remembered);
    return events;
  }
}
