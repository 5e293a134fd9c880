package io.sluice.kafka;

import java.util.SortedMap;

/**
 * What a topic holds at a moment.
 *
 * @param topicId Kafka's id of the topic; empty where the brokers give none
 * @param partitions by number
 */
public record TopicState(String topicId, SortedMap<Integer, Partition> partitions) {

  /**
   * What a partition holds.
   *
   * @param earliest offset of the oldest message
   * @param readable offset behind the newest message that may be read (transactions that are still
   *     open end it)
   * @param written offset behind the newest message of any kind
   */
  public record Partition(long earliest, long readable, long written) {}
}
