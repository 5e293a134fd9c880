package io.sluice.benchmarks;

import io.sluice.run.MaintainedTable;
import io.sluice.run.Maintenance;
import io.sluice.run.MaintenanceOptions;
import io.sluice.table.Ledger;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * 10,000 single changes to a table of 10,000 rows in commits of 100, by updates and by a continuous
 * run: what a full scan takes before and after maintenance, beside a fresh table with the same
 * rows. In the continuous run also how long a change takes to be committed, with maintenance and
 * without.
 */
final class ManyChangesBenchmark {

  private static final int ROWS = 10_000;
  private static final int COMMITS = 100;
  private static final int CHANGES = 100;
  private static final int SCANS = 41;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final PrintStream out;
  private final Random random = new Random(1);
  private final int[] values = new int[ROWS];
  private int sequence;

  ManyChangesBenchmark(PrintStream out) {
    this.out = out;
  }

  void run(Workshop workshop) throws Exception {
    updates(workshop);
    continuous(workshop);
  }

  private void updates(Workshop workshop) throws Exception {
    Path feed = Files.createDirectories(workshop.folder("updates"));
    String sql = sql("updated", feed);
    land(feed, "first", all());
    workshop.update(sql);
    for (int commit = 0; commit < COMMITS; commit++) {
      land(feed, "changes-" + commit, changes());
      workshop.update(sql);
    }
    Table fresh = fresh(workshop, "fresh_updated");
    out.printf("%n%d updates of %d changes each%n", COMMITS, CHANGES);
    compare(workshop, "before maintenance", "updated", fresh);
    maintain(workshop, sql);
    compare(workshop, "after maintenance", "updated", fresh);
  }

