package io.sluice.plan;

import io.sluice.files.FileEntry;
import io.sluice.kafka.PartitionRange;
import io.sluice.kafka.TopicOffsets;
import io.sluice.table.RowSplit;
import java.util.List;
import org.apache.iceberg.Table;

/** What a flow reads of one source in one step of an update. */
public sealed interface SourceInput {

  /** How many files or file parts it is. */
  int size();

  /** Files of read_files. */
  record OfFiles(List<FileEntry> files) implements SourceInput {
    public OfFiles {
      files = List.copyOf(files);
    }

    @Override
    public int size() {
      return files.size();
    }
  }

  /**
   * Messages of a topic.
   *
   * @param ranges what to read; empty if only the position moves
   * @param after how far the topic is read with this, all its partitions
   */
  record OfTopic(List<PartitionRange> ranges, TopicOffsets after) implements SourceInput {
    public OfTopic {
      ranges = List.copyOf(ranges);
    }

    @Override
    public int size() {
      return ranges.size();
    }
  }

  /**
   * Rows of an Iceberg table.
   *
   * @param table the source as of the planned snapshot
   * @param splits what to read
   * @param snapshot the snapshot up to which the source is read with this
   */
  record OfTable(Table table, List<RowSplit> splits, long snapshot) implements SourceInput {
    public OfTable {
      splits = List.copyOf(splits);
    }

    @Override
    public int size() {
      return splits.size();
    }
  }
}
