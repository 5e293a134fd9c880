package io.sluice.sequencing;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The six bytes of a {@link RowKey#sortKey}, in their order. */
public final class SortKeySerializer extends TypeSerializerSingleton<Long> {

  private static final long serialVersionUID = 1L;

  public static final SortKeySerializer INSTANCE = new SortKeySerializer();

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public Long createInstance() {
    return 0L;
  }

  @Override
  public Long copy(Long from) {
    return from;
  }

  @Override
  public Long copy(Long from, Long reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return RowKey.SORT_BYTES;
  }

  @Override
  public void serialize(Long key, DataOutputView target) throws IOException {
    target.writeInt((int) (key >>> 32));
    target.writeShort((int) (key >>> 16));
  }

  @Override
  public Long deserialize(DataInputView source) throws IOException {
    long upper = source.readInt();
    return upper << 32 | (source.readShort() & 0xffffL) << 16;
  }

  @Override
  public Long deserialize(Long reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    target.write(source, RowKey.SORT_BYTES);
  }

  @Override
  public TypeSerializerSnapshot<Long> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Version 1 of the form. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Long> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
