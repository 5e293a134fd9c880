package io.sluice.files;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipException;
import org.apache.flink.table.types.logical.RowType;

/**
 * Finds the columns of files (semantics 17.4). The same files give the same schema, whatever the
 * order of the list; {@link FileSchema#widen} makes the schemas of successive runs grow only.
 *
 * <ul>
 *   <li>JSON: BOOLEAN, BIGINT, DOUBLE (also for both kinds of numbers), TIMESTAMP_LTZ(6) and DATE
 *       from ISO-8601 texts (both together: TIMESTAMP_LTZ(6)), rows, arrays; anything else, values
 *       in conflict, and columns without a value are STRING.
 *   <li>CSV: the same from the text of the fields; names from the header, or _c0, _c1, ...
 *   <li>Parquet and Avro: the files' own types; the wider of two widths.
 *   <li>{@code key=value} folders: BIGINT, DATE or STRING, behind the other columns; where the data
 *       has a column of that name, its type and its values win.
 *   <li>{@code _rescued_data STRING} last.
 * </ul>
 */
public final class SchemaInference {

  private SchemaInference() {}

  /**
   * Infers the schema from a sample of the files; see {@link InferenceSample} for its limits. What
   * the sample does not show is rescued when it is read.
   *
   * @throws SluiceException SCHEMA_NOT_INFERRED where no file has data
   */
  public static FileSchema infer(List<FileEntry> files, ReadFilesOptions options) {
    List<RowType.RowField> columns = new ArrayList<>(dataColumns(files, options));
    columns.removeIf(column -> column.getName().equalsIgnoreCase(FileSchema.RESCUED_DATA));
    if (columns.isEmpty()) {
      throw new SluiceException(
          ErrorCode.SCHEMA_NOT_INFERRED,
          "read_files('"
              + options.path()
              + "'): "
              + (files.isEmpty() ? "there are no files" : "no file has data")
              + " to infer columns from",
          "Declare them: schema => 'id BIGINT, name STRING, ...'.");
    }
    return withFolders(FileSchema.of(columns, List.of(), true), files, options);
  }

  /**
   * The schema of a read: the declared columns, with those of folders behind them, and {@code
   * _rescued_data} in the modes rescue and addNewColumns; the latter adds the columns that the
   * files have besides. Without declared columns it is {@link #infer}.
   *
   * @throws SluiceException INVALID_OPTION for a wrong declaration, SCHEMA_NOT_INFERRED
   */
  public static FileSchema resolve(List<FileEntry> files, ReadFilesOptions options) {
    if (options.schemaText().isEmpty()) {
      return infer(files, options);
    }
    FileSchema declared = FileSchema.declared(options.schemaText().get());
    FileSchema schema = withFolders(declared, files, options);
    return switch (options.mode()) {
      case NONE, FAIL_ON_NEW_COLUMNS -> schema;
      case RESCUE -> schema.withRescuedData();
      case ADD_NEW_COLUMNS ->
          files.stream().allMatch(file -> file.size() == 0)
              ? schema.withRescuedData()
              : FileSchema.widen(schema, infer(files, options));
    };
  }

  /** The names of the columns that {@code now} has and {@code previous} has not, in order. */
  public static List<String> newColumns(FileSchema previous, FileSchema now) {
    return now.columnsMissingIn(previous).stream().map(RowType.RowField::getName).toList();
  }

  private static FileSchema withFolders(
      FileSchema schema, List<FileEntry> files, ReadFilesOptions options) {
    Guess.Fields folders = new Guess.Fields();
    for (FileEntry file : files.stream().sorted().toList()) {
      FolderValues.of(FolderValues.countedPart(file.path(), options))
          .forEach((key, value) -> folders.add(key, ValueGuesses.ofFolder(value)));
    }
    List<RowType.RowField> columns = folders.toColumns();
    List<String> names = columns.stream().map(RowType.RowField::getName).toList();
    return FileSchema.widen(schema, new FileSchema(new RowType(false, columns), names, false));
  }

  private static List<RowType.RowField> dataColumns(
      List<FileEntry> files, ReadFilesOptions options) {
    InferenceSample sample = InferenceSample.of(files);
    Guess.Fields fields = new Guess.Fields();
    Map<String, RowType.RowField> typed = new LinkedHashMap<>();
    for (FileEntry file : sample.files()) {
      try {
        switch (options.format()) {
          case JSON -> readJson(file, sample.bytesPerFile(), options, fields);
          case CSV -> readCsv(file, sample.bytesPerFile(), options, fields);
          case PARQUET, AVRO -> readTyped(file, options, typed);
        }
      } catch (ZipException | EOFException e) {
        // Reading the file reports it; its columns cannot be known.
        continue;
      } catch (IOException | UncheckedIOException e) {
        FileRowReader.requireUnchanged(file);
        throw FileStore.failed(file.path(), e);
      }
    }
    return options.format().isText() ? fields.toColumns() : List.copyOf(typed.values());
  }

  private static void readJson(
      FileEntry file, long maxBytes, ReadFilesOptions options, Guess.Fields fields)
      throws IOException {
    try (LineReader lines = new LineReader(TextFiles.open(file), 0, maxBytes)) {
      while (lines.next()) {
        try (JsonParser parser =
            JsonLinesReader.JSON.createParser(lines.buffer(), lines.from(), lines.length())) {
          if (lines.isTooLong() || parser.nextToken() != JsonToken.START_OBJECT) {
            continue;
          }
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            fields.add(name, ValueGuesses.ofJson(parser, options.inferColumnTypes()));
          }
        } catch (JsonProcessingException e) {
          // The reader reports the line; what it showed before the fault may count.
          continue;
        }
      }
    }
  }

  private static void readCsv(
      FileEntry file, long maxBytes, ReadFilesOptions options, Guess.Fields fields)
      throws IOException {
    try (CsvRecords records = new CsvRecords(TextFiles.open(file), options.delimiter())) {
      List<String> names = options.header() ? CsvReader.header(records, file) : null;
      if (names != null) {
        names.forEach(name -> fields.add(name, Guess.NOTHING));
      }
      while (records.bytesRead() < maxBytes && records.next()) {
        List<String> values = records.fields();
        if (records.problem() != null || (names != null && names.size() != values.size())) {
          continue;
        }
        for (int index = 0; index < values.size(); index++) {
          String name = names == null ? CsvReader.nameOf(index) : names.get(index);
          fields.add(name, ValueGuesses.ofText(values.get(index), options.inferColumnTypes()));
        }
      }
    }
  }

  private static void readTyped(
      FileEntry file, ReadFilesOptions options, Map<String, RowType.RowField> columns)
      throws IOException {
    for (RowType.RowField field : TypedFile.open(file, options.format()).rowType().getFields()) {
      if (field.getName().isBlank()) {
        continue;
      }
      RowType.RowField nullable = new RowType.RowField(field.getName(), field.getType().copy(true));
      columns.merge(field.getName().toLowerCase(Locale.ROOT), nullable, TypedMerge::wider);
    }
  }
}
