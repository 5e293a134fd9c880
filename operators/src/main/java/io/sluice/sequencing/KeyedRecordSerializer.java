package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Binary form of a {@link KeyedRecord}: a tag, then its parts, integers in variable length. */
public final class KeyedRecordSerializer extends TypeSerializer<KeyedRecord> {

  private static final long serialVersionUID = 1L;

  private static final int NEW_EVENT = 0;
  private static final int EXISTING_ROW = 1;
  private static final int REMEMBERED = 2;

  private final int columns;

  /**
   * @param columns number of user columns of the target
   */
  public KeyedRecordSerializer(int columns) {
    this.columns = columns;
  }

  @Override
  public void serialize(KeyedRecord record, DataOutputView target) throws IOException {
    if (record instanceof NewEvent event) {
      target.writeByte(NEW_EVENT);
      Wire.writeBytes(event.key().bytes(), target);
      Wire.writeBytes(event.sequence(), target);
      Wire.writeRow(event.values(), target);
      Wire.writeVar(event.flow(), target);
      Wire.writeVar(event.source(), target);
      Wire.writeVar(event.offset(), target);
    } else if (record instanceof ExistingRow row) {
      target.writeByte(EXISTING_ROW);
      Wire.writeBytes(row.key().bytes(), target);
      Wire.writeBytes(row.start(), target);
      Wire.writeBytes(row.end(), target);
      Wire.writeRow(row.values(), target);
      Wire.writeVar(row.file(), target);
      Wire.writeVar(row.position(), target);
    } else if (record instanceof Remembered event) {
      target.writeByte(REMEMBERED);
      Wire.writeBytes(event.key().bytes(), target);
      Wire.writeBytes(event.sequence(), target);
      Wire.writeRow(event.values(), target);
      Wire.writeText(event.flow(), target);
      Wire.writeText(event.source(), target);
      Wire.writeVar(event.offset(), target);
      Wire.writeVar(event.file(), target);
      Wire.writeVar(event.position(), target);
    }
  }

  @Override
  public KeyedRecord deserialize(DataInputView source) throws IOException {
    int tag = source.readByte();
    RowKey key = new RowKey(Wire.readBytes(source));
    byte[] sequence = Wire.readBytes(source);
    return switch (tag) {
      case NEW_EVENT ->
          new NewEvent(
              key,
              sequence,
              Wire.readRow(source, columns),
              (int) Wire.readVar(source),
              (int) Wire.readVar(source),
              Wire.readVar(source));
      case EXISTING_ROW ->
          new ExistingRow(
              key,
              sequence,
              Wire.readBytes(source),
              Wire.readRow(source, columns),
              (int) Wire.readVar(source),
              Wire.readVar(source));
      case REMEMBERED ->
          new Remembered(
              key,
              sequence,
              Wire.readRow(source, columns),
              Wire.readText(source),
              Wire.readText(source),
              Wire.readVar(source),
              (int) Wire.readVar(source),
              Wire.readVar(source));
      default -> throw new IOException("unknown record tag " + tag);
    };
  }

  @Override
  public KeyedRecord deserialize(KeyedRecord reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public TypeSerializer<KeyedRecord> duplicate() {
    return this;
  }

  @Override
  public KeyedRecord createInstance() {
    return null;
  }

  @Override
  public KeyedRecord copy(KeyedRecord from) {
    return from;
  }

  @Override
  public KeyedRecord copy(KeyedRecord from, KeyedRecord reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyedRecordSerializer that && columns == that.columns;
  }

  @Override
  public int hashCode() {
    return Objects.hash(columns);
  }

  @Override
  public TypeSerializerSnapshot<KeyedRecord> snapshotConfiguration() {
    return new Snapshot(columns);
  }

  /** Version 1 of the form; it is compatible with the same number of user columns only. */
  public static final class Snapshot implements TypeSerializerSnapshot<KeyedRecord> {

    private int columns;

    public Snapshot() {}

    Snapshot(int columns) {
      this.columns = columns;
    }

    @Override
    public int getCurrentVersion() {
      return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.writeInt(columns);
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
      columns = in.readInt();
    }

    @Override
    public TypeSerializer<KeyedRecord> restoreSerializer() {
      return new KeyedRecordSerializer(columns);
    }

    @Override
    public TypeSerializerSchemaCompatibility<KeyedRecord> resolveSchemaCompatibility(
        TypeSerializerSnapshot<KeyedRecord> old) {
      return old instanceof Snapshot that && that.columns == columns
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
