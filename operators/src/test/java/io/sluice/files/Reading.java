package io.sluice.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Reads whole sources the way a job does, in one thread, and keeps what comes out. */
final class Reading implements RowSink {

  final List<RowData> rows = new ArrayList<>();
  final List<Long> offsets = new ArrayList<>();
  final List<MalformedRecord> malformed = new ArrayList<>();
  final List<String> newColumns = new ArrayList<>();
  final FileSchema schema;
  final RowType type;
  private String path = "";

  private Reading(FileSchema schema, RowType type) {
    this.schema = schema;
    this.type = type;
  }

  /** Reads with the schema that the options lead to. */
  static Reading of(String path, Map<String, String> options) {
    ReadFilesOptions parsed = ReadFilesOptions.of(path, options);
    FileSchema schema = SchemaInference.resolve(FileListing.list(parsed), parsed);
    return of(parsed, schema, false, Long.MAX_VALUE);
  }

  /** The same, with options as names and values in turn. */
  static Reading of(String path, String... options) {
    return of(path, pairs(options));
  }

  static Map<String, String> pairs(String... options) {
    Map<String, String> map = new HashMap<>();
    for (int index = 0; index < options.length; index += 2) {
      map.put(options[index], options[index + 1]);
    }
    return map;
  }

  /** Writes a file and reads it. */
  static Reading ofContent(Path file, String content, String... options) throws IOException {
    Files.writeString(file, content);
    return of(file.toString(), options);
  }

  static Reading of(ReadFilesOptions options, FileSchema schema, boolean metadata, long bytes) {
    List<FileSplit> splits = FileSplits.split(FileListing.list(options), options, bytes);
    return of(options, schema, metadata, inOrder(splits));
  }

  static Reading of(
      ReadFilesOptions options, FileSchema schema, boolean metadata, List<FileSplit> splits) {
    FileRowReader reader = new FileRowReader(options, schema, metadata);
    Reading reading = new Reading(schema, reader.producedType());
    for (FileSplit split : splits) {
      reading.path = split.file().path();
      reader.read(split, reading);
    }
    return reading;
  }

  static List<FileSplit> inOrder(List<FileSplit> splits) {
    List<FileSplit> ordered = new ArrayList<>(splits);
    ordered.sort(
        java.util.Comparator.comparingInt(FileSplit::ordinal).thenComparingLong(FileSplit::start));
    return ordered;
  }

  @Override
  public void row(RowData row, long offset) {
    rows.add(row);
    offsets.add(offset);
  }

  @Override
  public void malformed(String reason, String rawTextTruncated, long offset) {
    malformed.add(new MalformedRecord(path, offset, reason, rawTextTruncated));
  }

  @Override
  public void newColumn(String name) {
    newColumns.add(name);
  }

  /** The values of a column as Flink's internal objects. */
  List<Object> column(String name) {
    int index = type.getFieldNames().indexOf(name);
    LogicalType columnType = type.getTypeAt(index);
    RowData.FieldGetter getter = RowData.createFieldGetter(columnType, index);
    List<Object> values = new ArrayList<>();
    rows.forEach(row -> values.add(getter.getFieldOrNull(row)));
    return values;
  }

  /** The values of a column as the JSON that would be read to the same value. */
  List<String> json(String name) {
    LogicalType columnType = type.getTypeAt(type.getFieldNames().indexOf(name));
    return column(name).stream().map(value -> json(value, columnType)).toList();
  }

  private static String json(Object value, LogicalType type) {
    java.io.StringWriter text = new java.io.StringWriter();
    try (var generator = new com.fasterxml.jackson.core.JsonFactory().createGenerator(text)) {
      JsonValues.write(generator, value, type);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return text.toString();
  }
}
