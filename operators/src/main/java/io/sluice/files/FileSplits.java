package io.sluice.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Cuts files into splits of about one size, so that tasks share the work evenly. */
public final class FileSplits {

  private FileSplits() {}

  /**
   * Splits that together cover every file once, largest first.
   *
   * <p>JSON lines and Parquet files are cut by byte range; CSV (a quoted field may hold line
   * breaks), Avro and compressed files stay whole. An empty file gives no split.
   *
   * @param files the files of one read, each path once; their order in path order gives the
   *     ordinals
   * @param targetBytes wanted length of a split, at least 1
   */
  public static List<FileSplit> split(
      List<FileEntry> files, ReadFilesOptions options, long targetBytes) {
    if (targetBytes < 1) {
      throw new IllegalArgumentException("targetBytes must be at least 1, not " + targetBytes);
    }
    List<FileEntry> ordered = files.stream().sorted().toList();
    List<FileSplit> splits = new ArrayList<>();
    for (int ordinal = 0; ordinal < ordered.size(); ordinal++) {
      FileEntry file = ordered.get(ordinal);
      long step = isDivisible(file, options) ? evenStep(file.size(), targetBytes) : file.size();
      for (long start = 0; start < file.size(); start += step) {
        splits.add(new FileSplit(file, ordinal, start, Math.min(step, file.size() - start)));
      }
    }
    splits.sort(
        Comparator.comparingLong(FileSplit::length)
            .reversed()
            .thenComparingInt(FileSplit::ordinal)
            .thenComparingLong(FileSplit::start));
    return List.copyOf(splits);
  }

  private static boolean isDivisible(FileEntry file, ReadFilesOptions options) {
    return switch (options.format()) {
      case JSON -> !Format.isCompressed(file.path());
      case PARQUET -> true;
      case CSV, AVRO -> false;
    };
  }

  /** The length that cuts a file into equal parts of at most the target: no tiny last split. */
  private static long evenStep(long size, long targetBytes) {
    long parts = (size + targetBytes - 1) / targetBytes;
    return (size + parts - 1) / Math.max(parts, 1);
  }
}
