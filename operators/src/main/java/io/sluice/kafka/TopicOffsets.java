package io.sluice.kafka;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a topic has been read.
 *
 * @param topicId Kafka's id of the topic, which a topic that was made anew under the same name does
 *     not have; empty where the brokers give none
 * @param next by partition, the offset to read next
 */
public record TopicOffsets(String topicId, SortedMap<Integer, Long> next) implements Serializable {

  public TopicOffsets {
    next = Collections.unmodifiableSortedMap(new TreeMap<>(next));
  }

  /** Offsets by partition in any order. */
  public static TopicOffsets of(String topicId, Map<Integer, Long> next) {
    return new TopicOffsets(topicId, new TreeMap<>(next));
  }

  @Override
  public String toString() {
    return next.toString();
  }
}
