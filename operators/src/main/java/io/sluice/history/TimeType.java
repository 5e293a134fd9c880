package io.sluice.history;

/**
 * TIME(precision), as milliseconds of the day.
 *
 * @param precision digits of the second, 0 to 9; it does not change the encoding
 */
public record TimeType(int precision) implements SequenceType {

  public TimeType {
    if (precision < 0 || precision > 9) {
      throw new IllegalArgumentException("no such type: TIME(" + precision + ")");
    }
  }

  @Override
  public void append(Object value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (value == null) {
      throw InvalidSequenceException.nullValue();
    }
    encoder.putInt((Integer) value);
  }

  @Override
  public Object take(SequenceDecoder decoder) {
    return decoder.takeInt();
  }
}
