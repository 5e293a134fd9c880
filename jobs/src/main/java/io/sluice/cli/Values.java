package io.sluice.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.explain.KeyValues;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.types.Row;

/** Values of query results as text and as JSON. */
final class Values {

  private Values() {}

  static String toText(Object value) {
    return KeyValues.text(value);
  }

  static void write(JsonGenerator generator, Object value) throws IOException {
    if (value == null) {
      generator.writeNull();
    } else if (value instanceof Boolean flag) {
      generator.writeBoolean(flag);
    } else if (value instanceof BigDecimal decimal) {
      generator.writeNumber(decimal);
    } else if (value instanceof Double number) {
      generator.writeNumber(number);
    } else if (value instanceof Float number) {
      generator.writeNumber(number);
    } else if (value instanceof Number number) {
      generator.writeNumber(number.longValue());
    } else if (value instanceof byte[] bytes) {
      generator.writeBinary(bytes);
    } else if (value instanceof Object[] elements) {
      generator.writeStartArray();
      for (Object element : elements) {
        write(generator, element);
      }
      generator.writeEndArray();
    } else if (value instanceof Map<?, ?> map) {
      generator.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        generator.writeFieldName(toText(entry.getKey()));
        write(generator, entry.getValue());
      }
      generator.writeEndObject();
    } else if (value instanceof Row row) {
      writeRow(generator, row);
    } else {
      generator.writeString(toText(value));
    }
  }

  private static void writeRow(JsonGenerator generator, Row row) throws IOException {
    Set<String> names = row.getFieldNames(true);
    if (names == null) {
      generator.writeStartArray();
      for (int i = 0; i < row.getArity(); i++) {
        write(generator, row.getField(i));
      }
      generator.writeEndArray();
      return;
    }
    generator.writeStartObject();
    for (String name : new TreeSet<>(names)) {
      generator.writeFieldName(name);
      write(generator, row.getField(name));
    }
    generator.writeEndObject();
  }
}
