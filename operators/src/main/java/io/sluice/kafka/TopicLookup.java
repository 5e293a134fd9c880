package io.sluice.kafka;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the brokers what a topic holds. */
public final class TopicLookup {

  private TopicLookup() {}

  /**
   * What a topic holds now.
   *
   * @throws SluiceException SOURCE_NOT_FOUND if there is no such topic, KAFKA_UNAVAILABLE if the
   *     brokers do not answer or refuse to
   */
  public static TopicState look(KafkaTopic topic) {
    try {
      Admin admin = Admin.create(topic.adminProperties());
      try {
        return look(admin, topic);
      } finally {
        admin.close(Duration.ZERO);
      }
    } catch (ExecutionException e) {
      throw failed(topic, e.getCause());
    } catch (KafkaException e) {
      throw failed(topic, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(topic, e);
    }
  }

  private static TopicState look(Admin admin, KafkaTopic topic)
      throws ExecutionException, InterruptedException {
    TopicDescription description =
        admin.describeTopics(List.of(topic.name())).topicNameValues().get(topic.name()).get();
    List<Integer> numbers =
        description.partitions().stream().map(TopicPartitionInfo::partition).toList();
    Map<Integer, Long> earliest =
        offsets(admin, topic, numbers, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    Map<Integer, Long> readable =
        offsets(admin, topic, numbers, OffsetSpec.latest(), topic.isolation());
    Map<Integer, Long> written =
        topic.isolation() == IsolationLevel.READ_UNCOMMITTED
            ? readable
            : offsets(admin, topic, numbers, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    SortedMap<Integer, TopicState.Partition> partitions = new TreeMap<>();
    for (int number : numbers) {
      partitions.put(
          number,
          new TopicState.Partition(
              earliest.get(number), readable.get(number), written.get(number)));
    }
    return new TopicState(TopicIds.text(description.topicId()), partitions);
  }

  private static Map<Integer, Long> offsets(
      Admin admin,
      KafkaTopic topic,
      List<Integer> numbers,
      OffsetSpec spec,
      IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    numbers.forEach(number -> wanted.put(new TopicPartition(topic.name(), number), spec));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        admin.listOffsets(wanted, new ListOffsetsOptions(isolation)).all().get();
    Map<Integer, Long> offsets = new HashMap<>();
    found.forEach((partition, info) -> offsets.put(partition.partition(), info.offset()));
    return offsets;
  }

  private static SluiceException failed(KafkaTopic topic, Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException
        || cause instanceof InvalidTopicException) {
      return new SluiceException(
          ErrorCode.SOURCE_NOT_FOUND,
          "there is no topic '" + topic.name() + "' at " + topic.bootstrapServers(),
          "Correct the name, or create the topic",
          cause);
    }
    return new SluiceException(
        ErrorCode.KAFKA_UNAVAILABLE,
        "Kafka at "
            + topic.bootstrapServers()
            + " does not tell what topic '"
            + topic.name()
            + "' holds: "
            + cause.getClass().getSimpleName()
            + (cause.getMessage() == null ? "" : ": " + cause.getMessage()),
        "Check the servers, the network and the client properties (kafka.security.protocol and the"
            + " like)",
        cause);
  }
}
