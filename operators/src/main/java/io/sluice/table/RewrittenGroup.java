package io.sluice.table;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;

/**
 * A group whose live rows lie in new files that are not yet part of the table.
 *
 * @param group what was read
 * @param written the new files
 * @param kept the positions that were alive when they were read, by old file
 * @param moves where they went
 */
record RewrittenGroup(
    FileGroup group, List<DataFile> written, Map<String, DeletedPositions> kept, MovedRows moves) {

  RewrittenGroup {
    written = List.copyOf(written);
    kept = Map.copyOf(kept);
  }
}
