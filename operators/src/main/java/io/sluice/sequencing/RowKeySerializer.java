package io.sluice.sequencing;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/** Length and bytes of a {@link RowKey}. */
public final class RowKeySerializer extends BytesSerializer<RowKey> {

  private static final long serialVersionUID = 1L;

  public static final RowKeySerializer INSTANCE = new RowKeySerializer();

  @Override
  byte[] bytes(RowKey key) {
    return key.bytes();
  }

  @Override
  RowKey of(byte[] bytes) {
    return new RowKey(bytes);
  }

  @Override
  public TypeSerializerSnapshot<RowKey> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Version 1 of the form. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<RowKey> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
