package io.sluice.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Base64;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/** Writes Flink's internal values as the JSON that {@link JsonReaders} reads. */
public final class JsonValues {

  private static final JsonFactory JSON = new JsonFactory();

  private JsonValues() {}

  /** A row as a JSON object. */
  public static String text(RowData row, RowType type) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = JSON.createGenerator(text)) {
      writeRow(to, row, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** A text as a JSON string. */
  public static String text(String value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = JSON.createGenerator(text)) {
      to.writeString(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  static void write(JsonGenerator to, Object value, LogicalType type) throws IOException {
    if (value == null) {
      to.writeNull();
      return;
    }
    LogicalTypeRoot root = type.getTypeRoot();
    switch (root) {
      case BOOLEAN -> to.writeBoolean((Boolean) value);
      case TINYINT, SMALLINT, INTEGER, BIGINT -> to.writeNumber(((Number) value).longValue());
      case FLOAT -> to.writeNumber((Float) value);
      case DOUBLE -> to.writeNumber((Double) value);
      case DECIMAL -> to.writeNumber(((DecimalData) value).toBigDecimal());
      case BINARY, VARBINARY -> to.writeString(Base64.getEncoder().encodeToString((byte[]) value));
      case DATE -> to.writeString(LocalDate.ofEpochDay((Integer) value).toString());
      case TIME_WITHOUT_TIME_ZONE ->
          to.writeString(LocalTime.ofNanoOfDay((Integer) value * 1_000_000L).toString());
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          to.writeString(((TimestampData) value).toLocalDateTime().toString());
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          to.writeString(((TimestampData) value).toInstant().toString());
      case ROW -> writeRow(to, (RowData) value, (RowType) type);
      case ARRAY -> writeArray(to, (ArrayData) value, ((ArrayType) type).getElementType());
      case MAP -> writeMap(to, (MapData) value, (MapType) type);
      default -> to.writeString(value.toString());
    }
  }

  private static void writeRow(JsonGenerator to, RowData row, RowType type) throws IOException {
    to.writeStartObject();
    for (int index = 0; index < type.getFieldCount(); index++) {
      LogicalType fieldType = type.getTypeAt(index);
      to.writeFieldName(type.getFieldNames().get(index));
      write(to, RowData.createFieldGetter(fieldType, index).getFieldOrNull(row), fieldType);
    }
    to.writeEndObject();
  }

  private static void writeArray(JsonGenerator to, ArrayData array, LogicalType element)
      throws IOException {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(element);
    to.writeStartArray();
    for (int index = 0; index < array.size(); index++) {
      write(to, getter.getElementOrNull(array, index), element);
    }
    to.writeEndArray();
  }

  private static void writeMap(JsonGenerator to, MapData map, MapType type) throws IOException {
    ArrayData.ElementGetter keys = ArrayData.createElementGetter(type.getKeyType());
    ArrayData.ElementGetter values = ArrayData.createElementGetter(type.getValueType());
    to.writeStartObject();
    for (int index = 0; index < map.size(); index++) {
      to.writeFieldName(String.valueOf(keys.getElementOrNull(map.keyArray(), index)));
      write(to, values.getElementOrNull(map.valueArray(), index), type.getValueType());
    }
    to.writeEndObject();
  }
}
