package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;

/**
 * Plans the incremental read of a table that others only append to: everything at first, then the
 * rows of the snapshots since the last read, in commit order.
 */
public final class AppendedRows {

  private AppendedRows() {}

  /**
   * The splits between two snapshots, in the order of data sequence number and file. Compactions
   * and other rewrites in between hold no new rows.
   *
   * @param fromExclusive the snapshot of the last read; empty for the first, which reads all live
   *     rows
   * @param toInclusive the snapshot to read up to
   * @throws SluiceException SOURCE_NOT_APPEND_ONLY if a snapshot in between changed or removed
   *     rows; SOURCE_HISTORY_LOST if {@code fromExclusive} is expired or rolled back
   */
  public static List<RowSplit> plan(Table table, OptionalLong fromExclusive, long toInclusive) {
    if (fromExclusive.isEmpty()) {
      return LocatedRows.plan(table, toInclusive, List.of());
    }
    List<RowSplit> splits = new ArrayList<>();
    for (Snapshot snapshot : between(table, fromExclusive.getAsLong(), toInclusive)) {
      requireAppend(table, snapshot);
      List<DataFile> files = new ArrayList<>();
      snapshot.addedDataFiles(table.io()).forEach(files::add);
      files.sort(Comparator.comparing(DataFile::location));
      for (DataFile file : files) {
        splits.addAll(LocatedRows.split(table, task(table, file), snapshot.sequenceNumber()));
      }
    }
    return List.copyOf(splits);
  }

  private static FileScanTask task(Table table, DataFile file) {
    return new BaseFileScanTask(
        file.copyWithoutStats(),
        new DeleteFile[0],
        SchemaParser.toJson(table.schema()),
        PartitionSpecParser.toJson(table.specs().get(file.specId())),
        ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
  }

  private static Deque<Snapshot> between(Table table, long fromExclusive, long toInclusive) {
    Deque<Snapshot> snapshots = new ArrayDeque<>();
    Long id = toInclusive;
    while (id != null && id != fromExclusive) {
      Snapshot snapshot = table.snapshot(id);
      if (snapshot == null) {
        break;
      }
      if (!DataOperations.REPLACE.equals(snapshot.operation())) {
        snapshots.addFirst(snapshot);
      }
      id = snapshot.parentId();
    }
    if (id == null || id != fromExclusive) {
      throw new SluiceException(
          ErrorCode.SOURCE_HISTORY_LOST,
          "snapshot "
              + fromExclusive
              + " of table "
              + table.name()
              + ", up to which it was read, is no known ancestor of its snapshot "
              + toInclusive
              + ": it is expired, or the table was rolled back or replaced",
          "Read the table anew with --full-refresh of the tables that it feeds, "
              + "and let its snapshots live longer than the pause between two updates");
    }
    return snapshots;
  }

  // An overwrite that found nothing to remove is an append in all but name.
  private static void requireAppend(Table table, Snapshot snapshot) {
    if (DataOperations.APPEND.equals(snapshot.operation())
        || (!snapshot.removedDataFiles(table.io()).iterator().hasNext()
            && !snapshot.addedDeleteFiles(table.io()).iterator().hasNext())) {
      return;
    }
    throw new SluiceException(
        ErrorCode.SOURCE_NOT_APPEND_ONLY,
        "table "
            + table.name()
            + " is read as a stream of appended rows, but its snapshot "
            + snapshot.snapshotId()
            + " (operation "
            + snapshot.operation()
            + ") changed or removed rows",
        "Read it without STREAM, or run the tables that it feeds with --full-refresh");
  }
}
