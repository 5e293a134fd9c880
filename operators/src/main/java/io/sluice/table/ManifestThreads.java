package io.sluice.table;

import java.util.concurrent.ExecutorService;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.relocated.com.google.common.util.concurrent.MoreExecutors;
import org.apache.iceberg.util.ThreadPools;

/**
 * Which threads read and write the manifests and delete files of a table. Iceberg waits for its
 * workers by sleeping ten milliseconds at a time, longer than the whole work takes where little
 * lies on a local disk: there the calling thread does it. Where files are far away, or many, the
 * workers do.
 */
final class ManifestThreads {

  /** Bytes of manifests that one thread reads in a few milliseconds. */
  private static final long FEW_BYTES = 256 << 10;

  private ManifestThreads() {}

  /** The threads for work on the table's current snapshot. */
  static ExecutorService of(Table table) {
    return of(table, table.currentSnapshot());
  }

  /**
   * The threads for work on a snapshot.
   *
   * @param snapshot null for a table that has none
   */
  static ExecutorService of(Table table, Snapshot snapshot) {
    return isLocal(table.location()) && manifestBytes(table, snapshot) <= FEW_BYTES
        ? MoreExecutors.newDirectExecutorService()
        : ThreadPools.getWorkerPool();
  }

  private static boolean isLocal(String location) {
    return location.startsWith("/") || location.startsWith("file:");
  }

  private static long manifestBytes(Table table, Snapshot snapshot) {
    return snapshot == null
        ? 0
        : snapshot.allManifests(table.io()).stream().mapToLong(ManifestFile::length).sum();
  }
}
