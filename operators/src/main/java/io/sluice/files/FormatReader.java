package io.sluice.files;

import java.io.IOException;

/** Reads the records of one format. */
interface FormatReader {

  /**
   * Reads a split whose file {@code rows} has been started with.
   *
   * @return bytes read
   */
  long read(FileSplit split, RowAssembler rows) throws IOException;
}
