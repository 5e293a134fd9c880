package io.sluice.plan;

import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import io.sluice.kafka.TopicOffsets;
import java.io.Serializable;
import java.util.List;

/** What a continuous job has read of one source between two barriers. */
public sealed interface SourceProgress extends Serializable {

  /**
   * Files, each to its end.
   *
   * @param schema the columns with which they were read
   */
  record Files(List<FileEntry> read, FileSchema schema) implements SourceProgress {
    public Files {
      read = List.copyOf(read);
    }
  }

  /**
   * All that a table had as of a snapshot.
   *
   * @param id the snapshot
   */
  record Snapshot(long id) implements SourceProgress {}

  /**
   * Messages of a topic.
   *
   * @param offsets by partition with new messages, the offset to read next
   */
  record Topic(TopicOffsets offsets) implements SourceProgress {}
}
