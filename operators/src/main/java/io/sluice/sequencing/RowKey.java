package io.sluice.sequencing;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The key of a row: its key columns in one order-preserving binary form (unsigned lexicographic
 * order of the bytes is the order of the columns).
 */
public final class RowKey implements Comparable<RowKey>, Serializable {

  private static final long serialVersionUID = 1L;

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
    long hash = 0xcbf29ce484222325L ^ bytes.length;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    hash ^= hash >>> 33;
    hash *= 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    hash *= 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
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
