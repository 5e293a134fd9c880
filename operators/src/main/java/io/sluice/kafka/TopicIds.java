package io.sluice.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Asks the brokers for the ids of topics, with connections that stay open between two questions.
 */
public final class TopicIds implements AutoCloseable {

  /** How long a question may take; one that takes longer fails. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Map<Properties, Admin> clients = new HashMap<>();

  /**
   * Asks for Kafka's id of a topic; does not wait.
   *
   * @return the id, empty if there is no such topic; fails where the brokers do not tell. An id of
   *     "" says that the brokers give none
   */
  public CompletableFuture<Optional<String>> ask(KafkaTopic topic) {
    try {
      return clients
          .computeIfAbsent(topic.adminProperties(), Admin::create)
          .describeTopics(
              List.of(topic.name()),
              new DescribeTopicsOptions().timeoutMs((int) PATIENCE.toMillis()))
          .topicNameValues()
          .get(topic.name())
          .toCompletionStage()
          .toCompletableFuture()
          .handle(TopicIds::id);
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Optional<String> id(TopicDescription description, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof UnknownTopicOrPartitionException) {
      return Optional.empty();
    }
    if (cause != null) {
      throw new CompletionException(cause);
    }
    return Optional.of(text(description.topicId()));
  }

  /** An id as a ledger keeps it. */
  static String text(Uuid id) {
    return id == null || id.equals(Uuid.ZERO_UUID) ? "" : id.toString();
  }

  @Override
  public void close() {
    clients.values().forEach(client -> client.close(Duration.ZERO));
    clients.clear();
  }
}
