package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.plan.AsOf;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks and catalogs that do not take what an update gives them. */
class StorageFaultsTest {

  private static final String SQL =
      """
      CREATE STREAMING TABLE people;
      CREATE FLOW changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n BIGINT')
      KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 2;
      """;

  @TempDir private Path folder;

  private String uri() {
    return "jdbc:sqlite:" + folder.resolve("warehouse/catalog.db") + "?busy_timeout=200";
  }

  private Workbench impatient(ScriptedCatalog.Script script) {
    return new Workbench(folder, ScriptedCatalog.config(folder, script, Map.of("uri", uri())));
  }

  private Connection lock() {
    try {
      Connection connection = DriverManager.getConnection(uri());
      connection.createStatement().execute("BEGIN EXCLUSIVE");
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void writeFeed(Workbench bench, int rows, int townLength) {
    Random random = new Random(1);
    String[] lines = new String[rows];
    for (int i = 0; i < rows; i++) {
      StringBuilder town = new StringBuilder();
      for (int c = 0; c < townLength; c++) {
        town.append((char) ('a' + random.nextInt(26)));
      }
      lines[i] = "{\"id\":%d,\"town\":\"%s\",\"n\":1}".formatted(i, town);
    }
    bench.write("feed/1.json", lines);
  }

  @Test
  void a_catalog_that_is_locked_when_the_update_begins_says_so() throws SQLException {
    try (Workbench bench = impatient(ScriptedCatalog.Script.NONE)) {
      writeFeed(bench, 10, 5);
      try (Connection lock = lock()) {
        Problem problem = Failing.onlyProblem(bench, SQL);
        assertThat(problem.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
        assertThat(problem.message()).contains("locked");
        assertThatThrownBy(() -> impatient(ScriptedCatalog.Script.NONE))
            .isInstanceOfSatisfying(
                SluiceException.class,
                e -> {
                  e.problems().forEach(Failing::requireClear);
                  assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
                  assertThat(e.getMessage()).contains("locked");
                });
        assertThat(lock.isClosed()).isFalse();
      }
      assertThat(bench.update(SQL).failures()).isEmpty();
      assertThat(bench.rows("people")).hasSize(10);
    }
  }

  @Test
  void a_catalog_that_is_locked_when_the_update_commits_changes_nothing() throws SQLException {
    Connection[] locked = {null};
    int[] commits = {0};
    ScriptedCatalog.Script script =
        (table, commit) -> {
          if (table.name().equals("people") && ++commits[0] == 2) {
            locked[0] = lock();
          }
          commit.run();
        };
    try (Workbench bench = impatient(script)) {
      writeFeed(bench, 10, 5);
      Problem problem = Failing.onlyProblem(bench, SQL);
      assertThat(problem.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
      assertThat(problem.message()).contains("locked", "people");
      locked[0].close();
      assertThat(bench.table("people").currentSnapshot()).isNull();
      assertThat(bench.update(SQL).failures()).isEmpty();
      assertThat(bench.rows("people")).hasSize(10);
    }
  }

  @Test
  void a_disk_that_is_full_fails_the_update_and_room_lets_the_next_one_do_it_once()
      throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("warehouse"), "1m");
        Workbench bench = new Workbench(folder)) {
      writeFeed(bench, 3_000, 1_000);
      for (Problem problem : Failing.update(bench, SQL)) {
        assertThat(problem.code()).isEqualTo(ErrorCode.STORAGE);
        assertThat(problem.message()).contains("full");
      }
      disk.remount("size=64m");
      assertThat(bench.table("people").currentSnapshot()).isNull();
      assertThat(bench.update(SQL).failures()).isEmpty();
      assertThat(bench.rows("people")).hasSize(3_000);
      assertThat(bench.update(SQL).targets().get(0).steps()).isZero();
    }
  }

  @Test
  void an_empty_warehouse_that_is_read_only_is_told_before_anything_runs() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("warehouse"), "16m")) {
      disk.remount("ro");
      assertThatThrownBy(() -> new Workbench(folder))
          .isInstanceOfSatisfying(
              SluiceException.class,
              e -> {
                e.problems().forEach(Failing::requireClear);
                assertThat(e.code()).isEqualTo(ErrorCode.STORAGE);
              });
    }
  }

  @Test
  void a_catalog_file_that_is_none_is_named() throws IOException {
    Files.createDirectories(folder.resolve("warehouse"));
    Files.writeString(
        folder.resolve("warehouse/catalog.db"), "this is text, no database\n".repeat(99));
    assertThatThrownBy(() -> new Workbench(folder))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> {
              e.problems().forEach(Failing::requireClear);
              assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
              assertThat(e.getMessage()).contains("no SQLite database");
            });
  }

  @Test
  void a_warehouse_that_is_read_only_fails_the_update_and_changes_nothing() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("warehouse"), "16m")) {
      try (Workbench bench = new Workbench(folder)) {
        writeFeed(bench, 10, 5);
        assertThat(bench.update(SQL).failures()).isEmpty();
        bench.write("feed/2.json", "{\"id\":1,\"town\":\"new\",\"n\":2}");
      }
      disk.remount("ro");
      List<Problem> problems =
          Failing.problems(
              () -> {
                try (Workbench bench = new Workbench(folder)) {
                  return bench.update(SQL);
                }
              });
      assertThat(problems).extracting(Problem::code).containsOnly(ErrorCode.STORAGE);
      assertThat(problems.get(0).message()).containsPattern("read-?only");
      disk.remount("rw");
      try (Workbench bench = new Workbench(folder)) {
        assertThat(bench.rows("people")).hasSize(10);
        assertThat(bench.update(SQL).failures()).isEmpty();
        assertThat(bench.rows("people")).hasSize(11);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"metadata/snap-.*avro", "metadata/.*-m0.avro", "data/.*parquet"})
  void a_file_of_the_table_that_is_cut_off_is_named_and_mended_the_table_goes_on(String pattern)
      throws IOException {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"old\",\"n\":1}");
      assertThat(bench.update(SQL).failures()).isEmpty();
      bench.write("feed/2.json", "{\"id\":1,\"town\":\"new\",\"n\":2}");
      Path file = fileOf(folder.resolve("warehouse/default/people"), pattern);
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(whole, whole.length / 2));
      Problem problem = Failing.onlyProblem(bench, SQL);
      assertThat(problem.code()).isEqualTo(ErrorCode.STORAGE);
      assertThat(problem.message()).contains("people", file + " cannot be read (");
      assertThatThrownBy(() -> bench.query("SELECT town FROM people", AsOf.ALL))
          .isInstanceOfSatisfying(
              SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE));
      Files.write(file, whole);
      assertThat(bench.update(SQL).failures()).isEmpty();
      assertThat(bench.rows("people")).hasSize(2);
    }
  }

  private static Path fileOf(Path table, String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      return files
          .filter(file -> table.relativize(file).toString().matches(pattern))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void a_file_in_the_place_of_the_warehouse_is_named() throws IOException {
    Files.writeString(folder.resolve("warehouse"), "no folder");
    assertThatThrownBy(() -> new Workbench(folder))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> {
              e.problems().forEach(Failing::requireClear);
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE);
              assertThat(e.getMessage()).contains(folder.resolve("warehouse").toString());
            });
  }
}
