package io.sluice.kafka;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;

/**
 * A topic and how to reach it.
 *
 * @param name the topic
 * @param bootstrapServers comma-separated {@code host:port} of some brokers
 * @param start where a flow begins that has not read it
 * @param properties further properties of Kafka's clients, by Kafka's names
 */
public record KafkaTopic(
    String name, String bootstrapServers, StartingOffsets start, Map<String, String> properties)
    implements Serializable {

  /** Kafka's name of the property that says which messages are read. */
  public static final String ISOLATION_LEVEL = ConsumerConfig.ISOLATION_LEVEL_CONFIG;

  private static final String ANSWER_TIMEOUT_MS = "30000";

  public KafkaTopic {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    Objects.requireNonNull(start, "start");
    properties = new TreeMap<>(properties);
  }

  /** The same topic for a flow that begins elsewhere. */
  public KafkaTopic from(StartingOffsets other) {
    return new KafkaTopic(name, bootstrapServers, other, properties);
  }

  /** Properties of a consumer; messages of open and aborted transactions are not read. */
  Properties consumerProperties() {
    Properties all = new Properties();
    all.put(ISOLATION_LEVEL, isolation().toString());
    all.putAll(properties);
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return all;
  }

  /** Properties of an administrative client. */
  Properties adminProperties() {
    Properties all = new Properties();
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_TIMEOUT_MS);
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_TIMEOUT_MS);
    properties.forEach(
        (name, value) -> {
          if (AdminClientConfig.configNames().contains(name) || name.contains(".callback.")) {
            all.put(name, value);
          }
        });
    String patience = properties.get(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
    if (patience != null && !properties.containsKey(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG)) {
      all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patience);
    }
    all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return all;
  }

  /** Which messages are read: committed ones unless the properties say otherwise. */
  public IsolationLevel isolation() {
    String level = properties.get(ISOLATION_LEVEL);
    return IsolationLevel.READ_UNCOMMITTED.toString().equalsIgnoreCase(level)
        ? IsolationLevel.READ_UNCOMMITTED
        : IsolationLevel.READ_COMMITTED;
  }
}
