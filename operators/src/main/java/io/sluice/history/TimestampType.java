package io.sluice.history;

/**
 * TIMESTAMP(precision) or TIMESTAMP_LTZ(precision).
 *
 * @param precision digits of the second, 0 to 9; up to 6 a value is a Long of microseconds, above a
 *     {@link PreciseTimestamp}
 * @param zoned whether it is TIMESTAMP_LTZ, which does not change the encoding
 */
public record TimestampType(int precision, boolean zoned) implements SequenceType {

  private static final int MAX_MICROS_PRECISION = 6;

  public TimestampType {
    if (precision < 0 || precision > 9) {
      throw new IllegalArgumentException("no such type: TIMESTAMP(" + precision + ")");
    }
  }

  /** Whether a value is written as a long of microseconds. */
  public boolean isCompact() {
    return precision <= MAX_MICROS_PRECISION;
  }

  @Override
  public void append(Object value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (value == null) {
      throw InvalidSequenceException.nullValue();
    }
    if (isCompact()) {
      encoder.putLong((Long) value);
    } else {
      PreciseTimestamp timestamp = (PreciseTimestamp) value;
      encoder.putTimestamp(timestamp.epochMillis(), timestamp.nanoOfMilli());
    }
  }

  @Override
  public Object take(SequenceDecoder decoder) {
    long first = decoder.takeLong();
    return isCompact() ? (Object) first : new PreciseTimestamp(first, decoder.takeInt());
  }
}
