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
    int at = 0;
    int length = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes[at++];
      length |= (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return RowKey.sortKey(bytes, at, length);
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
