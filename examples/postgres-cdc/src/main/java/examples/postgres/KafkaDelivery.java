package examples.postgres;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes Debezium's events to Kafka as Kafka Connect does: the topic that the event names, key and
 * value as JSON, the partition by the key, a tombstone behind each delete. Events are acknowledged
 * to Debezium when the broker has them.
 */
public final class KafkaDelivery
    implements DebeziumEngine.ChangeConsumer<ChangeEvent<String, String>>, AutoCloseable {

  private final KafkaProducer<byte[], byte[]> producer;

  /** Delivers to a broker. */
  public KafkaDelivery(String servers) {
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "acks", "all", "linger.ms", "5"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void handleBatch(
      List<ChangeEvent<String, String>> events,
      DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> committer)
      throws InterruptedException {
    List<Future<?>> sent = new ArrayList<>();
    for (ChangeEvent<String, String> event : events) {
      ProducerRecord<byte[], byte[]> message =
          new ProducerRecord<>(event.destination(), bytes(event.key()), bytes(event.value()));
      for (Header<?> header : event.<Object>headers()) {
        message.headers().add(header.getKey(), bytes(String.valueOf(header.getValue())));
      }
      sent.add(producer.send(message));
    }
    for (int i = 0; i < sent.size(); i++) {
      try {
        sent.get(i).get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the broker does not take " + events.get(i), e);
      }
      committer.markProcessed(events.get(i));
    }
    committer.markBatchFinished();
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close();
  }
}
