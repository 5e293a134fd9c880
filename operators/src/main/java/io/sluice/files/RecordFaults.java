package io.sluice.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * What is wrong with the record at hand, and what of it is rescued. A field without a column
 * follows the schema evolution mode; a value that does not fit its column is rescued where there is
 * a {@code _rescued_data} column, and makes the record malformed where there is none. Nothing is
 * lost silently but unknown fields in mode none without that column.
 */
final class RecordFaults {

  private static final JsonFactory JSON = new JsonFactory();

  private final boolean rescues;
  private final SchemaEvolutionMode mode;
  private final String originField;
  private final Set<String> reportedColumns = new HashSet<>();
  private final StringBuilder path = new StringBuilder();
  private StringWriter rescuedText;
  private JsonGenerator rescued;
  private String reason;
  private String filePath;
  private RowSink sink;

  /**
   * @param originField name of the field that tells in {@code _rescued_data} where the record was
   */
  RecordFaults(boolean rescues, SchemaEvolutionMode mode, String originField) {
    this.rescues = rescues;
    this.mode = mode;
    this.originField = originField;
  }

  void startFile(String newFilePath, RowSink newSink) {
    filePath = newFilePath;
    sink = newSink;
  }

  void startRecord() {
    reason = null;
    rescued = null;
    path.setLength(0);
  }

  /** Goes into a nested field (null: stays); the answer belongs into {@link #leave}. */
  int enter(String field) {
    int mark = path.length();
    if (field != null) {
      path.append(mark > 0 ? "." : "").append(field);
    }
    return mark;
  }

  /** Goes into an element of an array. */
  int enter(int index) {
    int mark = path.length();
    path.append('[').append(index).append(']');
    return mark;
  }

  void leave(int mark) {
    path.setLength(mark);
  }

  /** Makes the record malformed; the first reason stands. */
  void fail(String why) {
    if (reason == null) {
      reason = why;
    }
  }

  /** Why the record is malformed; null where it is not. */
  String reason() {
    return reason;
  }

  /** The full name of a field of the current object, or of the current place itself (null). */
  String fullName(String field) {
    if (field == null) {
      return path.toString();
    }
    return path.isEmpty() ? field : path + "." + field;
  }

  /**
   * Meets a field that has no column.
   *
   * @param isNull whether it has no value, so that nothing needs to be kept
   * @return where to write its value; null where it is not kept
   */
  JsonGenerator unknown(String field, boolean isNull) {
    String name = fullName(field);
    if (mode == SchemaEvolutionMode.FAIL_ON_NEW_COLUMNS) {
      throw new SluiceException(
          ErrorCode.NEW_COLUMNS,
          "'" + filePath + "' has the new column '" + name + "'",
          "Add it to the schema, or choose another schemaEvolutionMode than failOnNewColumns.");
    }
    if (reportedColumns.add(name)) {
      sink.newColumn(name);
    }
    return rescues && !isNull ? rescue(name) : null;
  }

  /**
   * Meets a value that does not fit its column, or its part of one.
   *
   * @param found the value, as the message shows it
   * @return where to write the value; null where the record is malformed for it
   */
  JsonGenerator mismatch(String field, LogicalType type, String found) {
    String name = fullName(field);
    if (rescues) {
      return rescue(name);
    }
    fail("column '" + name + "' is " + type.asSummaryString() + ", found " + abbreviate(found));
    return null;
  }

  private JsonGenerator rescue(String name) {
    try {
      if (rescued == null) {
        rescuedText = new StringWriter();
        rescued = JSON.createGenerator(rescuedText);
        rescued.writeStartObject();
      }
      rescued.writeFieldName(name);
      return rescued;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The content of {@code _rescued_data}; null where the whole record fitted. */
  StringData rescuedData() {
    if (rescued == null) {
      return null;
    }
    try {
      rescued.writeStringField(originField, filePath);
      rescued.writeEndObject();
      rescued.close();
      return StringData.fromString(rescuedText.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String abbreviate(String text) {
    String beginning = text.length() <= 100 ? text : text.substring(0, 100) + "...";
    if (beginning.codePoints().noneMatch(RecordFaults::isHalfPair)) {
      return beginning;
    }
    return beginning
        .codePoints()
        .mapToObj(
            point -> isHalfPair(point) ? "\\u%04x".formatted(point) : Character.toString(point))
        .collect(Collectors.joining());
  }

  private static boolean isHalfPair(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
