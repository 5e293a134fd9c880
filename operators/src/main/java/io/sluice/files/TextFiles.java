package io.sluice.files;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Opens text files, compressed ones as their content. */
final class TextFiles {

  private static final int BUFFER_BYTES = 128 << 10;

  private TextFiles() {}

  /** The content from its beginning. */
  static InputStream open(FileEntry file) throws IOException {
    InputStream stream = FileStore.open(file, 0);
    if (!Format.isCompressed(file.path())) {
      return stream;
    }
    try {
      return new GZIPInputStream(new BufferedInputStream(stream, BUFFER_BYTES), BUFFER_BYTES);
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }

  /** The lines that begin in a split; all lines of a compressed file, whose split is the whole. */
  static LineReader lines(FileSplit split) throws IOException {
    if (Format.isCompressed(split.file().path())) {
      return new LineReader(open(split.file()), 0, Long.MAX_VALUE);
    }
    InputStream stream = FileStore.open(split.file(), Math.max(split.start() - 1, 0));
    try {
      return new LineReader(stream, split.start(), split.end());
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }
}
