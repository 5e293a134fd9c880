package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.kafka.Broker;
import io.sluice.run.Workbench;
import io.sluice.table.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A continuous run from a Kafka broker, as a process that is killed by the operating system at
 * random moments while its feed grows, and started again; the last one is stopped. A failure names
 * its seed: run it again with {@code -Dsluice.test.seed=<seed>}; {@code -Dsluice.test.kills=<n>}
 * kills more often.
 */
class ContinuousKillIT {

  private static final Broker BROKER = Broker.shared();
  private static final int PARTITIONS = 3;
  private static final int KILLS = Integer.getInteger("sluice.test.kills", 20);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Pattern OFFSET = Pattern.compile("\"\\d+\":(\\d+)");

  @TempDir private Path folder;

  private final String topic = BROKER.topic(PARTITIONS);

  @Test
  void whatever_moment_a_run_is_killed_the_next_ones_go_on_once() {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("ContinuousKillIT seed " + seed);
    Random random = new Random(seed);
    TownFeed feed = new TownFeed(seed, 12);
    try (Workbench bench = new Workbench(folder)) {
      String source =
          "read_kafka(bootstrapServers => '%s', topic => '%s', format => 'json',"
                  .formatted(BROKER.servers(), topic)
              + " schema => 'id INT, town STRING, op STRING, n BIGINT')";
      bench.write("towns.sql", Towns.sql(source, source));
      land(feed, random);
      long usual = untilRead(bench, feed, seed);
      for (int killed = 0; killed < KILLS; killed++) {
        try (SluiceProcess process = run()) {
          long left = usual / 3 + random.nextLong(usual);
          while (left > 0) {
            long pause = Math.min(left, 100 + random.nextLong(900));
            assertThat(process.endsWithin(pause))
                .as("seed %d: %s", seed, process.output())
                .isFalse();
            left -= pause;
            land(feed, random);
          }
          process.kill();
        }
      }
      land(feed, random);
      untilRead(bench, feed, seed);
      Towns.assertHolds(bench, feed);
    }
  }

  private void land(TownFeed feed, Random random) {
    for (TownFeed.Change change : feed.next(10)) {
      BROKER.send(topic, random.nextInt(PARTITIONS), null, change.json());
    }
  }

  private SluiceProcess run() {
    return SluiceProcess.start(
        folder,
        Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString()),
        "run",
        "--continuous",
        "--take-over",
        "towns.sql",
        "--set",
        "dir=" + folder,
        "--set",
        "execution.checkpointing.interval=200 ms",
        "--set",
        "sluice.discovery-interval=50 ms",
        "--set",
        "sluice.reorder-window=50 ms");
  }

  /** Runs until everything is read, then stops; gives the milliseconds until it was read. */
  private long untilRead(Workbench bench, TownFeed feed, long seed) {
    long started = System.nanoTime();
    try (SluiceProcess process = run()) {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .failFast(
              () ->
                  assertThat(process.endsWithin(0))
                      .as("seed %d: %s", seed, process.output())
                      .isFalse())
          .until(
              () ->
                  Towns.TARGETS.stream().allMatch(table -> hasReadAll(bench, table, feed.count())));
      final long taken = (System.nanoTime() - started) / 1_000_000;
      process.terminate();
      assertThat(process.endsWithin(PATIENCE.toMillis())).as(process.output()).isTrue();
      assertThat(process.exitCode()).as(process.output()).isZero();
      assertThat(Towns.TARGETS)
          .as("tables that the run has left: %s", process.output())
          .allSatisfy(
              table -> assertThat(Towns.ledger(bench, table).extra("continuous")).contains(""));
      return taken;
    }
  }

  private static boolean hasReadAll(Workbench bench, String table, int messages) {
    Ledger ledger;
    try {
      ledger = Ledger.read(bench.table(table)).map(Ledger.Found::ledger).orElse(null);
    } catch (NoSuchTableException e) {
      return false;
    }
    if (ledger == null || ledger.extra("continuous").orElse("").isEmpty()) {
      return false;
    }
    String position = ledger.flows().stream().findFirst().flatMap(ledger::position).orElse("");
    return table.equals("current_towns")
        ? position.contains(String.valueOf(bench.table("bronze").currentSnapshot().snapshotId()))
        : read(position) == messages;
  }

  /** The offsets of all partitions together. */
  private static long read(String position) {
    return OFFSET.matcher(position).results().mapToLong(at -> Long.parseLong(at.group(1))).sum();
  }
}
