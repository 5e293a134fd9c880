package io.sluice.sequencing;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Length and bytes, so that Flink's sort by serialised key keeps fixed-width keys in order. */
public final class RowKeySerializer extends TypeSerializerSingleton<RowKey> {

  private static final long serialVersionUID = 1L;

  public static final RowKeySerializer INSTANCE = new RowKeySerializer();

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public RowKey createInstance() {
    return new RowKey(new byte[0]);
  }

  @Override
  public RowKey copy(RowKey from) {
    return from;
  }

  @Override
  public RowKey copy(RowKey from, RowKey reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(RowKey key, DataOutputView target) throws IOException {
    Wire.writeBytes(key.bytes(), target);
  }

  @Override
  public RowKey deserialize(DataInputView source) throws IOException {
    return new RowKey(Wire.readBytes(source));
  }

  @Override
  public RowKey deserialize(RowKey reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    Wire.writeBytes(Wire.readBytes(source), target);
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
