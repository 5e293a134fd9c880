package io.sluice.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;

/**
 * A real Kafka broker in this process, controller included. Tests share one and take topics of
 * their own; a test that takes its broker down has one of its own.
 */
public final class Broker implements AutoCloseable {

  private static final AtomicInteger TOPICS = new AtomicInteger();

  private static Broker shared;

  private final KafkaConfig config;
  private final String clusterId;
  private final String voters;
  private final String servers;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;

  private KafkaRaftServer server;

  private Broker(KafkaConfig config, String clusterId, String voters, String servers) {
    this.config = config;
    this.clusterId = clusterId;
    this.voters = voters;
    this.servers = servers;
    up();
    this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    this.producer = new KafkaProducer<>(producerProperties());
  }

  /** The broker of this process, started by the first call. */
  public static synchronized Broker shared() {
    if (shared == null) {
      shared = own();
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    return shared;
  }

  /** A broker for one test. */
  public static Broker own() {
    try {
      return formatted(Uuid.randomUuid().toString(), "1@localhost:" + freePort(), 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The second broker of its cluster, without a controller. */
  public Broker another() {
    try {
      return formatted(clusterId, voters, 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Broker formatted(String clusterId, String voters, int node) throws IOException {
    int port = freePort();
    Path folder = Files.createTempDirectory("sluice-kafka");
    Properties settings = new Properties();
    String listener = "PLAINTEXT://localhost:" + port;
    boolean first = node == 1;
    settings.put("process.roles", first ? "broker,controller" : "broker");
    settings.put("node.id", "" + node);
    settings.put("controller.quorum.voters", voters);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners",
        first ? listener + ",CONTROLLER://" + voters.substring(voters.indexOf('@') + 1) : listener);
    settings.put("log.dirs", folder.resolve("logs").toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("log.cleaner.dedupe.buffer.size", "4194304");
    settings.put("num.io.threads", "2");
    settings.put("num.network.threads", "2");
    settings.put("background.threads", "2");
    Path file = folder.resolve("server.properties");
    try (var writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int status =
        StorageTool.execute(
            new String[] {"format", "-t", clusterId, "-c", file.toString()},
            new PrintStream(said, true, StandardCharsets.UTF_8));
    if (status != 0) {
      throw new IOException("the broker's folder cannot be formatted: " + said);
    }
    return new Broker(new KafkaConfig(settings), clusterId, voters, "localhost:" + port);
  }

  /** Starts it, at the same address and with the messages it had. */
  public void up() {
    server = new KafkaRaftServer(config, Time.SYSTEM);
    server.startup();
  }

  /** Takes it down and waits until it is. */
  public void down() {
    server.shutdown();
    server.awaitShutdown();
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
    down();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Its address. */
  public String servers() {
    return servers;
  }

  /** Properties of a producer of bytes. */
  public Properties producerProperties() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", servers);
    properties.put("key.serializer", ByteArraySerializer.class.getName());
    properties.put("value.serializer", ByteArraySerializer.class.getName());
    return properties;
  }

  /** Makes a topic under a name that no other test has. */
  public String topic(int partitions) {
    String name = "topic." + TOPICS.incrementAndGet();
    create(name, partitions);
    return name;
  }

  /** Makes a topic. */
  public void create(String name, int partitions) {
    done(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all());
  }

  /** Makes a topic of one partition with a copy on each of two brokers, this one leading. */
  public String topicWithCopy(Broker other) {
    String name = "topic." + TOPICS.incrementAndGet();
    List<Integer> brokers = List.of(config.brokerId(), other.config.brokerId());
    done(admin.createTopics(List.of(new NewTopic(name, Map.of(0, brokers)))).all());
    return name;
  }

  /** Whether anybody has asked for a consumer group: the broker makes a topic for them then. */
  public boolean hasGroups() {
    try {
      return admin
          .listTopics(new ListTopicsOptions().listInternal(true))
          .names()
          .get()
          .contains(Topic.GROUP_METADATA_TOPIC_NAME);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks for the offsets of a consumer group. */
  public void askForGroup(String name) {
    done(admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata());
  }

  /** Deletes a topic. */
  public void delete(String name) {
    done(admin.deleteTopics(List.of(name)).all());
  }

  /** Gives a topic more partitions. */
  public void grow(String name, int partitions) {
    done(admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions))).all());
  }

  /** Deletes the messages of a partition below an offset, as retention does. */
  public void forget(String name, int partition, long offset) {
    done(
        admin
            .deleteRecords(
                Map.of(new TopicPartition(name, partition), RecordsToDelete.beforeOffset(offset)))
            .all());
  }

  /** Sends a message and waits until it is there; single quotes stand for double ones. */
  public void send(String topic, int partition, String key, String value) {
    done(producer.send(new ProducerRecord<>(topic, partition, bytes(key), bytes(value))));
  }

  /** Sends messages without keys to partition 0. */
  public void sendAll(String topic, String... values) {
    for (String value : values) {
      send(topic, 0, null, value);
    }
  }

  /** The bytes of a text with double quotes for single ones; null stays null. */
  public static byte[] bytes(String text) {
    return text == null ? null : text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static void done(java.util.concurrent.Future<?> future) {
    try {
      future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
