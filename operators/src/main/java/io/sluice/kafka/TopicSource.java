package io.sluice.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Flink's source of a topic, whose records {@link MessageRowsFunction} takes. Offsets that are gone
 * when they are read fail the job.
 */
public final class TopicSource {

  private TopicSource() {}

  /**
   * A source that ends.
   *
   * @param ranges what it reads, at least one
   */
  public static KafkaSource<RowData> bounded(KafkaTopic topic, List<PartitionRange> ranges) {
    Map<TopicPartition, Long> from = new HashMap<>();
    Map<TopicPartition, Long> to = new HashMap<>();
    for (PartitionRange range : ranges) {
      TopicPartition partition = new TopicPartition(topic.name(), range.partition());
      from.put(partition, range.from());
      to.put(partition, range.to());
    }
    return builder(topic)
        .setPartitions(Set.copyOf(from.keySet()))
        .setStartingOffsets(OffsetsInitializer.offsets(from, OffsetResetStrategy.NONE))
        .setBounded(OffsetsInitializer.offsets(to, OffsetResetStrategy.NONE))
        .build();
  }

  /**
   * A source that does not end and finds partitions that are added, which it reads from their
   * oldest message on.
   *
   * @param from where each partition that is there now is to be read, see {@link TopicPlan#start}
   */
  public static KafkaSource<RowData> unbounded(KafkaTopic topic, TopicOffsets from) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    from.next()
        .forEach((number, offset) -> offsets.put(new TopicPartition(topic.name(), number), offset));
    return builder(topic)
        .setTopics(topic.name())
        .setStartingOffsets(new KnownOffsets(Map.copyOf(offsets)))
        .build();
  }

  /**
   * Offsets from a plan; a partition that was added since is read from its oldest message on.
   * Flink's own initializer would ask for the offsets of a consumer group, which there is not.
   */
  private record KnownOffsets(Map<TopicPartition, Long> offsets) implements OffsetsInitializer {

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
      Map<TopicPartition, Long> all = new HashMap<>();
      List<TopicPartition> added = new ArrayList<>();
      for (TopicPartition partition : partitions) {
        Long known = offsets.get(partition);
        if (known == null) {
          added.add(partition);
        } else {
          all.put(partition, known);
        }
      }
      if (!added.isEmpty()) {
        all.putAll(retriever.beginningOffsets(added));
      }
      return all;
    }

    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
      return OffsetResetStrategy.NONE;
    }
  }

  private static KafkaSourceBuilder<RowData> builder(KafkaTopic topic) {
    KafkaSourceBuilder<RowData> builder = KafkaSource.builder();
    return builder.setProperties(topic.consumerProperties()).setDeserializer(new RawMessages());
  }
}
