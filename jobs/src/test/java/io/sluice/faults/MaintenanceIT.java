package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Keeper;
import io.sluice.run.MaintainedTable;
import io.sluice.run.Maintenance;
import io.sluice.run.MaintenanceOptions;
import io.sluice.run.TargetResult;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import io.sluice.table.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maintenance between updates, beside them, and beside a continuous run. */
class MaintenanceIT {

  @TempDir private Path folder;

  @Test
  void updates_go_on_behind_maintenance_and_read_nothing_twice() {
    TownFeed feed = new TownFeed(1, 12);
    try (Workbench bench = new Workbench(folder)) {
      long rewritten = 0;
      for (int round = 1; round <= 6; round++) {
        for (int file = 0; file < 3; file++) {
          bench.write("feed/" + round + "-" + file + ".json", feed.lines(8));
        }
        UpdateResult result = bench.update(Towns.SQL);
        assertThat(result.failures()).isEmpty();
        assertThat(result.targets()).allSatisfy(MaintenanceIT::hasReadOneRound);
        Map<String, Ledger> before = ledgers(bench);
        rewritten += fewerFiles(bench.maintain(Towns.SQL));
        assertThat(ledgers(bench)).isEqualTo(before);
        Towns.assertHolds(bench, feed);
        assertThat(bench.maintain(Towns.SQL)).allSatisfy(MaintenanceIT::changesNothing);
      }
      assertThat(rewritten).isGreaterThan(10);
      assertThat(bench.table("town_history").snapshots()).hasSizeLessThan(4);
    }
  }

  private static void hasReadOneRound(TargetResult result) {
    assertThat(result.flows()).allSatisfy(flow -> assertThat(flow.rowsRead()).isEqualTo(24));
  }

  private static void changesNothing(MaintainedTable table) {
    assertThat(table.after()).isEqualTo(table.before());
    assertThat(table.problems()).isEmpty();
    assertThat(table.notices()).isEmpty();
    assertThat(table.snapshotsExpired()).isZero();
  }

