package io.sluice.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.table.Ledger;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.iceberg.Table;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How long it takes from the append of a message by the broker to the snapshot of the table that
 * has it, at 20,000 events/s with a checkpoint every second. Broker, producer, run and the watcher
 * of the table share the machine.
 */
final class LatencyBenchmark {

  private static final int RATE = 20_000;
  private static final int PARTITIONS = 2;
  private static final int WARM_UP_SECONDS = 20;
  private static final int SECONDS = 60;
  private static final int KEYS = 100_000;
  private static final int MOST_MS = 60_000;

  private final PrintStream out;

  LatencyBenchmark(PrintStream out) {
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(workshop.folder("broker"))) {
      for (int type : new int[] {1, 2}) {
        measure(workshop, broker, type);
      }
    }
  }

  private void measure(Workshop workshop, BrokerProcess broker, int type) throws Exception {
    String table = "scd" + type;
    broker.create(table, PARTITIONS);
    String sql =
        Pipelines.settings(Map.of("execution.checkpointing.interval", "1 s"))
            + Pipelines.cdc(table, type, Pipelines.readKafka(broker.servers(), table), "");
    SluiceKeeper keeper = SluiceKeeper.start(workshop, table, sql);
    Producer producer = new Producer(broker.servers(), table);
    Thread sending = new Thread(producer, "producer");
    sending.start();
    int[] latencies = new int[MOST_MS];
    long[] seen = new long[PARTITIONS];
    Table kept =
        workshop.connection().catalog().loadTable(workshop.connection().identifier(List.of(table)));
    long began = System.nanoTime();
    long cpu = Measured.cpuNanos();
    long end = began + (WARM_UP_SECONDS + SECONDS) * 1_000_000_000L;
    long snapshot = 0;
    int commits = 0;
    while (System.nanoTime() < end) {
      keeper.read();
      kept.refresh();
      long now = System.currentTimeMillis();
      if (kept.currentSnapshot().snapshotId() != snapshot) {
        snapshot = kept.currentSnapshot().snapshotId();
        boolean counted = System.nanoTime() - began > WARM_UP_SECONDS * 1_000_000_000L;
        commits += counted ? 1 : 0;
        see(kept, table + "_changes", producer, seen, now, counted ? latencies : null);
      }
      LockSupport.parkNanos(10_000_000L);
    }
    producer.stopping = true;
    sending.join();
    double used = (Measured.cpuNanos() - cpu) / 1e9 / (WARM_UP_SECONDS + SECONDS);
    keeper.stop();
    long count = Arrays.stream(latencies).asLongStream().sum();
    out.printf(
        "SCD type %d: %,d events in %d s (%,d/s), %d commits; p50 %,d ms, p99 %,d ms, most %,d ms;"
            + " %.2f cores%n",
        type,
        count,
        SECONDS,
        count / SECONDS,
        commits,
        percentile(latencies, count, 0.5),
        percentile(latencies, count, 0.99),
        percentile(latencies, count, 1),
        used);
  }

  /** Takes the messages in that a snapshot has and the one before had not. */
  private static void see(
      Table table, String flow, Producer producer, long[] seen, long now, int[] latencies)
      throws Exception {
    String position = Ledger.read(table).orElseThrow().ledger().position(flow).orElse("{}");
    JsonNode offsets = new ObjectMapper().readTree(position).findValue("offsets");
    for (int partition = 0; offsets != null && partition < PARTITIONS; partition++) {
      long next = offsets.path(Integer.toString(partition)).asLong();
      for (long offset = seen[partition]; offset < next && latencies != null; offset++) {
        long appended = producer.appended(partition, offset);
        latencies[(int) Math.max(0, Math.min(MOST_MS - 1L, now - appended))]++;
      }
      seen[partition] = next;
    }
  }

  private static int percentile(int[] counts, long total, double share) {
    long below = 0;
    for (int ms = 0; ms < counts.length; ms++) {
      below += counts[ms];
      if (below >= total * share) {
        return ms;
      }
    }
    return counts.length;
  }

  /** Sends events at a steady rate and remembers when the broker has appended each. */
  private static final class Producer implements Runnable {

    private static final int SLICE_MS = 10;

    private final String servers;
    private final String topic;
    private final AtomicLongArray[] times = new AtomicLongArray[PARTITIONS];
    private volatile boolean stopping;

    Producer(String servers, String topic) {
      this.servers = servers;
      this.topic = topic;
      for (int i = 0; i < PARTITIONS; i++) {
        times[i] = new AtomicLongArray(RATE * (WARM_UP_SECONDS + SECONDS + 60) / PARTITIONS);
      }
    }

    /** When a message was appended; its acknowledgement may still be under way. */
    long appended(int partition, long offset) {
      long time;
      while ((time = times[partition].get((int) offset)) == 0) {
        LockSupport.parkNanos(100_000);
      }
      return time;
    }

    @Override
    public void run() {
      Map<String, Object> settings =
          Map.of(
              "bootstrap.servers",
              servers,
              "linger.ms",
              5,
              "key.serializer",
              ByteArraySerializer.class,
              "value.serializer",
              ByteArraySerializer.class);
      try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
        Random random = new Random(42);
        long began = System.nanoTime();
        for (long sent = 0; !stopping; ) {
          long due = (System.nanoTime() - began) / 1_000_000 * RATE / 1_000;
          for (; sent < due; sent++) {
            send(producer, random, sent);
          }
          LockSupport.parkNanos(SLICE_MS * 1_000_000L);
        }
      }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, Random random, long sequence) {
      byte[] value =
          Feed.columns(random, KEYS, 0)
              .append(",\"n\":")
              .append(sequence + 1)
              .append('}')
              .toString()
              .getBytes();
      int partition = (int) (sequence % PARTITIONS);
      producer.send(
          new ProducerRecord<>(topic, partition, null, value),
          (metadata, failure) -> {
            if (failure != null) {
              failure.printStackTrace();
            } else {
              times[partition].set((int) metadata.offset(), metadata.timestamp());
            }
          });
    }
  }
}
