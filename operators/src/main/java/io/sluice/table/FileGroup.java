package io.sluice.table;

import java.util.List;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;

/**
 * Files of one partition that are rewritten together.
 *
 * @param spec the partitioning of all of them
 * @param partition their partition
 * @param era which columns they say something about, see {@link AddedColumns#eraOf}
 * @param files each as a whole, in the order of their rows in the new files
 */
record FileGroup(PartitionSpec spec, StructLike partition, long era, List<RowSplit> files) {

  FileGroup {
    files = List.copyOf(files);
  }

  /** The greatest data sequence number of its files. */
  long dataSequenceNumber() {
    return files.stream().mapToLong(RowSplit::dataSequenceNumber).max().orElseThrow();
  }
}
