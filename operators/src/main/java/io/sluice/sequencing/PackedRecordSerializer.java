package io.sluice.sequencing;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/** Length and bytes of a {@link PackedRecord}. */
public final class PackedRecordSerializer extends BytesSerializer<PackedRecord> {

  private static final long serialVersionUID = 1L;

  public static final PackedRecordSerializer INSTANCE = new PackedRecordSerializer();

  @Override
  byte[] bytes(PackedRecord record) {
    return record.bytes();
  }

  @Override
  PackedRecord of(byte[] bytes) {
    return new PackedRecord(bytes);
  }

  @Override
  public TypeSerializerSnapshot<PackedRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Version 1 of the form. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<PackedRecord> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
