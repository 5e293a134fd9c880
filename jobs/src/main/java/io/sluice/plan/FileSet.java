package io.sluice.plan;

import io.sluice.files.FileEntry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The exact set of files that a flow has read: path, size and modification time of each. */
public final class FileSet {

  static final FileSet EMPTY = new FileSet(Map.of());

  private final Map<String, FileEntry> byPath;

  private FileSet(Map<String, FileEntry> byPath) {
    this.byPath = byPath;
  }

  static FileSet of(Collection<FileEntry> files) {
    Map<String, FileEntry> byPath = new HashMap<>();
    files.forEach(file -> byPath.put(file.path(), file));
    return new FileSet(byPath);
  }

  /**
   * Whether a file was read. A file that changed after it was read is not read again: its rows are
   * in the table, and reading them twice would double them (allowOverwrites is off in the model
   * system too, semantics 17.4).
   */
  boolean contains(FileEntry file) {
    return byPath.containsKey(file.path());
  }

  Collection<FileEntry> entries() {
    return byPath.values();
  }

  int size() {
    return byPath.size();
  }
}
