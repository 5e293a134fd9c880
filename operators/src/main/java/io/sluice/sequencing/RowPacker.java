package io.sluice.sequencing;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.RowData.FieldGetter;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.data.writer.BinaryWriter;
import org.apache.flink.table.runtime.typeutils.InternalSerializers;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Makes binary rows of the first columns of other rows, without boxing the common types. The row is
 * reused. Not thread-safe.
 */
final class RowPacker {

  private final Column[] columns;
  private final BinaryRowData row;
  private final BinaryRowWriter writer;

  /**
   * @param type the columns that are taken
   */
  RowPacker(RowType type) {
    columns = new Column[type.getFieldCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = column(type.getTypeAt(i), i);
    }
    row = new BinaryRowData(columns.length);
    writer = new BinaryRowWriter(row);
  }

  /** The first columns of a row. */
  BinaryRowData pack(RowData from) {
    writer.reset();
    for (int i = 0; i < columns.length; i++) {
      if (from.isNullAt(i)) {
        writer.setNullAt(i);
      } else {
        columns[i].write(from, writer);
      }
    }
    writer.complete();
    return row;
  }

  /** A row of columns of several rows: column i of the i-th row; NULL where there is no row. */
  BinaryRowData pack(RowData[] from) {
    writer.reset();
    for (int i = 0; i < columns.length; i++) {
      if (from[i] == null || from[i].isNullAt(i)) {
        writer.setNullAt(i);
      } else {
        columns[i].write(from[i], writer);
      }
    }
    writer.complete();
    return row;
  }

  /** Copies one column that is not NULL. */
  private interface Column {
    void write(RowData from, BinaryRowWriter to);
  }

  private static Column column(LogicalType type, int at) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> (from, to) -> to.writeBoolean(at, from.getBoolean(at));
      case INTEGER, DATE -> (from, to) -> to.writeInt(at, from.getInt(at));
      case BIGINT -> (from, to) -> to.writeLong(at, from.getLong(at));
      case DOUBLE -> (from, to) -> to.writeDouble(at, from.getDouble(at));
      // A text and its bytes look the same in a row, and its own method is slow for short ones.
      case CHAR, VARCHAR -> (from, to) -> to.writeBinary(at, from.getString(at).toBytes());
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        int precision = LogicalTypeChecks.getPrecision(type);
        yield (from, to) -> to.writeTimestamp(at, from.getTimestamp(at, precision), precision);
      }
      default -> any(type, at);
    };
  }

  private static Column any(LogicalType type, int at) {
    FieldGetter getter = RowData.createFieldGetter(type.copy(false), at);
    var serializer = InternalSerializers.create(type);
    return (from, to) -> BinaryWriter.write(to, at, getter.getFieldOrNull(from), type, serializer);
  }
}
