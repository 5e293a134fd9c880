package io.sluice.history;

import java.util.Objects;

/**
 * One row of a target.
 *
 * @param start SCD 2 and bitemporal: {@code __START_AT}; SCD 1: {@code __SEQUENCE}, {@link
 *     Sequence#LOWEST} where the row has none. Null only in a row that somebody else wrote, which
 *     {@link History#recover} refuses
 * @param end SCD 2 and bitemporal: {@code __END_AT}, exclusive, null for the open row; SCD 1: null
 * @param systemStart bitemporal: {@code __SYSTEM_START_AT}, null only in a row of somebody else;
 *     other types: null
 * @param systemEnd bitemporal: {@code __SYSTEM_END_AT}, exclusive, null while the row is believed;
 *     other types: null
 * @param values the columns outside the key
 */
public record Version<V>(
    Sequence start, Sequence end, Sequence systemStart, Sequence systemEnd, V values) {

  public Version {
    Objects.requireNonNull(values, "values");
  }

  /** A row without a system axis. */
  public Version(Sequence start, Sequence end, V values) {
    this(start, end, null, null, values);
  }

  public boolean isOpen() {
    return end == null;
  }

  /** Whether nothing has superseded the row on the system axis. */
  public boolean isBelieved() {
    return systemEnd == null;
  }

  boolean startsAt(Sequence sequence) {
    return start.equals(sequence);
  }

  /** Whether a sequence that is not before the start lies in the row's interval. */
  boolean endsAfter(Sequence sequence) {
    return end == null || sequence.compareTo(end) < 0;
  }
}
