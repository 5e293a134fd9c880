package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Keeper;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another program changes the tables of a continuous run (semantics 0.17): rows that it wrote or
 * removed count as they are, and the run goes on behind them.
 */
class ContinuousForeignIT {

  private static final String SQL =
      """
      CREATE STREAMING TABLE lines AS
      SELECT id, town FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n BIGINT');

      CREATE STREAMING TABLE latest TBLPROPERTIES ('format-version' = '2');
      CREATE FLOW latest_changes AS AUTO CDC INTO latest
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n BIGINT')
      KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 1;

      CREATE STREAMING TABLE history;
      CREATE FLOW history_changes AS AUTO CDC INTO history
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n BIGINT')
      KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 2;
      """;

  private static final List<String> KEPT_BY_KEY = List.of("latest", "history");

  @TempDir private Path folder;

  private Workbench bench;
  private Keeper keeper;
  private int files;

  @Test
  void rows_of_others_count_as_they_are_and_nothing_is_lost_or_doubled() {
    try (Workbench opened = new Workbench(folder)) {
      bench = opened;
      write("1 Ulm 1", "2 Ulm 1", "3 Ulm 1");
      try (Keeper running = bench.keep(SQL, Map.of(), false).started()) {
        keeper = running;
        othersTouchTheTableOfAppends();
        aCompactionOfOtherRows();
        assertThat(keeper.notices()).as("what does not matter begins nothing anew").isEmpty();
        aCompactionOfRowsThatChange();
        deletedPositions();
        aDeletedFile();
        insertedRows();
      }
      for (String table : KEPT_BY_KEY) {
        Towns.assertConsistent(bench, table);
      }
    }
  }

  /** Files of one line each: id, town, sequence. */
  private void write(String... events) {
    String[] lines = new String[events.length];
    for (int i = 0; i < events.length; i++) {
      String[] parts = events[i].split(" ");
      lines[i] = "{\"id\":%s,\"town\":\"%s\",\"n\":%s}".formatted(parts[0], parts[1], parts[2]);
    }
    files++;
    bench.write("feed/%d.json".formatted(files), lines);
  }

  private void take(String... events) {
    write(events);
    for (String table : List.of("lines", "latest", "history")) {
      keeper.hasRead(table, List.of("/" + files + ".json"));
    }
  }

  private void assertLines(String... rows) {
    assertThat(Towns.texts(bench, "lines", "id", "town")).containsExactly(rows);
  }

  private void assertLatest(String... rows) {
    assertThat(Towns.texts(bench, "latest", "id", "town")).containsExactly(rows);
  }

  private void assertHistory(String... rows) {
    assertThat(Towns.texts(bench, "history", "id", "town", "__START_AT", "__END_AT"))
        .containsExactly(rows);
  }

  private void othersTouchTheTableOfAppends() {
    ForeignRows.append(bench.table("lines"), Map.of("id", 90, "town", "foreign"));
    take("4 Ulm 1");
    ForeignRows.compact(bench.table("lines"));
    take("5 Ulm 1");
    ForeignRows.delete(bench.table("lines"), row -> row.getField("id").equals(3));
    take("6 Ulm 1");
    assertLines("1 Ulm", "2 Ulm", "4 Ulm", "5 Ulm", "6 Ulm", "90 foreign");
  }

  private void aCompactionOfOtherRows() {
    KEPT_BY_KEY.forEach(table -> ForeignRows.compact(bench.table(table)));
    take("7 Ulm 1");
    assertLatest("1 Ulm", "2 Ulm", "3 Ulm", "4 Ulm", "5 Ulm", "6 Ulm", "7 Ulm");
  }

  private void aCompactionOfRowsThatChange() {
    take("1 Bonn 5", "4 Bonn 5");
    assertThat(keeper.notices()).isNotEmpty().allMatch(notice -> notice.contains("begins anew"));
    assertLatest("1 Bonn", "2 Ulm", "3 Ulm", "4 Bonn", "5 Ulm", "6 Ulm", "7 Ulm");
    assertHistory(
        "1 Bonn 5 open",
        "1 Ulm 1 5",
        "2 Ulm 1 open",
        "3 Ulm 1 open",
        "4 Bonn 5 open",
        "4 Ulm 1 5",
        "5 Ulm 1 open",
        "6 Ulm 1 open",
        "7 Ulm 1 open");
  }

  private void deletedPositions() {
    for (String table : KEPT_BY_KEY) {
      ForeignRows.deletePositions(bench.table(table), row -> row.getField("id").equals(2));
      ForeignRows.deletePositions(bench.table(table), row -> row.getField("id").equals(3));
    }
    take("2 Trier 6", "5 Trier 6");
    assertLatest("1 Bonn", "2 Trier", "4 Bonn", "5 Trier", "6 Ulm", "7 Ulm");
    assertHistory(
        "1 Bonn 5 open",
        "1 Ulm 1 5",
        "2 Trier 6 open",
        "4 Bonn 5 open",
        "4 Ulm 1 5",
        "5 Trier 6 open",
        "5 Ulm 1 6",
        "6 Ulm 1 open",
        "7 Ulm 1 open");
  }

  private void aDeletedFile() {
    take("8 Ulm 1");
    for (String table : KEPT_BY_KEY) {
      ForeignRows.deleteFile(bench.table(table), row -> row.getField("id").equals(8));
    }
    take("8 Bonn 9");
    assertLatest("1 Bonn", "2 Trier", "4 Bonn", "5 Trier", "6 Ulm", "7 Ulm", "8 Bonn");
    assertThat(Towns.texts(bench, "history", "id", "town", "__START_AT", "__END_AT"))
        .contains("8 Bonn 9 open")
        .noneMatch(row -> row.startsWith("8 Ulm"))
        .hasSize(10);
  }

  private void insertedRows() {
    ForeignRows.append(bench.table("latest"), Map.of("id", 50, "town", "foreign"));
    Map<String, Object> open = new HashMap<>(Map.of("id", 50, "town", "foreign"));
    open.put("__START_AT", 3L);
    ForeignRows.append(bench.table("history"), open);
    take("50 Ulm 10", "1 Ulm 4");
    assertLatest("1 Bonn", "2 Trier", "4 Bonn", "5 Trier", "50 Ulm", "6 Ulm", "7 Ulm", "8 Bonn");
    assertThat(Towns.texts(bench, "history", "id", "town", "__START_AT", "__END_AT"))
        .contains("50 foreign 3 10", "50 Ulm 10 open", "1 Ulm 1 5", "1 Bonn 5 open")
        .hasSize(12);
  }
}
