package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.FileWriterFactory;

/** A data file that is being written. Its size is looked at every {@link #CHECK_ROWS} rows only. */
final class OpenDataFile {

  /** Rows between two looks at the size. */
  static final int CHECK_ROWS = 1_000;

  private final String location;
  private final DataWriter<RowData> writer;
  private long rows;
  private long bytes;

  OpenDataFile(
      FileWriterFactory<RowData> factory,
      EncryptedOutputFile file,
      PartitionSpec spec,
      StructLike partition) {
    this.location = file.encryptingOutputFile().location();
    this.writer = factory.newDataWriter(file, spec, partition);
  }

  String location() {
    return location;
  }

  /** Rows written so far: the position of the next one. */
  long rows() {
    return rows;
  }

  /** Bytes in the file and in its buffers, as of the last look. */
  long bytes() {
    return bytes;
  }

  /** Writes a row; true when the size was looked at. */
  boolean write(RowData row) {
    writer.write(row);
    rows++;
    if (rows % CHECK_ROWS != 0) {
      return false;
    }
    bytes = writer.length();
    return true;
  }

  DataFile finish() {
    try {
      writer.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot finish " + location, e);
    }
    return writer.toDataFile();
  }
}
