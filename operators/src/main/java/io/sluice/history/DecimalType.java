package io.sluice.history;

import java.math.BigDecimal;

/**
 * DECIMAL(precision, scale).
 *
 * @param precision digits in all, 1 to 38
 * @param scale digits behind the point, 0 to precision
 */
public record DecimalType(int precision, int scale) implements SequenceType {

  private static final int MAX_LONG_PRECISION = 18;

  public DecimalType {
    if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
      throw new IllegalArgumentException("no such type: DECIMAL(" + precision + ", " + scale + ")");
    }
  }

  /** Whether the unscaled value is written as a long. */
  public boolean isCompact() {
    return precision <= MAX_LONG_PRECISION;
  }

  /**
   * {@inheritDoc}
   *
   * @throws ArithmeticException if the value has more digits than the type
   */
  @Override
  public void append(Object value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (value == null) {
      throw InvalidSequenceException.nullValue();
    }
    BigDecimal scaled = ((BigDecimal) value).setScale(scale);
    if (scaled.precision() > precision) {
      throw new ArithmeticException(value + " does not fit " + this);
    }
    if (isCompact()) {
      encoder.putLong(scaled.unscaledValue().longValueExact());
    } else {
      encoder.putUnscaled(scaled.unscaledValue());
    }
  }

  @Override
  public Object take(SequenceDecoder decoder) {
    return isCompact()
        ? BigDecimal.valueOf(decoder.takeLong(), scale)
        : new BigDecimal(decoder.takeUnscaled(), scale);
  }
}
