package io.sluice.files;

import java.io.IOException;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.flink.data.FlinkParquetReaders;
import org.apache.iceberg.flink.data.StructRowData;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.iceberg.shaded.org.apache.parquet.schema.MessageType;
import org.apache.iceberg.shaded.org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * A Parquet file.
 *
 * @param oldTimestamps whether it has INT96 timestamps, which only Iceberg's generic readers know
 */
record ParquetTypedFile(FileEntry file, Schema schema, boolean oldTimestamps) implements TypedFile {

  static ParquetTypedFile open(FileEntry file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new ParquetInput(file))) {
      MessageType type = reader.getFooter().getFileMetaData().getSchema();
      boolean oldTimestamps =
          type.getColumns().stream()
              .anyMatch(
                  column ->
                      column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96);
      return new ParquetTypedFile(file, ParquetSchemaUtil.convert(type), oldTimestamps);
    }
  }

  @Override
  public CloseableIterable<RowData> rows(
      InputFile input, Schema projection, long start, long length) {
    Parquet.ReadBuilder reader =
        Parquet.read(input)
            .project(projection)
            .split(start, length)
            .withNameMapping(MappingUtil.create(schema));
    if (oldTimestamps) {
      CloseableIterable<Record> records =
          reader
              .createReaderFunc(type -> GenericParquetReaders.buildReader(projection, type))
              .build();
      return CloseableIterable.transform(
          records, record -> new StructRowData(projection.asStruct()).setStruct(record));
    }
    return reader
        .createReaderFunc(type -> FlinkParquetReaders.buildReader(projection, type))
        .build();
  }
}
