package examples.postgres;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@link KafkaDelivery} that tells how far it is, and that can forget to acknowledge or hold events
 * back, as happens where a connector dies or lags.
 */
final class Delivery implements DebeziumEngine.ChangeConsumer<ChangeEvent<String, String>> {

  private static final Pattern MARK = Pattern.compile("\"after\":\\{\"n\":(\\d+)}");

  private static final Pattern SNAPSHOT = Pattern.compile("\"snapshot\":\"(\\w+)\"");

  private static final String CHANGE = "false";

  private final KafkaDelivery kafka;
  private final List<ChangeEvent<String, String>> held = new ArrayList<>();

  private final Map<String, Integer> snapshotRows = new ConcurrentHashMap<>();

  private volatile int mark;
  private volatile boolean acknowledging = true;
  private volatile boolean holding;

  Delivery(KafkaDelivery kafka) {
    this.kafka = kafka;
  }

  /** The last row of the table {@code marks} that the broker has. */
  int mark() {
    return mark;
  }

  /** How many rows of snapshots came of a kind: {@code source.snapshot}. */
  int snapshotRows(String kind) {
    return snapshotRows.getOrDefault(kind, 0);
  }

  /** From now on Debezium is not told that events have arrived, so it sends them again later. */
  void stopAcknowledging() {
    acknowledging = false;
  }

  /** From now on rows of a snapshot wait until {@link #release()}, and changes get lost. */
  void holdSnapshot() {
    holding = true;
  }

  /** Sends the rows that were held back. */
  synchronized void release() throws InterruptedException {
    kafka.handleBatch(held, NOBODY);
  }

  @Override
  public synchronized void handleBatch(
      List<ChangeEvent<String, String>> events,
      DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> committer)
      throws InterruptedException {
    if (holding) {
      events.stream()
          .filter(event -> kind(event).filter(kind -> !kind.equals(CHANGE)).isPresent())
          .forEach(held::add);
    } else {
      kafka.handleBatch(events, acknowledging ? committer : NOBODY);
    }
    for (ChangeEvent<String, String> event : events) {
      kind(event).ifPresent(kind -> snapshotRows.merge(kind, 1, Integer::sum));
      if (event.destination().equals("shop.public.marks") && event.value() != null) {
        Matcher found = MARK.matcher(event.value());
        if (found.find()) {
          mark = Math.max(mark, Integer.parseInt(found.group(1)));
        }
      }
    }
  }

  private static Optional<String> kind(ChangeEvent<String, String> event) {
    return Optional.ofNullable(event.value())
        .map(SNAPSHOT::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }

  /** Acknowledges nothing. */
  private static final DebeziumEngine.RecordCommitter<ChangeEvent<String, String>> NOBODY =
      new DebeziumEngine.RecordCommitter<>() {
        @Override
        public void markProcessed(ChangeEvent<String, String> event) {}

        @Override
        public void markProcessed(
            ChangeEvent<String, String> event, DebeziumEngine.Offsets sourceOffsets) {}

        @Override
        public void markBatchFinished() {}

        @Override
        public DebeziumEngine.Offsets buildOffsets() {
          throw new UnsupportedOperationException("offsets are Debezium's own");
        }
      };
}
