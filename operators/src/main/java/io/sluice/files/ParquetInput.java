package io.sluice.files;

import java.io.IOException;
import org.apache.iceberg.shaded.org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.iceberg.shaded.org.apache.parquet.io.InputFile;
import org.apache.iceberg.shaded.org.apache.parquet.io.SeekableInputStream;

/** A file as Parquet's footer reader wants it. */
record ParquetInput(FileEntry file) implements InputFile {

  @Override
  public long getLength() {
    return file.size();
  }

  /** How Parquet's messages call the file. */
  @Override
  public String toString() {
    return "the file";
  }

  @Override
  public SeekableInputStream newStream() throws IOException {
    org.apache.iceberg.io.SeekableInputStream stream = FileStore.open(file, 0);
    return new DelegatingSeekableInputStream(stream) {
      @Override
      public long getPos() throws IOException {
        return stream.getPos();
      }

      @Override
      public void seek(long position) throws IOException {
        stream.seek(position);
      }
    };
  }
}
