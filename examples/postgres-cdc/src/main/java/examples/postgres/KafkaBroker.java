package examples.postgres;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** One Kafka broker in this process, controller included, on a free port. */
public final class KafkaBroker implements AutoCloseable {

  private final KafkaRaftServer server;
  private final String servers;

  private KafkaBroker(KafkaRaftServer server, String servers) {
    this.server = server;
    this.servers = servers;
  }

  /**
   * Starts it.
   *
   * @param folder where its data goes
   * @throws IOException if the folder cannot be formatted
   */
  public static KafkaBroker start(Path folder) throws IOException {
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
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("log.cleaner.dedupe.buffer.size", "4194304");
    Path file = Files.createDirectories(folder).resolve("server.properties");
    try (var writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int status =
        StorageTool.execute(
            new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()},
            new PrintStream(said, true, StandardCharsets.UTF_8));
    if (status != 0) {
      throw new IOException("the broker's folder cannot be formatted: " + said);
    }
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    server.startup();
    return new KafkaBroker(server, "localhost:" + port);
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

  /** Makes topics. */
  public void create(int partitions, String... names) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      List<NewTopic> topics =
          Arrays.stream(names).map(name -> new NewTopic(name, partitions, (short) 1)).toList();
      admin.createTopics(topics).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("topics " + List.of(names) + " cannot be made", e);
    }
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
