package io.sluice.table;

import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes files that belong to no commit, as far as the storage lets it. */
final class FileCleanup {

  private static final Logger LOG = LoggerFactory.getLogger(FileCleanup.class);

  private FileCleanup() {}

  /** Removes a file; a failure leaves an orphan and is only logged. */
  static void delete(Table table, String location) {
    try {
      table.io().deleteFile(location);
    } catch (RuntimeException e) {
      LOG.warn("Cannot remove {}, which belongs to no commit; it stays as an orphan", location, e);
    }
  }
}
