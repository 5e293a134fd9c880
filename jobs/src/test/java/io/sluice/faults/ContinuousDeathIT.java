package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Keeper;
import io.sluice.run.Workbench;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Continuous runs that die at a commit of choice or at random ones, and catalogs that answer badly:
 * the next run goes on from the tables, once. A failure names its seed: run it again with {@code
 * -Dsluice.test.seed=<seed>}.
 */
class ContinuousDeathIT {

  private static final String PEOPLE =
      """
      CREATE STREAMING TABLE %1$s;
      CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, op STRING, n BIGINT')
      KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (id, town)
      STORED AS SCD TYPE 1;
      """;

  /** A process that is dead does not start its job again. */
  private static final Map<String, String> ONE_LIFE = Map.of("restart-strategy.type", "none");

  @TempDir private Path folder;

  private int files;

  /** Lives until it is told at which commit to die; then nothing reaches the catalog any more. */
  private static final class Mortal implements ScriptedCatalog.Script {

    private String table;
    private int left;
    private boolean landed;
    private boolean dead;

    /**
     * @param table whose commit is the last one; null for any
     * @param commits how many more happen
     * @param landed whether the last one still lands
     */
    synchronized void dieAt(String table, int commits, boolean landed) {
      this.table = table;
      this.left = commits;
      this.landed = landed;
    }

    /** A new process. */
    synchronized void live() {
      table = null;
      left = Integer.MAX_VALUE;
      dead = false;
    }

    @Override
    public synchronized void commit(TableIdentifier changed, Runnable commit) {
      read(changed);
      if ((table == null || changed.name().equals(table)) && --left == 0) {
        dead = true;
        if (landed) {
          commit.run();
        }
        throw new Died();
      }
      commit.run();
    }

    @Override
    public synchronized void read(TableIdentifier unused) {
      if (dead) {
        throw new Died();
      }
    }
  }

  private static void awaitDeath(Keeper keeper) {
    assertThat(keeper.failure()).isNotNull();
  }

  private String write(Workbench bench, String... lines) {
    String name = "feed/%03d.json".formatted(files++);
    bench.write(name, lines);
    return name;
  }

