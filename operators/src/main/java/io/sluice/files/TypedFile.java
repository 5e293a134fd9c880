package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.types.Types;

/**
 * A file that brings its own types: Parquet or Avro, read by Iceberg's readers as its schema says.
 * Files of other writers have no field ids; they are mapped by name.
 */
sealed interface TypedFile permits ParquetTypedFile, AvroTypedFile {

  FileEntry file();

  /** The file's schema in Iceberg's types. */
  Schema schema();

  /** The rows of a byte range in a projection. */
  CloseableIterable<RowData> rows(InputFile input, Schema projection, long start, long length);

  /**
   * Reads a file's schema.
   *
   * @throws SluiceException MALFORMED_RECORD where it is no file of the format, or has a type that
   *     Iceberg's readers do not know
   */
  static TypedFile open(FileEntry file, Format format) throws IOException {
    try {
      return format == Format.PARQUET ? ParquetTypedFile.open(file) : AvroTypedFile.open(file);
    } catch (IOException | RuntimeException e) {
      if (FileStore.of(file.path()).status(file.path()).isEmpty()) {
        throw e;
      }
      throw unreadable(file, format, e);
    }
  }

  static SluiceException unreadable(FileEntry file, Format format, Exception cause) {
    return new SluiceException(
        ErrorCode.MALFORMED_RECORD,
        "'" + file.path() + "' cannot be read as " + format + ": " + cause.getMessage(),
        "Take the file away, write it again with other types, or correct the format option.",
        cause);
  }

  /** The file's columns in Flink's types. */
  default RowType rowType() {
    return FlinkSchemaUtil.convert(schema());
  }

  /**
   * The rows of a byte range, of {@link #rowType()} and a last BIGINT, the row's number in the
   * file.
   */
  default CloseableIterable<RowData> rows(long start, long length) {
    List<Types.NestedField> fields = new ArrayList<>(schema().columns());
    fields.add(MetadataColumns.ROW_POSITION);
    FileEntry file = file();
    InputFile input = FileStore.of(file.path()).input(file.path(), file.size());
    return rows(input, new Schema(fields), start, length);
  }
}
