package io.sluice.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;

/**
 * A data file in which a commit deletes rows.
 *
 * @param file the data file
 * @param spec the partitioning it was written with
 * @param inTable false for a file that the same commit adds
 * @param previous the position deletes and deletion vectors that apply to it now
 */
record TouchedFile(DataFile file, PartitionSpec spec, boolean inTable, List<DeleteFile> previous) {

  /**
   * Finds the files among those of the table's current snapshot and those the commit adds; a path
   * that is in neither is missing from the result.
   */
  static Map<String, TouchedFile> find(Table table, Set<String> paths, List<DataFile> added) {
    Map<String, TouchedFile> found = new HashMap<>();
    for (DataFile file : added) {
      if (paths.contains(file.location())) {
        found.put(
            file.location(),
            new TouchedFile(file, table.specs().get(file.specId()), false, List.of()));
      }
    }
    if (found.size() == paths.size() || table.currentSnapshot() == null) {
      return found;
    }
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().planWith(ManifestThreads.of(table)).planFiles()) {
      for (FileScanTask task : tasks) {
        String path = task.file().location();
        if (paths.contains(path)) {
          found.put(path, new TouchedFile(task.file(), task.spec(), true, positionDeletes(task)));
        }
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return found;
  }

  private static List<DeleteFile> positionDeletes(FileScanTask task) {
    List<DeleteFile> deletes = new ArrayList<>();
    for (DeleteFile delete : task.deletes()) {
      if (delete.content() == FileContent.POSITION_DELETES) {
        deletes.add(delete);
      }
    }
    return List.copyOf(deletes);
  }

  /** The first path that was not found. */
  static Optional<String> firstMissing(Set<String> paths, Map<String, TouchedFile> found) {
    return paths.stream().filter(path -> !found.containsKey(path)).sorted().findFirst();
  }
}
