package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.SequenceEncoder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * One orderable column of a Flink row and its order-preserving form (semantics 0.12): a part of a
 * key or of a sequence. Structs are taken field by field.
 */
public final class OrderedColumn implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final int COMPACT_DECIMAL = 18;
  private static final int COMPACT_TIMESTAMP = 6;

  private final String name;
  private final LogicalType type;
  private final boolean key;
  private final List<OrderedColumn> fields;

  private OrderedColumn(String name, LogicalType type, boolean key, List<OrderedColumn> fields) {
    this.name = name;
    this.type = type;
    this.key = key;
    this.fields = fields;
  }

  /** A column of a sequence. */
  public static OrderedColumn ofSequence(String name, LogicalType type) {
    return of(name, type, false);
  }

  /** A column of a key, where NaN is a value like any other. */
  public static OrderedColumn ofKey(String name, LogicalType type) {
    return of(name, type, true);
  }

  private static OrderedColumn of(String name, LogicalType type, boolean key) {
    List<OrderedColumn> fields = new ArrayList<>();
    if (type instanceof RowType row) {
      row.getFields().forEach(field -> fields.add(of(field.getName(), field.getType(), key)));
    }
    return new OrderedColumn(name, type, key, List.copyOf(fields));
  }

  /** Whether values of a type have an order: every scalar, and structs of such types. */
  public static boolean isOrderable(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INTEGER,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          DATE,
          TIME_WITHOUT_TIME_ZONE,
          TIMESTAMP_WITHOUT_TIME_ZONE,
          TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          true;
      case ROW -> type.getChildren().stream().allMatch(OrderedColumn::isOrderable);
      default -> false;
    };
  }

  public String name() {
    return name;
  }

  public LogicalType type() {
    return type;
  }

  /** The columns of a struct, in order; none for a scalar. */
  List<OrderedColumn> fields() {
    return fields;
  }

  /**
   * Appends a field of a row.
   *
   * @throws InvalidSequenceException if it is NULL, has a NULL struct field, or is a NaN of a
   *     sequence (semantics 0.3)
   */
  public void append(RowData row, int position, SequenceEncoder encoder)
      throws InvalidSequenceException {
    if (row.isNullAt(position)) {
      throw InvalidSequenceException.nullValue();
    }
    switch (type.getTypeRoot()) {
      case BOOLEAN -> encoder.putBoolean(row.getBoolean(position));
      case TINYINT -> encoder.putByte(row.getByte(position));
      case SMALLINT -> encoder.putShort(row.getShort(position));
      case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> encoder.putInt(row.getInt(position));
      case BIGINT -> encoder.putLong(row.getLong(position));
      case FLOAT -> putFloat(row.getFloat(position), encoder);
      case DOUBLE -> putDouble(row.getDouble(position), encoder);
      case DECIMAL -> putDecimal(row, position, encoder);
      case CHAR, VARCHAR -> putAll(row.getString(position).toBytes(), encoder);
      case BINARY, VARBINARY -> putAll(row.getBinary(position), encoder);
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          putTimestamp(row, position, encoder);
      case ROW -> putStruct(row.getRow(position, fields.size()), encoder);
      default -> throw new IllegalStateException("no order for type " + type);
    }
  }

  private void putFloat(float value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (key) {
      encoder.putKeyFloat(value);
    } else {
      encoder.putFloat(value);
    }
  }

  private void putDouble(double value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (key) {
      encoder.putKeyDouble(value);
    } else {
      encoder.putDouble(value);
    }
  }

  private void putDecimal(RowData row, int position, SequenceEncoder encoder) {
    DecimalType decimal = (DecimalType) type;
    DecimalData value = row.getDecimal(position, decimal.getPrecision(), decimal.getScale());
    if (decimal.getPrecision() <= COMPACT_DECIMAL) {
      encoder.putLong(value.toUnscaledLong());
    } else {
      encoder.putUnscaled(value.toBigDecimal().unscaledValue());
    }
  }

  private static void putAll(byte[] bytes, SequenceEncoder encoder) {
    encoder.putBytes(bytes, 0, bytes.length);
  }

  private void putTimestamp(RowData row, int position, SequenceEncoder encoder) {
    int precision = LogicalTypeChecks.getPrecision(type);
    TimestampData value = row.getTimestamp(position, precision);
    if (precision <= COMPACT_TIMESTAMP) {
      encoder.putLong(value.getMillisecond() * 1000 + value.getNanoOfMillisecond() / 1000);
    } else {
      encoder.putTimestamp(value.getMillisecond(), value.getNanoOfMillisecond());
    }
  }

  private void putStruct(RowData struct, SequenceEncoder encoder) throws InvalidSequenceException {
    for (int i = 0; i < fields.size(); i++) {
      try {
        fields.get(i).append(struct, i, encoder);
      } catch (InvalidSequenceException e) {
        throw e.within(fields.get(i).name);
      }
    }
  }

  /** Takes the next value from a decoder, in Flink's internal form; the inverse of append. */
  public Object take(SequenceDecoder decoder) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> decoder.takeBoolean();
      case TINYINT -> decoder.takeByte();
      case SMALLINT -> decoder.takeShort();
      case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> decoder.takeInt();
      case BIGINT -> decoder.takeLong();
      case FLOAT -> decoder.takeFloat();
      case DOUBLE -> decoder.takeDouble();
      case DECIMAL -> takeDecimal(decoder);
      case CHAR, VARCHAR -> StringData.fromBytes(decoder.takeBytes());
      case BINARY, VARBINARY -> decoder.takeBytes();
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> takeTimestamp(decoder);
      case ROW -> takeStruct(decoder);
      default -> throw new IllegalStateException("no order for type " + type);
    };
  }

  private DecimalData takeDecimal(SequenceDecoder decoder) {
    DecimalType decimal = (DecimalType) type;
    int precision = decimal.getPrecision();
    return precision <= COMPACT_DECIMAL
        ? DecimalData.fromUnscaledLong(decoder.takeLong(), precision, decimal.getScale())
        : DecimalData.fromUnscaledBytes(
            decoder.takeUnscaled().toByteArray(), precision, decimal.getScale());
  }

  private TimestampData takeTimestamp(SequenceDecoder decoder) {
    long first = decoder.takeLong();
    if (LogicalTypeChecks.getPrecision(type) > COMPACT_TIMESTAMP) {
      return TimestampData.fromEpochMillis(first, decoder.takeInt());
    }
    return TimestampData.fromEpochMillis(
        Math.floorDiv(first, 1000L), (int) Math.floorMod(first, 1000L) * 1000);
  }

  private GenericRowData takeStruct(SequenceDecoder decoder) {
    GenericRowData struct = new GenericRowData(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      struct.setField(i, fields.get(i).take(decoder));
    }
    return struct;
  }

  /** Whether values are a single scalar, so that file statistics can be used on the column. */
  public boolean isScalar() {
    return !type.is(LogicalTypeRoot.ROW);
  }
}
