package io.sluice.history;

import java.util.Objects;

/**
 * One row of a target.
 *
 * @param start SCD 2: {@code __START_AT}; SCD 1: {@code __SEQUENCE}, {@link Sequence#LOWEST} where
 *     the row has none. Null only in a row that somebody else wrote, which {@link History#recover}
 *     refuses
 * @param end SCD 2: {@code __END_AT}, exclusive, null for the open row; SCD 1: null
 * @param values the columns outside the key
 */
public record Version<V>(Sequence start, Sequence end, V values) {

  public Version {
    Objects.requireNonNull(values, "values");
  }

  public boolean isOpen() {
    return end == null;
  }

  boolean startsAt(Sequence sequence) {
    return start.equals(sequence);
  }

  /** Whether a sequence that is not before the start lies in the row's interval. */
  boolean endsAfter(Sequence sequence) {
    return end == null || sequence.compareTo(end) < 0;
  }
}
