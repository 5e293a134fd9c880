package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.iceberg.util.StructLikeWrapper;

/**
 * Which files of a table are worth rewriting, with the limits of Iceberg's own rewrite: files
 * smaller than three quarters of {@code write.target-file-size-bytes} where at least five of a
 * partition make a larger one, and files of which three in ten rows or more are deleted.
 */
final class RewritePlan {

  /** Share of the target size below which a file is small. */
  private static final double SMALL = 0.75;

  /** Share of deleted rows from which on a file is rewritten for their sake. */
  private static final double MANY_DELETED = 0.3;

  /** So few small files stay as they are. */
  private static final int MIN_FILES = 5;

  /** Most files of one group. */
  private static final int MAX_FILES = 2_000;

  private static final Comparator<RowSplit> ORDER =
      Comparator.comparingLong(RowSplit::dataSequenceNumber)
          .thenComparing(split -> split.file().location());

  private final long targetBytes;

  private RewritePlan(long targetBytes) {
    this.targetBytes = targetBytes;
  }

  private record Place(int spec, StructLikeWrapper partition, long era) {}

  /** The groups of a snapshot. */
  static List<FileGroup> of(Table table, long snapshotId) {
    long targetBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    return new RewritePlan(targetBytes).groups(table, snapshotId);
  }

  private List<FileGroup> groups(Table table, long snapshotId) {
    AddedColumns added = AddedColumns.of(table);
    Map<Place, List<RowSplit>> places = new LinkedHashMap<>();
    try (CloseableIterable<FileScanTask> tasks =
        table
            .newScan()
            .useSnapshot(snapshotId)
            .planWith(ManifestThreads.of(table, table.snapshot(snapshotId)))
            .planFiles()) {
      for (FileScanTask task : tasks) {
        RowSplit file = whole(task);
        if (isSmall(file) || hasManyDeleted(file)) {
          Types.StructType type = task.spec().partitionType();
          places
              .computeIfAbsent(
                  new Place(
                      task.spec().specId(),
                      StructLikeWrapper.forType(type).set(task.file().partition()),
                      added.eraOf(file.dataSequenceNumber())),
                  absent -> new ArrayList<>())
              .add(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<FileGroup> groups = new ArrayList<>();
    places.forEach(
        (place, files) -> {
          files.sort(ORDER);
          for (List<RowSplit> bin : bins(files)) {
            if (isWorthwhile(bin)) {
              groups.add(
                  new FileGroup(
                      table.specs().get(place.spec()),
                      bin.get(0).file().partition(),
                      place.era(),
                      bin));
            }
          }
        });
    return groups;
  }

  private static RowSplit whole(FileScanTask task) {
    return new RowSplit(
        task.file(),
        task.deletes(),
        0,
        task.file().fileSizeInBytes(),
        task.file().dataSequenceNumber());
  }

  private boolean isSmall(RowSplit file) {
    return file.file().fileSizeInBytes() < SMALL * targetBytes;
  }

  /** Equality deletes count as many: every reader has to look for each of their keys. */
  private static boolean hasManyDeleted(RowSplit file) {
    OptionalLong live = file.liveRowsOfFile();
    return live.isPresent()
        ? file.file().recordCount() - live.getAsLong() >= MANY_DELETED * file.file().recordCount()
        : file.deletes().stream().anyMatch(d -> d.content() == FileContent.EQUALITY_DELETES);
  }

  /** Cuts the files, in their order, so that each piece makes about one file of the target size. */
  private List<List<RowSplit>> bins(List<RowSplit> files) {
    List<List<RowSplit>> bins = new ArrayList<>();
    long bytes = targetBytes;
    for (RowSplit file : files) {
      if (bytes >= targetBytes || bins.get(bins.size() - 1).size() >= MAX_FILES) {
        bins.add(new ArrayList<>());
        bytes = 0;
      }
      bins.get(bins.size() - 1).add(file);
      bytes += liveBytes(file);
    }
    return bins;
  }

  private static long liveBytes(RowSplit file) {
    long rows = file.file().recordCount();
    long live = file.liveRowsOfFile().orElse(rows);
    return rows == 0 ? 0 : Math.round((double) file.file().fileSizeInBytes() * live / rows);
  }

  private boolean isWorthwhile(List<RowSplit> bin) {
    return bin.size() >= MIN_FILES
        || (bin.size() > 1 && bin.stream().mapToLong(RewritePlan::liveBytes).sum() >= targetBytes)
        || bin.stream().anyMatch(RewritePlan::hasManyDeleted);
  }
}
