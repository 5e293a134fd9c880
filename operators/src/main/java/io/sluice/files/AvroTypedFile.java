package io.sluice.files;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.avro.SupportsRowPosition;
import org.apache.iceberg.flink.data.FlinkPlannedAvroReader;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.shaded.org.apache.avro.file.DataFileStream;
import org.apache.iceberg.shaded.org.apache.avro.generic.GenericDatumReader;
import org.apache.iceberg.shaded.org.apache.avro.io.DatumReader;
import org.apache.iceberg.shaded.org.apache.avro.io.Decoder;

/** An Avro container file. */
record AvroTypedFile(FileEntry file, Schema schema) implements TypedFile {

  static AvroTypedFile open(FileEntry file) throws IOException {
    try (DataFileStream<Object> stream =
        new DataFileStream<>(FileStore.open(file, 0), new GenericDatumReader<>())) {
      Schema schema = AvroSchemaUtil.toIceberg(AvroTimestamps.asIceberg(stream.getSchema()));
      return new AvroTypedFile(file, schema);
    }
  }

  @Override
  public CloseableIterable<RowData> rows(
      InputFile input, Schema projection, long start, long length) {
    return Avro.read(input)
        .project(projection)
        .split(start, length)
        .withNameMapping(MappingUtil.create(schema))
        .createResolvingReader(
            expected -> new TimestampAwareReader(FlinkPlannedAvroReader.create(expected)))
        .build();
  }

  /** Shows the file's schema to Iceberg's reader with timestamps in Iceberg's spelling. */
  private record TimestampAwareReader(FlinkPlannedAvroReader reader)
      implements DatumReader<RowData>, SupportsRowPosition {

    @Override
    public void setSchema(org.apache.iceberg.shaded.org.apache.avro.Schema fileSchema) {
      reader.setSchema(AvroTimestamps.asIceberg(fileSchema));
    }

    @Override
    public RowData read(RowData reuse, Decoder decoder) throws IOException {
      return reader.read(reuse, decoder);
    }

    @Override
    public void setRowPositionSupplier(Supplier<Long> positions) {
      reader.setRowPositionSupplier(positions);
    }
  }
}
