package io.sluice.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * The last look before a snapshot is published: a second deletion vector on a data file would make
 * the table unreadable for everybody, and Iceberg accepts it.
 */
final class StagedSnapshot {

  private StagedSnapshot() {}

  /**
   * Checks that every given data file has exactly one delete file of its own.
   *
   * @throws IllegalStateException if one has none or several: an error of this package
   */
  static void requireOneDeleteFileEach(Table table, Snapshot snapshot, Set<String> dataFiles) {
    if (dataFiles.isEmpty()) {
      return;
    }
    Map<String, Integer> counts = new HashMap<>();
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> deletes =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        for (DeleteFile delete : deletes) {
          String file = ContentFileUtil.referencedDataFileLocation(delete);
          if (file != null && dataFiles.contains(file)) {
            counts.merge(file, 1, Integer::sum);
          }
        }
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    for (String file : dataFiles) {
      int count = counts.getOrDefault(file, 0);
      if (count != 1) {
        throw new IllegalStateException(
            "snapshot "
                + snapshot.snapshotId()
                + " of table "
                + table.name()
                + " would have "
                + count
                + " delete files for "
                + file
                + " instead of one");
      }
    }
  }
}