  @Test
  void a_key_that_enters_or_leaves_the_companion_while_the_run_dies_is_in_one_place() {
    Mortal script = new Mortal();
    script.live();
    String sql = PEOPLE.formatted("people");
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      String known = write(bench, "{\"id\":1,\"town\":\"Ulm\",\"op\":\"U\",\"n\":1}");
      int n = 1;
      for (String dies : List.of("people__log", "people")) {
        for (boolean landed : new boolean[] {false, true}) {
          for (boolean enters : new boolean[] {true, false}) {
            Keeper keeper = bench.keep(sql, ONE_LIFE, true);
            keeper.started();
            keeper.hasRead("people", List.of(known));
            assertPerson(bench, n, !enters);
            script.dieAt(dies, 1, landed);
            n++;
            known =
                write(
                    bench,
                    enters
                        ? "{\"id\":1,\"op\":\"D\",\"n\":%d}".formatted(n)
                        : "{\"id\":1,\"town\":\"Ulm\",\"op\":\"U\",\"n\":%d}".formatted(n));
            awaitDeath(keeper);
            script.live();
          }
        }
      }
      try (Keeper keeper = bench.keep(sql, ONE_LIFE, true)) {
        keeper.hasRead("people", List.of(known));
        assertPerson(bench, n, false);
      }
      Towns.assertConsistent(bench, "people");
    }
  }

  /** The one key has a row, or a tombstone, with the last sequence. */
  private static void assertPerson(Workbench bench, long n, boolean deleted) {
    assertThat(bench.rows("people")).as("rows at %d", n).hasSize(deleted ? 0 : 1);
    assertThat(Towns.companion(bench, "people"))
        .as("companion at %d", n)
        .extracting(event -> event.getField(Companion.SEQUENCE))
        .isEqualTo(deleted ? List.of(n) : List.of());
  }

  @Test
  void targets_that_are_at_different_checkpoints_when_the_run_dies_catch_up() {
    Mortal script = new Mortal();
    script.live();
    String sql = PEOPLE.formatted("early") + PEOPLE.formatted("late");
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      write(bench, "{\"id\":1,\"town\":\"Ulm\",\"op\":\"U\",\"n\":1}");
      Keeper first = bench.keep(sql, ONE_LIFE, false).started();
      String between = write(bench, "{\"id\":2,\"town\":\"Ulm\",\"op\":\"U\",\"n\":1}");
      first.hasRead("early", List.of(between));
      first.hasRead("late", List.of(between));
      script.dieAt("late", 1, false);
      String last =
          write(
              bench,
              "{\"id\":1,\"town\":\"Bonn\",\"op\":\"U\",\"n\":2}",
              "{\"id\":3,\"town\":\"Ulm\",\"op\":\"U\",\"n\":1}");
      awaitDeath(first);
      script.live();
      assertThat(Towns.texts(bench, "late", "id", "town")).containsExactly("1 Ulm", "2 Ulm");
      try (Keeper next = bench.keep(sql, ONE_LIFE, true).started()) {
        next.hasRead("early", List.of(last));
        next.hasRead("late", List.of(last));
      }
      for (String table : List.of("early", "late")) {
        assertThat(Towns.texts(bench, table, "id", "town"))
            .containsExactly("1 Bonn", "2 Ulm", "3 Ulm");
        Towns.assertConsistent(bench, table);
      }
    }
  }

  @Test
  void runs_that_die_at_random_commits_leave_work_that_the_next_one_ends() {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("ContinuousDeathIT seed " + seed);
    Random random = new Random(seed);
    Mortal script = new Mortal();
    script.live();
    TownFeed feed = new TownFeed(seed, 12);
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      for (int life = 0; life < 5; life++) {
        land(bench, feed, random);
        script.dieAt(null, 4 + random.nextInt(14), random.nextBoolean());
        Keeper keeper = bench.keep(Towns.SQL, ONE_LIFE, true);
        while (!keeper.ended()) {
          keepBusy(bench, keeper, feed, random);
        }
        awaitDeath(keeper);
        script.live();
      }
      readAll(bench, feed, ONE_LIFE, seed);
    }
  }

  @Test
  void a_catalog_that_answers_badly_neither_loses_nor_doubles_a_row() {
    long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
    System.out.println("ContinuousDeathIT seed " + seed);
    Random random = new Random(seed);
    UnreliableCatalog unreliable = new UnreliableCatalog(seed);
    boolean[] recovered = new boolean[1];
    ScriptedCatalog.Script script =
        (table, commit) -> {
          if (recovered[0]) {
            commit.run();
          } else {
            unreliable.commit(table, commit);
          }
        };
    Map<String, String> settings =
        Map.of("restart-strategy.exponential-delay.initial-backoff", "20 ms");
    TownFeed feed = new TownFeed(seed, 12);
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      land(bench, feed, random);
      Keeper keeper = bench.keep(Towns.SQL, settings, true);
      for (int i = 0; i < 5; i++) {
        if (keeper.ended()) {
          keeper = bench.keep(Towns.SQL, settings, true);
        }
        keepBusy(bench, keeper, feed, random);
      }
      recovered[0] = true;
      if (!keeper.ended()) {
        keeper.requestStop();
      }
      keeper.awaitDone();
      readAll(bench, feed, settings, seed);
    }
  }

  private void land(Workbench bench, TownFeed feed, Random random) {
    for (int i = random.nextInt(3); i >= 0; i--) {
      write(bench, feed.lines(8));
    }
  }

  /** Lands files, and waits until the last one is read everywhere or the run is dead. */
  private void keepBusy(Workbench bench, Keeper keeper, TownFeed feed, Random random) {
    land(bench, feed, random);
    keeper.untilOrEnd("the files are read", () -> hasReadAll(bench));
  }

  private boolean hasReadAll(Workbench bench) {
    try {
      Snapshot landed = bench.table("bronze").currentSnapshot();
      String bronze = landed == null ? "nothing" : String.valueOf(landed.snapshotId());
      return hasReadFiles(bench, "bronze", "landing")
          && hasReadFiles(bench, "town_history", "histories")
          && position(bench, "current_towns", "currents").contains(bronze);
    } catch (NoSuchTableException | Died e) {
      return false;
    }
  }

  private boolean hasReadFiles(Workbench bench, String table, String flow) {
    String position = position(bench, table, flow);
    return IntStream.range(0, files)
        .allMatch(file -> position.contains("/%03d.json".formatted(file)));
  }

  private static String position(Workbench bench, String table, String flow) {
    return Ledger.read(bench.table(table))
        .flatMap(found -> found.ledger().position(flow))
        .orElse("");
  }

  private void readAll(Workbench bench, TownFeed feed, Map<String, String> settings, long seed) {
    write(bench, feed.lines(8));
    try (Keeper keeper = bench.keep(Towns.SQL, settings, true)) {
      keeper.until("everything is read, seed " + seed, () -> hasReadAll(bench));
    }
    Towns.assertHolds(bench, feed);
  }
}
