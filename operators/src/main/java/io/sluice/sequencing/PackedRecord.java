package io.sluice.sequencing;

import java.util.Arrays;

/**
 * A {@link KeyedRecord} in binary form: first the length of its key as one byte or more, then the
 * key, then the rest. Records travel, are sorted and wait in this form; only what is applied is
 * unpacked, once.
 */
public final class PackedRecord {

  private final byte[] bytes;

  /**
   * @param bytes made by a {@link RecordCodec}; taken over, not copied
   */
  PackedRecord(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Its key. */
  public RowKey key() {
    WireReader source = new WireReader();
    source.read(bytes);
    return new RowKey(source.take(source.size()));
  }

  /** The {@link RowKey#sortKey} of its key. */
  public long sortKey() {
    int begin = keyBegin();
    return RowKey.sortKey(bytes, begin, keyLength(begin));
  }

  /** A well-spread hash of its key. */
  int keyHash() {
    int begin = keyBegin();
    return (int) RowKey.hash64(bytes, begin, keyLength(begin));
  }

  /** Whether two records are of one key. */
  boolean isOfKeyOf(PackedRecord other) {
    int begin = keyBegin();
    int end = begin + keyLength(begin);
    return other.bytes.length >= end && Arrays.equals(bytes, 0, end, other.bytes, 0, end);
  }

  /** Where the key begins, behind its length. */
  private int keyBegin() {
    int at = 0;
    while (bytes[at] < 0) {
      at++;
    }
    return at + 1;
  }

  private int keyLength(int begin) {
    int length = 0;
    for (int at = begin - 1; at >= 0; at--) {
      length = length << Byte.SIZE - 1 | bytes[at] & 0x7f;
    }
    return length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PackedRecord that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
