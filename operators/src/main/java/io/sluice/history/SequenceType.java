package io.sluice.history;

import java.io.Serializable;
import java.util.List;

/**
 * An orderable SQL type of a SEQUENCE BY expression (semantics 0.12) and its order-preserving
 * binary form: for two values a and b, {@code encode(a).compareTo(encode(b))} has the sign of their
 * SQL comparison. Structs compare field by field, text by code point, -0.0 equals 0.0.
 *
 * <table>
 * <caption>Java form of the values</caption>
 * <tr><td>BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE</td><td>the boxed type</td></tr>
 * <tr><td>STRING, BYTES</td><td>String, byte[]</td></tr>
 * <tr><td>DATE</td><td>Integer, days since 1970-01-01</td></tr>
 * <tr><td>DECIMAL(p, s)</td><td>BigDecimal, decoded with scale s</td></tr>
 * <tr><td>TIME(p)</td><td>Integer, milliseconds of the day (what Flink's rows hold, whatever p)</td></tr>
 * <tr><td>TIMESTAMP(p), TIMESTAMP_LTZ(p)</td><td>p up to 6: Long, microseconds since 1970-01-01
 * (00:00, UTC for LTZ); p above 6: {@link PreciseTimestamp}</td></tr>
 * <tr><td>struct</td><td>List of the fields' values</td></tr>
 * </table>
 */
public sealed interface SequenceType extends Serializable
    permits ScalarType, DecimalType, TimeType, TimestampType, StructType {

  /** Types without parameters. */
  SequenceType BOOLEAN = ScalarType.BOOLEAN;

  SequenceType TINYINT = ScalarType.TINYINT;
  SequenceType SMALLINT = ScalarType.SMALLINT;
  SequenceType INTEGER = ScalarType.INTEGER;
  SequenceType BIGINT = ScalarType.BIGINT;
  SequenceType FLOAT = ScalarType.FLOAT;
  SequenceType DOUBLE = ScalarType.DOUBLE;
  SequenceType STRING = ScalarType.STRING;
  SequenceType BYTES = ScalarType.BYTES;
  SequenceType DATE = ScalarType.DATE;

  static SequenceType decimal(int precision, int scale) {
    return new DecimalType(precision, scale);
  }

  static SequenceType time(int precision) {
    return new TimeType(precision);
  }

  static SequenceType timestamp(int precision) {
    return new TimestampType(precision, false);
  }

  static SequenceType timestampLtz(int precision) {
    return new TimestampType(precision, true);
  }

  static StructType struct(StructType.Field... fields) {
    return new StructType(List.of(fields));
  }

  /**
   * Appends a value to an encoder.
   *
   * @param value in the Java form of the table above
   * @throws InvalidSequenceException if it is null, holds a null struct field or is NaN
   * @throws ClassCastException if it has another Java form
   */
  void append(Object value, SequenceEncoder encoder) throws InvalidSequenceException;

  /** Takes the next value from a decoder; never null. */
  Object take(SequenceDecoder decoder);

  /**
   * The order-preserving form of one value; never {@link Sequence#LOWEST}.
   *
   * @throws InvalidSequenceException as {@link #append}
   */
  default Sequence encode(Object value) throws InvalidSequenceException {
    SequenceEncoder encoder = new SequenceEncoder();
    append(value, encoder);
    return encoder.toSequence();
  }

  /** The inverse of {@link #encode}. */
  default Object decode(Sequence sequence) {
    SequenceDecoder decoder = new SequenceDecoder(sequence.bytes());
    Object value = take(decoder);
    if (!decoder.isExhausted()) {
      throw new IllegalArgumentException(sequence + " is longer than a value of type " + this);
    }
    return value;
  }
}
