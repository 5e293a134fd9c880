package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Delete;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.RowChange.Insert;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Binary form of row changes. They go from operator to operator in one chain as objects; this is
 * for clusters that do not chain operators. They are never state.
 */
public final class RowChangeSerializer extends TypeSerializer<RowChange> {

  private static final long serialVersionUID = 1L;

  private static final Destination[] DESTINATIONS = Destination.values();

  private final Map<Destination, RowType> types;
  private final Map<Destination, RowDataSerializer> rows = new EnumMap<>(Destination.class);

  /**
   * @param types all columns of the tables that may change, in the tables' order
   */
  public RowChangeSerializer(Map<Destination, RowType> types) {
    this.types = new EnumMap<>(types);
    types.forEach((destination, type) -> rows.put(destination, new RowDataSerializer(type)));
  }

  @Override
  public void serialize(RowChange change, DataOutputView target) throws IOException {
    target.writeByte(change.destination().ordinal());
    if (change instanceof Insert insert) {
      target.writeBoolean(true);
      rows.get(change.destination()).serialize(insert.row(), target);
      Wire.writeVar(insert.group(), target);
    } else if (change instanceof Delete delete) {
      target.writeBoolean(false);
      Wire.writeText(delete.file(), target);
      Wire.writeVar(delete.position(), target);
    }
  }

  @Override
  public RowChange deserialize(DataInputView source) throws IOException {
    Destination destination = DESTINATIONS[source.readByte()];
    return source.readBoolean()
        ? new Insert(
            destination, rows.get(destination).deserialize(source), (int) Wire.readVar(source))
        : new Delete(destination, Wire.readText(source), Wire.readVar(source));
  }

  @Override
  public RowChange deserialize(RowChange reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  /** Changes are used before the next one is emitted. */
  @Override
  public RowChange copy(RowChange from) {
    return from;
  }

  @Override
  public RowChange copy(RowChange from, RowChange reuse) {
    return from;
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public RowChange createInstance() {
    return null;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public TypeSerializer<RowChange> duplicate() {
    return new RowChangeSerializer(types);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowChangeSerializer that && types.equals(that.types);
  }

  @Override
  public int hashCode() {
    return types.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<RowChange> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Row changes are never state, so that nothing is ever restored. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<RowChange> {
    public Snapshot() {
      super(() -> new RowChangeSerializer(new EnumMap<>(Destination.class)));
    }
  }
}
