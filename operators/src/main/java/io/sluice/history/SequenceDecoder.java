package io.sluice.history;

import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Takes values, in the order in which they were put, from bytes that a {@link SequenceEncoder}
 * wrote. The caller knows the types.
 */
public final class SequenceDecoder {

  private static final VarHandle SHORTS = SequenceEncoder.bigEndian(short[].class);
  private static final VarHandle INTS = SequenceEncoder.bigEndian(int[].class);
  private static final VarHandle LONGS = SequenceEncoder.bigEndian(long[].class);

  private final byte[] bytes;
  private int position;

  public SequenceDecoder(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Whether everything was taken. */
  public boolean isExhausted() {
    return position == bytes.length;
  }

  public boolean takeBoolean() {
    return bytes[position++] != 0;
  }

  public byte takeByte() {
    return (byte) (bytes[position++] ^ Byte.MIN_VALUE);
  }

  public short takeShort() {
    short value = (short) ((short) SHORTS.get(bytes, position) ^ Short.MIN_VALUE);
    position += Short.BYTES;
    return value;
  }

  public int takeInt() {
    int value = (int) INTS.get(bytes, position) ^ Integer.MIN_VALUE;
    position += Integer.BYTES;
    return value;
  }

  public long takeLong() {
    long value = (long) LONGS.get(bytes, position) ^ Long.MIN_VALUE;
    position += Long.BYTES;
    return value;
  }

  public float takeFloat() {
    int bits = takeInt();
    return Float.intBitsToFloat(bits ^ ((bits >> 31) & Integer.MAX_VALUE));
  }

  public double takeDouble() {
    long bits = takeLong();
    return Double.longBitsToDouble(bits ^ ((bits >> 63) & Long.MAX_VALUE));
  }

  /** The unscaled value of a DECIMAL of precision 19 to 38. */
  public BigInteger takeUnscaled() {
    byte[] magnitude =
        Arrays.copyOfRange(bytes, position, position + SequenceEncoder.UNSCALED_BYTES);
    magnitude[0] ^= Byte.MIN_VALUE;
    position += SequenceEncoder.UNSCALED_BYTES;
    return new BigInteger(magnitude);
  }

  public String takeString() {
    return new String(takeBytes(), StandardCharsets.UTF_8);
  }

  /** UTF-8 text or a byte string. */
  public byte[] takeBytes() {
    byte[] value = new byte[bytes.length - position];
    int count = 0;
    while (true) {
      byte next = bytes[position++];
      if (next == 0 && bytes[position++] != SequenceEncoder.ESCAPED_ZERO) {
        return Arrays.copyOf(value, count);
      }
      value[count++] = next;
    }
  }
}
