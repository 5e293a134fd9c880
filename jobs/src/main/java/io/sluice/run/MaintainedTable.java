package io.sluice.run;

import io.sluice.errors.Problem;
import io.sluice.table.OrphanFiles;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;

/**
 * What maintenance did with one table.
 *
 * @param table its name
 * @param before its files before
 * @param after its files afterwards
 * @param snapshotsExpired how many snapshots went
 * @param orphans files that nothing needed
 * @param seconds time it took
 * @param notices what was left undone, and why
 * @param problems what failed
 */
public record MaintainedTable(
    String table,
    Size before,
    Size after,
    int snapshotsExpired,
    OrphanFiles.Removed orphans,
    double seconds,
    List<String> notices,
    List<Problem> problems) {

  public MaintainedTable {
    notices = List.copyOf(notices);
    problems = List.copyOf(problems);
  }

  /**
   * The files of a table's current snapshot.
   *
   * @param dataFiles files with rows
   * @param deleteFiles deletion vectors and files of deleted positions
   * @param bytes size of both together
   */
  public record Size(long dataFiles, long deleteFiles, long bytes) {

    static Size of(Table table) {
      Snapshot snapshot = table.currentSnapshot();
      return snapshot == null
          ? new Size(0, 0, 0)
          : new Size(
              number(snapshot, SnapshotSummary.TOTAL_DATA_FILES_PROP),
              number(snapshot, SnapshotSummary.TOTAL_DELETE_FILES_PROP),
              number(snapshot, SnapshotSummary.TOTAL_FILE_SIZE_PROP));
    }

    private static long number(Snapshot snapshot, String key) {
      Map<String, String> summary = snapshot.summary();
      return Long.parseLong(summary.getOrDefault(key, "0"));
    }
  }
}
