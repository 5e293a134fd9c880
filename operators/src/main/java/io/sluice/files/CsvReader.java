package io.sluice.files;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Delimited text. With a header each file's first record says which field is which column. Without
 * one the fields are the columns in order: all of them where they are declared, else as many as the
 * file's first record has.
 */
final class CsvReader implements FormatReader {

  private final ReadFilesOptions options;
  private final List<RowType.RowField> columns;
  private final TextReader[] readers;
  private final FieldLookup lookup;
  private final List<String> positionalNames;

  /** For messages of a topic, which are read by {@link #readMessage}. */
  CsvReader(RowAssembler rows) {
    this(null, rows);
  }

  CsvReader(ReadFilesOptions options, RowAssembler rows) {
    this.options = options;
    this.columns = rows.columns();
    this.lookup = new FieldLookup(columns.stream().map(RowType.RowField::getName).toList());
    this.readers = columns.stream().map(CsvReader::reader).toArray(TextReader[]::new);
    this.positionalNames =
        columns.stream()
            .map(RowType.RowField::getName)
            .filter(name -> !rows.schema().partitionColumns().contains(name))
            .toList();
  }

  private static TextReader reader(RowType.RowField column) {
    LogicalType type = column.getType();
    return TextReaders.of(type)
        .orElseThrow(
            () ->
                new SluiceException(
                    ErrorCode.INVALID_OPTION,
                    "read_files: column '"
                        + column.getName()
                        + "' is "
                        + type.asSummaryString()
                        + ", which a CSV field cannot hold",
                    "Declare it as STRING, or use format => 'json'."));
  }

  @Override
  public long read(FileSplit split, RowAssembler rows) throws IOException {
    try (CsvRecords records = new CsvRecords(TextFiles.open(split.file()), options.delimiter())) {
      List<String> names = options.header() ? header(records, split.file()) : null;
      while (records.next()) {
        if (records.problem() != null) {
          rows.malformed(records.problem(), records.rawText(), records.offset());
          continue;
        }
        if (names == null) {
          names = namesByPosition(records.fields().size());
        }
        readRecord(records, names, rows);
      }
      return records.bytesRead();
    }
  }

  /**
   * The names in a file's first record; a nameless column gets its position as in files without
   * header. Empty where the file is.
   */
  static List<String> header(CsvRecords records, FileEntry file) throws IOException {
    if (!records.next()) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (String name : records.fields()) {
      names.add(name == null || name.isBlank() ? nameOf(names.size()) : name.strip());
    }
    Set<String> distinct = new HashSet<>();
    boolean repeated =
        names.stream().anyMatch(name -> !distinct.add(name.toLowerCase(java.util.Locale.ROOT)));
    if (records.problem() != null || repeated) {
      String why = repeated ? "it names a column twice" : records.problem();
      throw new SluiceException(
          ErrorCode.MALFORMED_RECORD,
          "the CSV header of '" + file.path() + "' cannot be used: " + why + ": " + names,
          "Correct the file, or read it with header => 'false'.");
    }
    return names;
  }

  /** The name of a column without one. */
  static String nameOf(int position) {
    return "_c" + position;
  }

  private List<String> namesByPosition(int fieldCount) {
    if (options.schemaText().isPresent()) {
      return positionalNames;
    }
    return IntStream.range(0, fieldCount).mapToObj(CsvReader::nameOf).toList();
  }

  private void readRecord(CsvRecords records, List<String> names, RowAssembler rows)
      throws IOException {
    GenericRowData row = rows.startRecord();
    readFields(records, names, row, rows.faults());
    rows.finish(row, records.offset(), records::rawText);
  }

  /**
   * Reads a message that holds one record, whose fields are the columns in order.
   *
   * @param offset of the message
   * @param raw its text, for the report
   */
  void readMessage(CsvRecords records, RowAssembler rows, long offset, Supplier<String> raw)
      throws IOException {
    GenericRowData row = rows.startRecord();
    RecordFaults faults = rows.faults();
    if (!records.next()) {
      faults.fail("the message is empty");
    } else if (records.problem() != null) {
      faults.fail(records.problem());
    } else {
      readFields(records, positionalNames, row, faults);
      if (records.next()) {
        faults.fail("the message holds more than one record");
      }
    }
    rows.finish(row, offset, raw);
  }

  private void readFields(
      CsvRecords records, List<String> names, GenericRowData row, RecordFaults faults)
      throws IOException {
    List<String> fields = records.fields();
    if (fields.size() != names.size()) {
      faults.fail("the record has " + fields.size() + " fields, not " + names.size());
    } else {
      for (int index = 0; index < fields.size(); index++) {
        readField(names.get(index), index, fields.get(index), row, faults);
      }
    }
  }

  private void readField(
      String name, int position, String text, GenericRowData row, RecordFaults faults)
      throws IOException {
    int column = lookup.find(name, position);
    JsonGenerator kept;
    if (column == FieldLookup.UNKNOWN) {
      kept = faults.unknown(name, text == null);
    } else {
      Object value = text == null ? null : readers[column].read(text);
      row.setField(column, value);
      kept =
          text == null || value != null
              ? null
              : faults.mismatch(name, columns.get(column).getType(), "'" + text + "'");
    }
    if (kept != null) {
      kept.writeString(text);
    }
  }
}
