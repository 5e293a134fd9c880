package io.sluice.sequencing;

import org.apache.flink.api.common.functions.Partitioner;

/** Spreads sort keys evenly over the sequencers of a bounded job. */
public final class SortKeyPartitioner implements Partitioner<Long> {

  private static final long serialVersionUID = 1L;

  @Override
  public int partition(Long key, int partitions) {
    long hash = key * 0x9e3779b97f4a7c15L;
    return Math.floorMod((int) (hash >>> Integer.SIZE), partitions);
  }
}
