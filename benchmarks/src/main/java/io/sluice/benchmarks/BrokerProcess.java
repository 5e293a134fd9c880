package io.sluice.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A Kafka broker, controller included, in a process of its own. */
final class BrokerProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final Process process;
  private final String servers;

  private BrokerProcess(Process process, String servers) {
    this.process = process;
    this.servers = servers;
  }

  /** Starts a broker that keeps its data in a folder. */
  static BrokerProcess start(Path folder) throws IOException {
    Files.createDirectories(folder);
    int port = freePort();
    int controllerPort = freePort();
    Properties settings = new Properties();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@localhost:" + controllerPort);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners", "PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controllerPort);
    settings.put("log.dirs", folder.resolve("logs").toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    Path file = folder.resolve("server.properties");
    try (var writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    String cluster = Uuid.randomUuid().toString();
    int status =
        StorageTool.execute(
            new String[] {"format", "-t", cluster, "-c", file.toString()},
            new PrintStream(new ByteArrayOutputStream()));
    if (status != 0) {
      throw new IOException("the broker's folder cannot be formatted");
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                "kafka.Kafka",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("broker.log").toFile())
            .start();
    return new BrokerProcess(process, "localhost:" + port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  String servers() {
    return servers;
  }

  /** Makes a topic whose messages carry the time when the broker appended them. */
  void create(String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      NewTopic wanted =
          new NewTopic(topic, partitions, (short) 1)
              .configs(Map.of("message.timestamp.type", "LogAppendTime"));
      admin.createTopics(List.of(wanted)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
