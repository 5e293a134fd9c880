package io.sluice.files;

import java.io.Serializable;
import java.util.Objects;

/**
 * A part of a file that one task reads. A JSON line belongs to the split in which it begins, a
 * Parquet row group to the split in which its middle lies; files of other kinds have one split.
 *
 * @param file the file as planned
 * @param ordinal index of the file among this read's files in path order, from 0
 * @param start first byte of the split
 * @param length bytes; the split ends before {@code start + length}
 */
public record FileSplit(FileEntry file, int ordinal, long start, long length)
    implements Serializable {

  public FileSplit {
    Objects.requireNonNull(file, "file");
    if (ordinal < 0 || start < 0 || length < 0) {
      throw new IllegalArgumentException("negative part of a split of " + file.path());
    }
  }

  /** The first byte behind the split. */
  public long end() {
    return start + length;
  }
}
