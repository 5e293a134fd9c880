package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import io.sluice.run.UpdateOptions;
import io.sluice.run.Workbench;
import io.sluice.table.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of all kinds by turns kept by continuous runs of changing parallelism, with state in the
 * heap and in RocksDB, and by triggered updates, all from one topic in which a third of the
 * messages come late: every message counts once.
 */
class ContinuousRescaleIT {

  private static final Broker BROKER = Broker.shared();
  private static final int PARTITIONS = 3;

  /** The tables of both SCD types; the append flow before one of them has no state of keys. */
  private static final int KEYED_TARGETS = 2;

  private static final Pattern OFFSET = Pattern.compile("\"\\d+\":(\\d+)");

  @TempDir private Path folder;
  @TempDir private Path databases;

  private final String topic = BROKER.topic(PARTITIONS);

  @Test
  void runs_of_any_parallelism_and_updates_go_on_behind_each_other() {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("ContinuousRescaleIT seed " + seed);
    Random random = new Random(seed);
    TownFeed feed = new TownFeed(seed, 40);
    String source =
        """
        read_kafka(bootstrapServers => '%s', topic => '%s', format => 'json',
          schema => 'id INT, town STRING, op STRING, n BIGINT')"""
            .formatted(BROKER.servers(), topic);
    String sql = Towns.sql(source, source);
    try (Workbench bench = new Workbench(folder)) {
      for (int parallelism : new int[] {1, 4, 2}) {
        land(feed, random);
        UpdateOptions options = new UpdateOptions(Set.of(), Set.of(), false, parallelism);
        Map<String, String> settings = parallelism == 1 ? Map.of() : rocksDb();
        try (Keeper keeper = bench.keep(sql, settings, options).started()) {
          land(feed, random);
          int all = feed.count();
          keeper.until("the run has read " + all, () -> read(bench) == all);
          assertThat(databases()).hasSize(settings.isEmpty() ? 0 : KEYED_TARGETS * parallelism);
          land(feed, random);
        }
        Towns.TARGETS.forEach(target -> Towns.assertConsistent(bench, target));
        land(feed, random);
        if (!bench.update(sql, Map.of(), o -> options).succeeded()) {
          throw new AssertionError("an update between two runs failed, seed " + seed);
        }
        Towns.assertHolds(bench, feed);
      }
    }
  }

  private Map<String, String> rocksDb() {
    return Map.of(
        "state.backend.type", "rocksdb",
        "execution.checkpointing.incremental", "true",
        "state.backend.rocksdb.localdir", databases.toString());
  }

  /** The state of RocksDB's operators that are running. */
  private List<Path> databases() {
    try (Stream<Path> operators = Files.list(databases)) {
      return operators.filter(each -> Files.exists(each.resolve("db/CURRENT"))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void land(TownFeed feed, Random random) {
    for (TownFeed.Change change : feed.next(40)) {
      BROKER.send(topic, random.nextInt(PARTITIONS), null, change.json());
    }
  }

  private static long read(Workbench bench) {
    String position =
        Ledger.read(bench.table("town_history"))
            .flatMap(found -> found.ledger().position("histories"))
            .orElse("");
    return OFFSET
        .matcher(position)
        .results()
        .mapToLong(offset -> Long.parseLong(offset.group(1)))
        .sum();
  }
}
