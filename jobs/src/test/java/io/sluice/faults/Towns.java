package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Workbench;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * A pipeline of every kind of table over a {@link TownFeed}, and the proof that its tables, ledgers
 * and companions hold exactly what the feed says.
 */
final class Towns {

  /** Bronze to silver, and both SCD types from files, in steps. */
  static final String SQL = sql(files(2), files(1));

  private static String files(int most) {
    return "read_files('${dir}/feed', format => 'json',"
        + " schema => 'id INT, town STRING, op STRING, n BIGINT', maxFilesPerTrigger => '"
        + most
        + "')";
  }

  /** Bronze to silver, and both SCD types from sources. */
  static String sql(String landing, String changes) {
    return """
    CREATE STREAMING TABLE bronze;
    CREATE FLOW landing AS INSERT INTO bronze BY NAME
    SELECT * FROM STREAM %s;

    CREATE STREAMING TABLE current_towns;
    CREATE FLOW currents AS AUTO CDC INTO current_towns FROM STREAM bronze
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (id, town)
    STORED AS SCD TYPE 1;

    CREATE STREAMING TABLE town_history;
    CREATE FLOW histories AS AUTO CDC INTO town_history
    FROM STREAM %s
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (id, town)
    STORED AS SCD TYPE 2;
    """
        .formatted(landing, changes);
  }

  static final List<String> TARGETS = List.of("bronze", "current_towns", "town_history");

  private Towns() {}

  /** Rows, ledgers and companions are what the whole feed makes of them. */
  static void assertHolds(Workbench bench, TownFeed feed) {
    assertThat(texts(bench, "bronze", "id", "town", "n")).as("bronze").isEqualTo(feed.everything());
    assertThat(texts(bench, "current_towns", "id", "town"))
        .as("current_towns")
        .isEqualTo(feed.current());
    assertTombstonesAreRemembered(bench, feed);
    assertHistoryHolds(bench, feed);
    List.of("bronze", "current_towns").forEach(target -> assertConsistent(bench, target));
  }

  /** The same of {@code town_history} alone. */
  static void assertHistoryHolds(Workbench bench, TownFeed feed) {
    assertThat(texts(bench, "town_history", "id", "town", "__START_AT", "__END_AT"))
        .as("town_history")
        .isEqualTo(feed.history());
    assertHistoryIsRemembered(bench, feed);
    assertConsistent(bench, "town_history");
  }

  /** The values of some columns of every row, sorted. */
  static List<String> texts(Workbench bench, String table, String... columns) {
    List<String> texts = new ArrayList<>();
    for (Map<String, Object> row : bench.rows(table)) {
      List<String> values = new ArrayList<>();
      for (String column : columns) {
        Object value = row.get(column);
        values.add(value == null && column.equals("__END_AT") ? "open" : String.valueOf(value));
      }
      texts.add(String.join(" ", values));
    }
    texts.sort(null);
    return texts;
  }

  /** The log read back from table and companion is the log that was applied. */
  private static void assertHistoryIsRemembered(Workbench bench, TownFeed feed) {
    Map<Integer, TreeMap<Long, String>> logs = new TreeMap<>();
    Set<String> starts = new HashSet<>();
    for (Map<String, Object> row : bench.rows("town_history")) {
      starts.add(row.get("id") + " " + row.get("__START_AT"));
      logs.computeIfAbsent((Integer) row.get("id"), id -> new TreeMap<>())
          .put((Long) row.get("__START_AT"), (String) row.get("town"));
    }
    for (Map<String, Object> row : bench.rows("town_history")) {
      Object end = row.get("__END_AT");
      if (end != null && !starts.contains(row.get("id") + " " + end)) {
        logs.get((Integer) row.get("id")).put((Long) end, "deleted");
      }
    }
    for (Record event : companion(bench, "town_history")) {
      boolean delete = event.getField(Companion.KIND).equals(Companion.DELETE);
      logs.computeIfAbsent((Integer) event.getField("id"), id -> new TreeMap<>())
          .put(
              (Long) event.getField(Companion.SEQUENCE),
              delete ? "deleted" : (String) event.getField("town"));
    }
    List<TreeMap<Long, String>> applied = new ArrayList<>();
    feed.logs()
        .forEach(
            log -> {
              TreeMap<Long, String> texts = new TreeMap<>();
              log.forEach((n, change) -> texts.put(n, change.delete() ? "deleted" : change.town()));
              applied.add(texts);
            });
    assertThat(List.copyOf(logs.values())).as("log of town_history").isEqualTo(applied);
  }

  private static void assertTombstonesAreRemembered(Workbench bench, TownFeed feed) {
    List<String> wanted =
        feed.logs().stream()
            .map(log -> log.lastEntry().getValue())
            .filter(TownFeed.Change::delete)
            .map(last -> last.id() + " " + last.n())
            .sorted()
            .toList();
    assertThat(
            companion(bench, "current_towns").stream()
                .map(event -> event.getField("id") + " " + event.getField(Companion.SEQUENCE))
                .sorted()
                .toList())
        .as("tombstones of current_towns")
        .isEqualTo(wanted);
  }

  /** The remembered events of a target, as of the snapshot that its ledger names. */
  static List<Record> companion(Workbench bench, String target) {
    OptionalLong named = ledger(bench, target).companion();
    if (named.isEmpty()) {
      return List.of();
    }
    Table table = bench.table(target + "__log");
    List<Record> events = new ArrayList<>();
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).useSnapshot(named.getAsLong()).build()) {
      for (Record record : records) {
        if (!record.getField(Companion.KIND).equals(Companion.FILE)) {
          events.add(record);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }

  static Ledger ledger(Workbench bench, String target) {
    return Ledger.read(bench.table(target)).orElseThrow().ledger();
  }

  /** Every file is there, no commit landed twice, no tag is left behind. */
  static void assertConsistent(Workbench bench, String target) {
    Table table = bench.table(target);
    Set<String> commits = new HashSet<>();
    Set<String> companions = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      String commit = snapshot.summary().get(Ledger.COMMIT);
      assertThat(commit == null || commits.add(commit)).as("commit ids of " + target).isTrue();
      companions.add("sluice-" + snapshot.summary().get(Ledger.COMPANION));
    }
    DataFiles.named(table).forEach(file -> assertThat(file).exists());
    if (ledger(bench, target).companion().isPresent()) {
      Table log = bench.table(target + "__log");
      List<String> tags =
          log.refs().entrySet().stream()
              .filter(ref -> ref.getValue().isTag())
              .map(Map.Entry::getKey)
              .toList();
      SnapshotRef named = log.refs().get("sluice-" + ledger(bench, target).companion().getAsLong());
      assertThat(named).as("tag of the companion of " + target).isNotNull();
      assertThat(companions).as("tags of the companion of " + target).containsAll(tags);
      DataFiles.named(log).forEach(file -> assertThat(Files.exists(file)).isTrue());
    }
  }
}
