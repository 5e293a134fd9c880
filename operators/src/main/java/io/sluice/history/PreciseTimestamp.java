package io.sluice.history;

/**
 * A timestamp of more than microsecond precision.
 *
 * @param epochMillis milliseconds since 1970-01-01 00:00
 * @param nanoOfMilli nanoseconds behind that millisecond, 0 to 999,999
 */
public record PreciseTimestamp(long epochMillis, int nanoOfMilli) {

  public PreciseTimestamp {
    if (nanoOfMilli < 0 || nanoOfMilli > 999_999) {
      throw new IllegalArgumentException("nanoOfMilli is out of range: " + nanoOfMilli);
    }
  }
}
