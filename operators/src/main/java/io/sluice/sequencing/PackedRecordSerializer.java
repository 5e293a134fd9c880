package io.sluice.sequencing;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Length and bytes of a {@link PackedRecord}. */
public final class PackedRecordSerializer extends TypeSerializerSingleton<PackedRecord> {

  private static final long serialVersionUID = 1L;

  public static final PackedRecordSerializer INSTANCE = new PackedRecordSerializer();

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public PackedRecord createInstance() {
    return new PackedRecord(new byte[0]);
  }

  @Override
  public PackedRecord copy(PackedRecord from) {
    return from;
  }

  @Override
  public PackedRecord copy(PackedRecord from, PackedRecord reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(PackedRecord record, DataOutputView target) throws IOException {
    target.writeInt(record.bytes().length);
    target.write(record.bytes());
  }

  @Override
  public PackedRecord deserialize(DataInputView source) throws IOException {
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    return new PackedRecord(bytes);
  }

  @Override
  public PackedRecord deserialize(PackedRecord reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    int length = source.readInt();
    target.writeInt(length);
    target.write(source, length);
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
