package io.sluice.history;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends values to a growable buffer so that the bytes of several values together compare,
 * unsigned and lexicographically, like the values one after the other. Every value delimits itself.
 * Used without boxing for sequences and for composite keys; reusable after {@link #reset()}, not
 * thread safe. {@link SequenceDecoder} is the inverse.
 */
public final class SequenceEncoder {

  private static final VarHandle SHORTS = bigEndian(short[].class);
  private static final VarHandle INTS = bigEndian(int[].class);
  private static final VarHandle LONGS = bigEndian(long[].class);

  static final byte ESCAPED_ZERO = (byte) 0xFF;
  static final int UNSCALED_BYTES = 16;

  private byte[] buffer = new byte[32];
  private int length;

  /** Forgets what was appended. */
  public SequenceEncoder reset() {
    length = 0;
    return this;
  }

  /** What was appended since the last reset, copied. */
  public Sequence toSequence() {
    return Sequence.of(toBytes());
  }

  /** What was appended since the last reset, copied. */
  public byte[] toBytes() {
    return Arrays.copyOf(buffer, length);
  }

  /** False before true. */
  public SequenceEncoder putBoolean(boolean value) {
    reserve(1);
    buffer[length++] = (byte) (value ? 1 : 0);
    return this;
  }

  public SequenceEncoder putByte(byte value) {
    reserve(Byte.BYTES);
    buffer[length++] = (byte) (value ^ Byte.MIN_VALUE);
    return this;
  }

  public SequenceEncoder putShort(short value) {
    reserve(Short.BYTES);
    SHORTS.set(buffer, length, (short) (value ^ Short.MIN_VALUE));
    length += Short.BYTES;
    return this;
  }

  /** An INTEGER, a DATE (days since 1970-01-01) or a TIME (milliseconds of the day). */
  public SequenceEncoder putInt(int value) {
    reserve(Integer.BYTES);
    INTS.set(buffer, length, value ^ Integer.MIN_VALUE);
    length += Integer.BYTES;
    return this;
  }

  /**
   * A BIGINT, a timestamp of precision 6 or less (microseconds since 1970-01-01) or the unscaled
   * value of a DECIMAL of precision 18 or less.
   */
  public SequenceEncoder putLong(long value) {
    reserve(Long.BYTES);
    LONGS.set(buffer, length, value ^ Long.MIN_VALUE);
    length += Long.BYTES;
    return this;
  }

  /** A timestamp of precision 7 to 9. */
  public SequenceEncoder putTimestamp(long epochMillis, int nanoOfMilli) {
    return putLong(epochMillis).putInt(nanoOfMilli);
  }

  /** The unscaled value of a DECIMAL of precision 19 to 38. */
  public SequenceEncoder putUnscaled(BigInteger unscaled) {
    byte[] magnitude = unscaled.toByteArray();
    if (magnitude.length > UNSCALED_BYTES) {
      throw new IllegalArgumentException("a decimal of more than 38 digits: " + unscaled);
    }
    reserve(UNSCALED_BYTES);
    int padding = UNSCALED_BYTES - magnitude.length;
    Arrays.fill(buffer, length, length + padding, (byte) (unscaled.signum() < 0 ? -1 : 0));
    System.arraycopy(magnitude, 0, buffer, length + padding, magnitude.length);
    buffer[length] ^= Byte.MIN_VALUE;
    length += UNSCALED_BYTES;
    return this;
  }

  /**
   * A FLOAT of a sequence; -0.0 becomes 0.0, since SQL calls them equal.
   *
   * @throws InvalidSequenceException for NaN (semantics 0.3)
   */
  public SequenceEncoder putFloat(float value) throws InvalidSequenceException {
    if (Float.isNaN(value)) {
      throw InvalidSequenceException.nan();
    }
    return putKeyFloat(value);
  }

  /**
   * A DOUBLE of a sequence; -0.0 becomes 0.0, since SQL calls them equal.
   *
   * @throws InvalidSequenceException for NaN (semantics 0.3)
   */
  public SequenceEncoder putDouble(double value) throws InvalidSequenceException {
    if (Double.isNaN(value)) {
      throw InvalidSequenceException.nan();
    }
    return putKeyDouble(value);
  }

  /** A FLOAT of a key: as {@link #putFloat}, with every NaN one value above all others. */
  public SequenceEncoder putKeyFloat(float value) {
    int bits = Float.floatToIntBits(value == 0 ? 0 : value);
    return putInt(bits ^ ((bits >> 31) & Integer.MAX_VALUE));
  }

  /** A DOUBLE of a key: as {@link #putDouble}, with every NaN one value above all others. */
  public SequenceEncoder putKeyDouble(double value) {
    long bits = Double.doubleToLongBits(value == 0 ? 0 : value);
    return putLong(bits ^ ((bits >> 63) & Long.MAX_VALUE));
  }

  /** Text, ordered by code point. Unpaired surrogates become question marks. */
  public SequenceEncoder putString(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return putBytes(utf8, 0, utf8.length);
  }

  /** UTF-8 text or a byte string. */
  public SequenceEncoder putBytes(byte[] bytes, int offset, int count) {
    reserve(2 * count + 2);
    byte[] target = buffer;
    int end = length;
    for (int i = offset; i < offset + count; i++) {
      byte value = bytes[i];
      target[end++] = value;
      if (value == 0) {
        target[end++] = ESCAPED_ZERO;
      }
    }
    target[end++] = 0;
    target[end++] = 0;
    length = end;
    return this;
  }

  private void reserve(int count) {
    if (length + count > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + count));
    }
  }

  static VarHandle bigEndian(Class<?> view) {
    return MethodHandles.byteArrayViewVarHandle(view, ByteOrder.BIG_ENDIAN);
  }
}
