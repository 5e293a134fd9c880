package io.sluice.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Parquet and Avro. A column whose type differs from the file's is converted where no value can
 * change; otherwise its values are rescued, or the file is an error without {@code _rescued_data}.
 */
final class TypedFileReader implements FormatReader {

  private static final JsonFactory JSON = new JsonFactory();

  private final Format format;

  TypedFileReader(Format format) {
    this.format = format;
  }

  @Override
  public long read(FileSplit split, RowAssembler rows) throws IOException {
    TypedFile file = TypedFile.open(split.file(), format);
    RowType fileType = file.rowType();
    TypedRowConversion conversion = new TypedRowConversion(fileType, rows.columns());
    if (!rows.schema().rescued()) {
      conversion.incompatibility().ifPresent(text -> refuse(split.file(), text));
    }
    int positionIndex = fileType.getFieldCount();
    try (CloseableIterable<RowData> records = file.rows(split.start(), split.length())) {
      Iterator<RowData> iterator = readable(split.file(), records::iterator);
      while (readable(split.file(), iterator::hasNext)) {
        RowData record = readable(split.file(), iterator::next);
        GenericRowData row = rows.startRecord();
        conversion.convert(record, rows.faults(), row);
        rows.finish(row, record.getLong(positionIndex), () -> text(record, fileType));
      }
    }
    return split.length();
  }

  /** A failure of the readers is one of the file; what the receiver of a row throws is not. */
  private <T> T readable(FileEntry file, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) {
      throw TypedFile.unreadable(file, format, e);
    }
  }

  private static void refuse(FileEntry file, String incompatibility) {
    throw new SluiceException(
        ErrorCode.MALFORMED_RECORD,
        "'" + file.path() + "': " + incompatibility,
        "Declare the column in schema => with a type that fits all files, or use"
            + " schemaEvolutionMode => 'rescue'.");
  }

  private static String text(RowData record, RowType type) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      JsonValues.write(generator, record, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