  private void continuous(Workshop workshop) throws Exception {
    Path feed = Files.createDirectories(workshop.folder("continuous"));
    String sql =
        Pipelines.settings(
                Map.of(
                    "execution.checkpointing.interval", "200 ms", "sluice.reorder-window", "20 ms"))
            + sql("kept", feed);
    land(feed, "first", all());
    SluiceKeeper keeper = SluiceKeeper.start(workshop, "kept", sql);
    List<Double> alone = new ArrayList<>();
    for (int commit = 0; commit < COMMITS; commit++) {
      alone.add(commit(workshop, keeper, feed, "changes-" + commit));
    }
    Table fresh = fresh(workshop, "fresh_kept");
    out.printf("%na continuous run, %d files of %d changes each%n", COMMITS, CHANGES);
    compare(workshop, "before maintenance", "kept", fresh);
    maintain(workshop, sql);
    compare(workshop, "after maintenance", "kept", fresh);
    List<Double> behind = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      maintain(workshop, sql);
      behind.add(commit(workshop, keeper, feed, "behind-" + round));
    }
    keeper.stop();
    out.printf(
        "from a file to its commit: median %.2f s, most %.2f s; directly behind maintenance:"
            + " median %.2f s, most %.2f s%n",
        middle(alone), most(alone), middle(behind), most(behind));
    requireSame(workshop, "kept", fresh(workshop, "fresh_again"));
  }

  /** Lands a file and waits until the run has committed it; seconds. */
  private double commit(Workshop workshop, SluiceKeeper keeper, Path feed, String name)
      throws Exception {
    long before = updatesOf(workshop, "kept");
    land(feed, name, changes());
    long begin = System.nanoTime();
    while (updatesOf(workshop, "kept") == before) {
      keeper.read();
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new TimeoutException("no commit of " + name);
      }
      Thread.sleep(10);
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private static long updatesOf(Workshop workshop, String table) {
    return Ledger.read(table(workshop, table))
        .orElseThrow()
        .ledger()
        .extraNumber("update")
        .orElse(0);
  }

  private void maintain(Workshop workshop, String sql) throws Exception {
    MaintenanceOptions options =
        new MaintenanceOptions(
            Set.of(), Optional.empty(), MaintenanceOptions.ORPHAN_AGE, workshop.parallelism());
    Measured.Timed<List<MaintainedTable>> timed =
        Measured.time(
            () -> new Maintenance(workshop.connection(), options).run(workshop.pipeline(sql)));
    MaintainedTable table = timed.result().get(0);
    if (!table.problems().isEmpty()) {
      throw new IllegalStateException("maintenance failed: " + table.problems());
    }
    out.printf(
        "  maintenance: %.2f s, %d files to %d, %d delete files to %d%n",
        timed.measured().wallSeconds(),
        table.before().dataFiles(),
        table.after().dataFiles(),
        table.before().deleteFiles(),
        table.after().deleteFiles());
  }

  private Table fresh(Workshop workshop, String name) throws Exception {
    Path feed = Files.createDirectories(workshop.folder(name));
    land(feed, "all", current());
    workshop.update(sql(name, feed));
    return table(workshop, name);
  }

  private void compare(Workshop workshop, String when, String name, Table fresh) throws Exception {
    requireSame(workshop, name, fresh);
    Table changed = table(workshop, name);
    List<Double> one = new ArrayList<>();
    List<Double> other = new ArrayList<>();
    for (int scan = 0; scan < 2 * SCANS; scan++) {
      double changedMs = scanMs(changed);
      double freshMs = scanMs(fresh);
      if (scan >= SCANS) {
        one.add(changedMs);
        other.add(freshMs);
      }
    }
    out.printf(
        "  %-19s full scan %.1f ms, of a fresh table %.1f ms: %.2f (goal: at most 1.5)%n",
        when, middle(one), middle(other), middle(one) / middle(other));
  }

  private static double scanMs(Table table) throws Exception {
    long begin = System.nanoTime();
    long rows = 0;
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        rows += record.getField("id") == null ? 0 : 1;
      }
    }
    if (rows != ROWS) {
      throw new IllegalStateException(table.name() + " has " + rows + " rows");
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  private static void requireSame(Workshop workshop, String name, Table fresh) throws Exception {
    if (!contents(table(workshop, name)).equals(contents(fresh))) {
      throw new IllegalStateException(name + " has other rows than " + fresh.name());
    }
  }

  private static List<String> contents(Table table) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).select("id", "name", "amount").build()) {
      records.forEach(
          record ->
              rows.add(
                  record.getField("id")
                      + " "
                      + record.getField("name")
                      + " "
                      + record.getField("amount")));
    }
    rows.sort(null);
    return rows;
  }

  private static Table table(Workshop workshop, String name) {
    return workshop
        .connection()
        .catalog()
        .loadTable(workshop.connection().identifier(List.of(name)));
  }

  private static String sql(String table, Path feed) {
    return """
        CREATE STREAMING TABLE %1$s;
        CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
        FROM STREAM read_files('%2$s', format => 'json',
          schema => 'id INT, name STRING, amount INT, n BIGINT')
        KEYS (id) SEQUENCE BY n COLUMNS (id, name, amount) STORED AS SCD TYPE 1;
        """
        .formatted(table, feed);
  }

  /** Every row anew. */
  private List<String> all() {
    for (int id = 0; id < ROWS; id++) {
      values[id] = random.nextInt();
    }
    return current();
  }

  private List<String> current() {
    List<String> lines = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      lines.add(line(id));
    }
    return lines;
  }

  private List<String> changes() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      int id = random.nextInt(ROWS);
      values[id] = random.nextInt();
      lines.add(line(id));
    }
    return lines;
  }

  private String line(int id) {
    return "{\"id\": %d, \"name\": \"customer %d\", \"amount\": %d, \"n\": %d}"
        .formatted(id, id, values[id], ++sequence);
  }

  private static void land(Path feed, String name, List<String> lines) throws Exception {
    Path written = Files.write(feed.resolveSibling(name + ".tmp"), lines);
    Files.move(written, feed.resolve(name + ".json"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static double middle(List<Double> measured) {
    return measured.stream().sorted().skip(measured.size() / 2).findFirst().orElseThrow();
  }

  private static double most(List<Double> measured) {
    return measured.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }
}
