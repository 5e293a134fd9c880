package io.sluice.sequencing;

import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/** Length and bytes of {@link KeptBytes}. */
public final class KeptBytesSerializer extends BytesSerializer<KeptBytes> {

  private static final long serialVersionUID = 1L;

  public static final KeptBytesSerializer INSTANCE = new KeptBytesSerializer();

  @Override
  byte[] bytes(KeptBytes kept) {
    return kept.bytes();
  }

  @Override
  KeptBytes of(byte[] bytes) {
    return new KeptBytes(bytes);
  }

  @Override
  public TypeSerializerSnapshot<KeptBytes> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Version 1 of the form. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<KeptBytes> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
