package io.sluice.sequencing;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The key of a row: its key columns in one order-preserving binary form (unsigned lexicographic
 * order of the bytes is the order of the columns).
 */
public final class RowKey implements Comparable<RowKey>, Serializable {

  private static final long serialVersionUID = 1L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Bytes of a sort key. */
  static final int SORT_BYTES = 6;

  private static final int UNUSED_BITS = Long.SIZE - Byte.SIZE * SORT_BYTES;

  /** So many leading bytes of a long key keep their order when keys are sorted. */
  private static final int LEADING_BYTES = 2;

  /** Numbers of so many bits are whole in a sort key. */
  private static final int WHOLE_BITS = Byte.SIZE * SORT_BYTES - 2;

  private final byte[] bytes;

  /**
   * @param bytes taken over, not copied
   */
  public RowKey(byte[] bytes) {
    this.bytes = bytes;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** A well-spread 64-bit hash of the key, the same in every process. */
  public long hash64() {
    return hash64(bytes, 0, bytes.length);
  }

  static long hash64(byte[] bytes, int offset, int length) {
    long hash = 0xcbf29ce484222325L ^ length;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
    }
    hash ^= hash >>> 33;
    hash *= 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    hash *= 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }

  /**
   * Six bytes, the upper ones of a long, in unsigned order, by which records are partitioned and
   * sorted. A key of up to six bytes, and of eight if it is a number from 0 to 2^46, is whole in
   * it; any other by its beginning and a hash, so that different keys may share one.
   */
  public long sortKey() {
    return sortKey(bytes, 0, bytes.length);
  }

  static long sortKey(byte[] bytes, int offset, int length) {
    if (length == Long.BYTES) {
      return sortKey((long) LONGS.get(bytes, offset), bytes, offset);
    }
    int whole = length <= SORT_BYTES ? length : LEADING_BYTES;
    long key = 0;
    for (int i = 0; i < whole; i++) {
      key |= (bytes[offset + i] & 0xffL) << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    if (length > SORT_BYTES) {
      key |= (hash64(bytes, offset, length) & 0xffff_ffffL) << UNUSED_BITS;
    }
    return key;
  }

  /** Two bits tell the three ranges apart: negative, whole, and larger than that. */
  private static long sortKey(long ordered, byte[] bytes, int offset) {
    long number = ordered ^ Long.MIN_VALUE;
    if (number >= 0 && number < 1L << WHOLE_BITS) {
      return 0b10L << 62 | number << UNUSED_BITS;
    }
    long range = number < 0 ? 0 : 0b11L << 62;
    long beginning = (number & Long.MAX_VALUE) >>> 51 << 50;
    long hash = hash64(bytes, offset, Long.BYTES) & ((1L << 34) - 1);
    return range | beginning | hash << UNUSED_BITS;
  }

  @Override
  public int compareTo(RowKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKey that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash64());
  }

  @Override
  public String toString() {
    return "RowKey" + Arrays.toString(bytes);
  }
}
