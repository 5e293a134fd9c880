package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.PropertyUtil;

/** Plans the reading of all live rows of a snapshot. */
public final class LocatedRows {

  private static final Comparator<RowSplit> ORDER =
      Comparator.comparingLong(RowSplit::dataSequenceNumber)
          .thenComparing(split -> split.file().location())
          .thenComparingLong(RowSplit::start);

  private LocatedRows() {}

  /**
   * The splits of a snapshot in the order of data sequence number, file and position. Files larger
   * than the table's {@code read.split.target-size} come as several splits, cut between row groups.
   *
   * @param statisticsColumns columns whose bounds the splits keep, for the pruning of {@link
   *     LocatedRowReader}; without them only partitions prune
   */
  public static List<RowSplit> plan(
      Table table, long snapshotId, Collection<String> statisticsColumns) {
    TableScan scan =
        table
            .newScan()
            .useSnapshot(snapshotId)
            .planWith(ManifestThreads.of(table, table.snapshot(snapshotId)));
    // The snapshot may be older than a column.
    Schema columns = scan.schema();
    List<String> known =
        statisticsColumns.stream().filter(name -> columns.findField(name) != null).toList();
    if (!known.isEmpty()) {
      scan = scan.includeColumnStats(known);
    }
    List<RowSplit> splits = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
      for (FileScanTask task : tasks) {
        splits.addAll(split(table, task, task.file().dataSequenceNumber()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    splits.sort(ORDER);
    return List.copyOf(splits);
  }

  /** The splits of one file, in the order of their positions. */
  static List<RowSplit> split(Table table, FileScanTask task, long dataSequenceNumber) {
    long targetBytes =
        PropertyUtil.propertyAsLong(
            table.properties(), TableProperties.SPLIT_SIZE, TableProperties.SPLIT_SIZE_DEFAULT);
    List<RowSplit> splits = new ArrayList<>();
    for (FileScanTask part : task.split(targetBytes)) {
      splits.add(
          new RowSplit(
              task.file(), task.deletes(), part.start(), part.length(), dataSequenceNumber));
    }
    return splits;
  }
}
