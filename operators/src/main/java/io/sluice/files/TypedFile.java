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
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.data.FlinkParquetReaders;
import org.apache.iceberg.flink.data.FlinkPlannedAvroReader;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.shaded.org.apache.avro.file.DataFileStream;
import org.apache.iceberg.shaded.org.apache.avro.generic.GenericDatumReader;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.iceberg.types.Types;

/**
 * A file that brings its own types: Parquet or Avro, read by Iceberg's readers as its schema says.
 * Files of other writers have no field ids; they are mapped by name.
 */
final class TypedFile {

  private final FileEntry file;
  private final Format format;
  private final Schema schema;

  private TypedFile(FileEntry file, Format format, Schema schema) {
    this.file = file;
    this.format = format;
    this.schema = schema;
  }

  /**
   * Reads a file's schema.
   *
   * @throws SluiceException MALFORMED_RECORD where it is no file of the format, or has a type that
   *     Iceberg's readers do not know
   */
  static TypedFile open(FileEntry file, Format format) throws IOException {
    try {
      Schema schema = format == Format.PARQUET ? parquetSchema(file) : avroSchema(file);
      return new TypedFile(file, format, schema);
    } catch (SluiceException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      if (FileStore.of(file.path()).status(file.path()).isEmpty()) {
        throw e;
      }
      throw new SluiceException(
          ErrorCode.MALFORMED_RECORD,
          "'" + file.path() + "' cannot be read as " + format + ": " + e.getMessage(),
          "Take the file away, or correct the format option.",
          e);
    }
  }

  private static Schema parquetSchema(FileEntry file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new ParquetInput(file))) {
      return ParquetSchemaUtil.convert(reader.getFooter().getFileMetaData().getSchema());
    }
  }

  private static Schema avroSchema(FileEntry file) throws IOException {
    try (DataFileStream<Object> stream =
        new DataFileStream<>(FileStore.open(file, 0), new GenericDatumReader<>())) {
      return AvroSchemaUtil.toIceberg(stream.getSchema());
    }
  }

  /** The file's columns in Flink's types. */
  RowType rowType() {
    return FlinkSchemaUtil.convert(schema);
  }

  /**
   * The rows of a byte range, of {@link #rowType()} and a last BIGINT, the row's number in the
   * file.
   */
  CloseableIterable<RowData> rows(long start, long length) {
    List<Types.NestedField> fields = new ArrayList<>(schema.columns());
    fields.add(MetadataColumns.ROW_POSITION);
    Schema projection = new Schema(fields);
    InputFile input = FileStore.of(file.path()).input(file.path(), file.size());
    if (format == Format.AVRO) {
      return Avro.read(input)
          .project(projection)
          .split(start, length)
          .withNameMapping(MappingUtil.create(schema))
          .createResolvingReader(FlinkPlannedAvroReader::create)
          .build();
    }
    return Parquet.read(input)
        .project(projection)
        .split(start, length)
        .withNameMapping(MappingUtil.create(schema))
        .createReaderFunc(type -> FlinkParquetReaders.buildReader(projection, type))
        .build();
  }
}
