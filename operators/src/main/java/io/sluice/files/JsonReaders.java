package io.sluice.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The JSON forms of the types. Numbers are JSON numbers, never texts; whole numbers have no point;
 * times are texts; a STRING column takes any value, what is no text as its JSON.
 */
final class JsonReaders {

  private static final JsonFactory JSON = new JsonFactory();

  private JsonReaders() {}

  static JsonReader of(LogicalType type) {
    LogicalTypeRoot root = type.getTypeRoot();
    return switch (root) {
      case BOOLEAN -> bool(type);
      case TINYINT -> integer(type, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> integer(type, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> integer(type, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT, DOUBLE -> floating(type);
      case DECIMAL -> decimal((DecimalType) type);
      case CHAR, VARCHAR -> string(type);
      case ARRAY -> array((ArrayType) type);
      case MAP -> map((MapType) type);
      case ROW -> JsonRowReader.nested((RowType) type);
      default -> quoted(type);
    };
  }

  private static JsonReader bool(LogicalType type) {
    return (parser, faults, field) ->
        switch (parser.currentToken()) {
          case VALUE_TRUE -> Boolean.TRUE;
          case VALUE_FALSE -> Boolean.FALSE;
          default -> mismatch(parser, faults, field, type);
        };
  }

  private static JsonReader integer(LogicalType type, long min, long max) {
    LogicalTypeRoot root = type.getTypeRoot();
    return (parser, faults, field) -> {
      if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
          && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        long value = parser.getLongValue();
        if (value >= min && value <= max) {
          return TextReaders.narrow(root, value);
        }
      }
      return mismatch(parser, faults, field, type);
    };
  }

  private static JsonReader floating(LogicalType type) {
    boolean single = type.getTypeRoot() == LogicalTypeRoot.FLOAT;
    return (parser, faults, field) -> {
      if (parser.currentToken().isNumeric()) {
        double value = parser.getDoubleValue();
        Object fitting = single ? (Object) TextReaders.toFloat(value) : (Object) value;
        if (fitting != null && !Double.isInfinite(value)) {
          return fitting;
        }
      }
      return mismatch(parser, faults, field, type);
    };
  }

  private static JsonReader decimal(DecimalType type) {
    return (parser, faults, field) -> {
      if (parser.currentToken().isNumeric()) {
        Object value = TextReaders.decimal(parser.getDecimalValue(), type);
        if (value != null) {
          return value;
        }
      }
      return mismatch(parser, faults, field, type);
    };
  }

  private static JsonReader string(LogicalType type) {
    TextReader text = TextReaders.ofQuoted(type).orElseThrow();
    return (parser, faults, field) -> {
      Object value;
      if (parser.currentToken().isStructStart()) {
        StringWriter json = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(json)) {
          generator.copyCurrentStructureExact(parser);
        }
        value = text.read(json.toString());
        return value != null ? value : mismatch(json.toString(), faults, field, type);
      }
      value = text.read(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
      return value != null ? value : mismatch(parser, faults, field, type);
    };
  }

  private static JsonReader quoted(LogicalType type) {
    TextReader text =
        TextReaders.ofQuoted(type).orElseThrow(() -> unsupported(type, "a JSON value"));
    return (parser, faults, field) -> {
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        Object value =
            text.read(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
        if (value != null) {
          return value;
        }
      }
      return mismatch(parser, faults, field, type);
    };
  }

  private static JsonReader array(ArrayType type) {
    JsonReader element = of(type.getElementType());
    return (parser, faults, field) -> {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        return mismatch(parser, faults, field, type);
      }
      List<Object> values = new ArrayList<>();
      int place = faults.enter(field);
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        int elementPlace = faults.enter(values.size());
        values.add(orNull(element, parser, faults, null));
        faults.leave(elementPlace);
      }
      faults.leave(place);
      return new GenericArrayData(values.toArray());
    };
  }

  private static JsonReader map(MapType type) {
    TextReader key =
        TextReaders.of(type.getKeyType())
            .orElseThrow(() -> unsupported(type.getKeyType(), "a key of a JSON object"));
    JsonReader value = of(type.getValueType());
    return (parser, faults, field) -> {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        return mismatch(parser, faults, field, type);
      }
      Map<Object, Object> entries = new HashMap<>();
      int place = faults.enter(field);
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        Object parsedKey = key.read(name);
        if (parsedKey == null) {
          mismatch(parser, faults, name, type.getKeyType());
          continue;
        }
        Object parsed = orNull(value, parser, faults, name);
        if (entries.containsKey(parsedKey)) {
          faults.fail("the field '" + faults.fullName(name) + "' is there twice");
        }
        entries.put(parsedKey, parsed);
      }
      faults.leave(place);
      return new GenericMapData(entries);
    };
  }

  static Object orNull(JsonReader reader, JsonParser parser, RecordFaults faults, String field)
      throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NULL
        ? null
        : reader.read(parser, faults, field);
  }

  /** Tells that the current value does not fit, and goes to its end. */
  static Object mismatch(JsonParser parser, RecordFaults faults, String field, LogicalType type)
      throws IOException {
    boolean nested = parser.currentToken().isStructStart();
    boolean text = parser.currentToken() == JsonToken.VALUE_STRING;
    String found =
        nested
            ? (parser.currentToken() == JsonToken.START_ARRAY ? "an array" : "an object")
            : (text ? "the text '" + parser.getText() + "'" : parser.getText());
    copy(parser, faults.mismatch(field, type, found));
    return null;
  }

  private static Object mismatch(String text, RecordFaults faults, String field, LogicalType type)
      throws IOException {
    JsonGenerator kept = faults.mismatch(field, type, text);
    if (kept != null) {
      kept.writeRawValue(text);
    }
    return null;
  }

  /** Writes the current value as it is, and goes to its end; only the latter without a writer. */
  static void copy(JsonParser parser, JsonGenerator to) throws IOException {
    if (to == null) {
      parser.skipChildren();
    } else if (parser.currentToken().isNumeric()) {
      to.writeNumber(parser.getText());
    } else {
      to.copyCurrentStructureExact(parser);
    }
  }

  private static SluiceException unsupported(LogicalType type, String place) {
    return new SluiceException(
        ErrorCode.INVALID_OPTION,
        "read_files: " + type.asSummaryString() + " cannot be read from " + place,
        "Choose another type for the column, STRING for example.");
  }
}