  @Test
  void a_continuous_run_goes_on_beside_maintenance_without_beginning_anew() throws Exception {
    Random random = new Random(7);
    TownFeed feed = new TownFeed(7, 12);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    AtomicBoolean done = new AtomicBoolean();
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/0.json", feed.lines(10));
      List<String> notices;
      Future<Long> rewritten;
      try (Keeper keeper = bench.keep(Towns.SQL, Map.of(), false).started()) {
        rewritten = thread.submit(() -> maintainUntil(done, bench));
        for (int round = 1; round <= 25; round++) {
          bench.write("feed/" + round + ".json", feed.lines(1 + random.nextInt(12)));
          keeper.hasRead("bronze", List.of("/" + round + ".json"));
          keeper.hasRead("town_history", List.of("/" + round + ".json"));
        }
        keeper.until("the last rows", () -> hasReadBronze(bench));
        done.set(true);
        notices = keeper.notices();
        assertThat(rewritten.get()).as("files that maintenance saved").isGreaterThan(20);
      } finally {
        done.set(true);
        thread.shutdown();
      }
      assertThat(notices).isEmpty();
      Towns.assertHolds(bench, feed);
      bench.maintain(Towns.SQL);
      Towns.assertHolds(bench, feed);
      bench.write("feed/last.json", feed.lines(10));
      assertThat(bench.update(Towns.SQL).failures()).isEmpty();
      Towns.assertHolds(bench, feed);
    }
  }

  private static boolean hasReadBronze(Workbench bench) {
    Ledger ledger = Towns.ledger(bench, "current_towns");
    Table bronze = bench.table("bronze");
    String last = Long.toString(Ledger.read(bronze).orElseThrow().snapshotId());
    String now = Long.toString(bronze.currentSnapshot().snapshotId());
    String position = ledger.flows().stream().findFirst().flatMap(ledger::position).orElse("");
    return position.contains(last) || position.contains(now);
  }

  @Test
  void a_continuous_run_expires_snapshots_as_the_properties_of_its_tables_say() {
    TownFeed feed = new TownFeed(4, 12);
    String sql =
        Towns.SQL.replace(
            "TABLE town_history;",
            "TABLE town_history TBLPROPERTIES ('history.expire.max-snapshot-age-ms' = '1',"
                + " 'history.expire.min-snapshots-to-keep' = '4');");
    try (Workbench bench = new Workbench(folder)) {
      for (int i = 0; i < 12; i++) {
        bench.write("feed/" + i + ".json", feed.lines(8));
        assertThat(bench.update(sql).failures()).isEmpty();
      }
      assertThat(bench.table("town_history").snapshots()).hasSizeGreaterThan(11);
      int others = snapshots(bench, "current_towns");
      try (Keeper keeper = bench.keep(sql, Map.of(), false).started()) {
        bench.write("feed/12.json", feed.lines(8));
        keeper.hasRead("town_history", List.of("/12.json"));
        keeper.until(
            "only a few snapshots",
            () ->
                snapshots(bench, "town_history") <= 6
                    && snapshots(bench, "town_history__log") <= 6);
        keeper.until("the last rows", () -> hasReadBronze(bench));
      }
      assertThat(snapshots(bench, "current_towns")).isGreaterThan(others);
      Towns.assertHolds(bench, feed);
    }
  }

  private static int snapshots(Workbench bench, String table) {
    return (int) StreamSupport.stream(bench.table(table).snapshots().spliterator(), false).count();
  }

  @Test
  void updates_and_maintenance_at_the_same_time_leave_what_the_feed_says() throws Exception {
    TownFeed feed = new TownFeed(3, 12);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    AtomicBoolean done = new AtomicBoolean();
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/0.json", feed.lines(10));
      assertThat(bench.update(Towns.SQL).failures()).isEmpty();
      Future<Long> rewritten = thread.submit(() -> maintainUntil(done, bench));
      for (int round = 1; round <= 12; round++) {
        bench.write("feed/" + round + ".json", feed.lines(10));
        assertThat(bench.update(Towns.SQL).failures()).isEmpty();
      }
      done.set(true);
      assertThat(rewritten.get()).isPositive();
      Towns.assertHolds(bench, feed);
    } finally {
      done.set(true);
      thread.shutdown();
    }
  }

  @Test
  void a_planted_old_file_goes_and_everything_the_tables_need_stays() throws IOException {
    TownFeed feed = new TownFeed(9, 12);
    try (Workbench bench = new Workbench(folder)) {
      for (int i = 0; i < 6; i++) {
        bench.write("feed/" + i + ".json", feed.lines(8));
        assertThat(bench.update(Towns.SQL).failures()).isEmpty();
      }
      Path data = Path.of(bench.table("town_history").location()).resolve("data");
      Path orphan = Files.writeString(data.resolve("orphan.parquet"), "left by a crash");
      for (Path file : files()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(10))));
      }
      MaintenanceOptions options =
          new MaintenanceOptions(Set.of(), Optional.empty(), MaintenanceOptions.ORPHAN_AGE, 1);
      Set<Path> before = files();
      new Maintenance(bench.connection(), options).run(bench.pipeline(Towns.SQL, Map.of()));
      before.removeAll(files());
      assertThat(before).containsExactly(orphan);
      Towns.assertHolds(bench, feed);
    }
  }

  @Test
  void killing_maintenance_does_no_harm() throws Exception {
    Random random = new Random(11);
    TownFeed feed = new TownFeed(11, 12);
    try (Workbench bench = new Workbench(folder)) {
      bench.write("towns.sql", Towns.SQL);
      long usual = 3_000;
      for (int kill = 0; kill < 6; kill++) {
        for (int i = 0; i < 3; i++) {
          bench.write("feed/" + kill + "-" + i + ".json", feed.lines(8));
          assertThat(bench.update(Towns.SQL).failures()).isEmpty();
        }
        // What it left is there for the updates behind it.
        Towns.assertHolds(bench, feed);
        long begin = System.nanoTime();
        try (SluiceProcess process = maintain()) {
          if (kill == 0) {
            assertThat(process.endsWithin(60_000)).isTrue();
            assertThat(process.exitCode()).as(process.output()).isZero();
            usual = (System.nanoTime() - begin) / 1_000_000;
          } else if (!process.endsWithin(usual / 3 + random.nextLong(usual * 2 / 3))) {
            process.kill();
          }
        }
      }
      bench.maintain(Towns.SQL);
      Towns.assertHolds(bench, feed);
    }
  }

  private SluiceProcess maintain() {
    return SluiceProcess.start(
        folder,
        Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString()),
        "maintain",
        "towns.sql",
        "--set",
        "dir=" + folder,
        "--set",
        "sluice.pipeline=test",
        "--older-than",
        "0 s");
  }

  private Set<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("warehouse/default"))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.toString().endsWith(".crc"))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }

  private static Map<String, Ledger> ledgers(Workbench bench) {
    return Towns.TARGETS.stream()
        .collect(Collectors.toMap(target -> target, target -> ledger(bench, target).orElseThrow()));
  }

  private static Optional<Ledger> ledger(Workbench bench, String target) {
    try {
      return Ledger.read(bench.table(target)).map(Ledger.Found::ledger);
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
  }

  /** Maintains again and again; gives how many files that has saved. */
  private static long maintainUntil(AtomicBoolean done, Workbench bench) {
    long files = 0;
    while (!done.get()) {
      files += fewerFiles(bench.maintain(Towns.SQL));
    }
    return files;
  }

  static long fewerFiles(List<MaintainedTable> results) {
    results.forEach(result -> assertThat(result.problems()).as(result.table()).isEmpty());
    return results.stream()
        .mapToLong(result -> Math.max(0, result.before().dataFiles() - result.after().dataFiles()))
        .sum();
  }
}
