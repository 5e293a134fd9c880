package examples.postgres;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Debezium's connector for PostgreSQL in this process. It goes on where the file of its offsets and
 * the replication slot say, as a task of Kafka Connect would.
 */
public final class Capture implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final DebeziumEngine<ChangeEvent<String, String>> engine;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  private Capture(DebeziumEngine<ChangeEvent<String, String>> engine) {
    this.engine = engine;
  }

  /**
   * The configuration of a connector of Kafka Connect, for a database of this process.
   *
   * @param connector JSON file with a {@code config}, as it is posted to Kafka Connect
   */
  public static Properties settings(Path connector, Postgres postgres) throws IOException {
    Properties settings = new Properties();
    new ObjectMapper()
        .readTree(connector.toFile())
        .get("config")
        .fields()
        .forEachRemaining(each -> settings.put(each.getKey(), each.getValue().asText()));
    settings.put("database.port", String.valueOf(postgres.port()));
    return settings;
  }

  /**
   * Starts the connector; returns when it reads the database.
   *
   * @param settings of the connector
   * @param offsets file that remembers how far it is
   * @param delivery takes the events
   */
  public static Capture start(
      Properties settings,
      Path offsets,
      DebeziumEngine.ChangeConsumer<ChangeEvent<String, String>> delivery)
      throws InterruptedException {
    Properties all = new Properties();
    all.putAll(settings);
    all.put("name", "sluice");
    all.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    all.put("offset.storage.file.filename", offsets.toString());
    all.put("offset.flush.interval.ms", "0");
    all.put("converter.schemas.enable", settings.get("value.converter.schemas.enable"));
    CountDownLatch polling = new CountDownLatch(1);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Capture capture =
        new Capture(
            DebeziumEngine.create(Json.class, Json.class, Json.class)
                .using(all)
                .notifying(delivery)
                .using(
                    new DebeziumEngine.ConnectorCallback() {
                      @Override
                      public void pollingStarted() {
                        polling.countDown();
                      }
                    })
                .using(
                    (success, message, error) -> {
                      if (!success) {
                        ended.completeExceptionally(new IllegalStateException(message, error));
                      }
                      polling.countDown();
                    })
                .build());
    capture.thread.execute(capture.engine);
    if (!polling.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("Debezium does not start");
    }
    if (ended.isCompletedExceptionally()) {
      ended.join();
    }
    return capture;
  }

  /** Stops it; what it has not acknowledged it sends again when it is started again. */
  @Override
  public void close() throws IOException {
    engine.close();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Debezium does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
