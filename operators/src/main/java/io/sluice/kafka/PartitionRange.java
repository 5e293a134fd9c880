package io.sluice.kafka;

import java.io.Serializable;

/**
 * Messages of one partition.
 *
 * @param partition its number
 * @param from offset of the first one
 * @param to offset behind the last one; there may be less messages than numbers between
 */
public record PartitionRange(int partition, long from, long to) implements Serializable {

  public PartitionRange {
    if (partition < 0 || from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "partition " + partition + " from " + from + " to " + to + " is no range");
    }
  }
}
