package io.sluice.sequencing;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeComparator;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.core.memory.MemorySegment;

/** The order of sort keys, in the eight bytes that Flink's sorter compares without the record. */
final class SortKeyComparator extends TypeComparator<PackedRecord> {

  private static final long serialVersionUID = 1L;

  private long reference;

  @Override
  public int hash(PackedRecord record) {
    return Long.hashCode(record.sortKey());
  }

  @Override
  public void setReference(PackedRecord toCompare) {
    reference = toCompare.sortKey();
  }

  @Override
  public boolean equalToReference(PackedRecord candidate) {
    return candidate.sortKey() == reference;
  }

  @Override
  public int compareToReference(TypeComparator<PackedRecord> other) {
    return Long.compareUnsigned(((SortKeyComparator) other).reference, reference);
  }

  @Override
  public int compare(PackedRecord first, PackedRecord second) {
    return Long.compareUnsigned(first.sortKey(), second.sortKey());
  }

  @Override
  public int compareSerialized(DataInputView first, DataInputView second) throws IOException {
    return compare(
        PackedRecordSerializer.INSTANCE.deserialize(first),
        PackedRecordSerializer.INSTANCE.deserialize(second));
  }

  @Override
  public boolean supportsNormalizedKey() {
    return true;
  }

  @Override
  public int getNormalizeKeyLen() {
    return Long.BYTES;
  }

  @Override
  public boolean isNormalizedKeyPrefixOnly(int keyBytes) {
    return keyBytes < Long.BYTES;
  }

  @Override
  public void putNormalizedKey(PackedRecord record, MemorySegment target, int offset, int bytes) {
    long key = record.sortKey();
    if (bytes == Long.BYTES) {
      target.putLongBigEndian(offset, key);
      return;
    }
    for (int i = 0; i < bytes; i++) {
      target.put(
          offset + i,
          i < Long.BYTES ? (byte) (key >>> (Long.SIZE - Byte.SIZE * (i + 1))) : (byte) 0);
    }
  }

  @Override
  public boolean invertNormalizedKey() {
    return false;
  }

  @Override
  public boolean supportsSerializationWithKeyNormalization() {
    return false;
  }

  @Override
  public void writeWithKeyNormalization(PackedRecord record, DataOutputView target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PackedRecord readWithKeyDenormalization(PackedRecord reuse, DataInputView source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TypeComparator<PackedRecord> duplicate() {
    return new SortKeyComparator();
  }

  @Override
  public int extractKeys(Object record, Object[] target, int index) {
    target[index] = record;
    return 1;
  }

  @Override
  public TypeComparator<?>[] getFlatComparators() {
    return new TypeComparator<?>[] {this};
  }
}
