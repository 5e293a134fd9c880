package io.sluice.files;

import java.io.Serializable;
import java.util.Comparator;
import java.util.Objects;

/**
 * A file as it was when it was listed; the three values together are its identity.
 *
 * @param path canonical absolute path; without a scheme for local files
 * @param size bytes
 * @param modificationTimeMs milliseconds since 1970-01-01 UTC
 */
public record FileEntry(String path, long size, long modificationTimeMs)
    implements Serializable, Comparable<FileEntry> {

  private static final Comparator<FileEntry> ORDER =
      Comparator.comparing(FileEntry::path)
          .thenComparingLong(FileEntry::size)
          .thenComparingLong(FileEntry::modificationTimeMs);

  public FileEntry {
    Objects.requireNonNull(path, "path");
  }

  /** The last part of the path. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** By path; the other two only decide between two states of one path. */
  @Override
  public int compareTo(FileEntry other) {
    return ORDER.compare(this, other);
  }
}
