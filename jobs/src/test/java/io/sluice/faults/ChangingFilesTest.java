package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that are missing, empty, or change between planning and reading. What comes between is made
 * to happen when the update creates its table, which lies between the two.
 */
class ChangingFilesTest {

  private static final String SQL = sql(", schema => 'id INT, town STRING, n BIGINT'");

  @TempDir private Path folder;

  private static String sql(String schema) {
    return """
        CREATE STREAMING TABLE people;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json'%s)
        KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 2;
        """
        .formatted(schema);
  }

  private Workbench benchWhere(Runnable comesBetween) {
    return new Workbench(
        folder,
        ScriptedCatalog.config(
            folder,
            (table, commit) -> {
              commit.run();
              if (table.name().equals("people")) {
                comesBetween.run();
              }
            }));
  }

  @Test
  void a_file_that_vanishes_between_planning_and_reading_stops_the_update() {
    Path vanishing = folder.resolve("feed/2.json");
    try (Workbench bench = benchWhere(() -> delete(vanishing))) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}");
      bench.write("feed/2.json", "{\"id\":2,\"town\":\"b\",\"n\":1}");
      Problem problem = Failing.onlyProblem(bench, SQL);
      assertThat(problem.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
      assertThat(problem.message()).contains(vanishing.toString(), "nothing there");
      assertThat(bench.table("people").currentSnapshot()).isNull();

      assertThat(bench.update(SQL).succeeded()).isTrue();
      assertThat(bench.rows("people")).extracting(row -> row.get("id")).containsExactly(1);
    }
  }

  @Test
  void a_file_that_grows_between_planning_and_reading_stops_the_update() {
    Path growing = folder.resolve("feed/1.json");
    boolean[] grown = {false};
    Runnable grow =
        () -> {
          if (!grown[0]) {
            grown[0] = true;
            append(growing, "{\"id\":2,\"town\":\"b\",\"n\":1}\n");
          }
        };
    try (Workbench bench = benchWhere(grow)) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}");
      Problem problem = Failing.onlyProblem(bench, SQL);
      assertThat(problem.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
      assertThat(problem.message()).contains(growing.toString());
      assertThat(bench.table("people").currentSnapshot()).isNull();

      assertThat(bench.update(SQL).succeeded()).isTrue();
      assertThat(bench.rows("people"))
          .extracting(row -> row.get("id"))
          .containsExactlyInAnyOrder(1, 2);
    }
  }

  @Test
  void a_file_that_is_replaced_by_one_of_the_same_size_stops_the_update() {
    Path file = folder.resolve("feed/1.json");
    boolean[] replaced = {false};
    Runnable replace =
        () -> {
          if (!replaced[0]) {
            replaced[0] = true;
            Clock.age(file, 50);
          }
        };
    try (Workbench bench = benchWhere(replace)) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}");
      assertThat(Failing.onlyProblem(bench, SQL).code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
      assertThat(bench.update(SQL).succeeded()).isTrue();
      assertThat(bench.rows("people")).hasSize(1);
    }
  }

  @Test
  void a_path_that_does_not_exist_is_named_with_the_place_in_the_file() {
    try (Workbench bench = new Workbench(folder)) {
      Problem problem = Failing.onlyProblem(bench, SQL);
      assertThat(problem.code()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND);
      assertThat(problem.location()).isPresent();
      assertThat(problem.message()).contains(folder.resolve("feed").toString());
    }
  }

  @Test
  void a_folder_without_files_is_no_error_where_the_columns_are_declared() throws IOException {
    Files.createDirectories(folder.resolve("feed"));
    try (Workbench bench = new Workbench(folder)) {
      UpdateResult result = bench.update(SQL);
      assertThat(result.succeeded()).isTrue();
      assertThat(result.targets().get(0).steps()).isZero();
      assertThat(bench.table("people").currentSnapshot()).isNull();
      assertThat(Failing.onlyProblem(bench, sql("")).code())
          .isEqualTo(ErrorCode.SCHEMA_NOT_INFERRED);
    }
  }

  @Test
  void an_empty_file_is_read_as_nothing_and_only_once() {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/0.json");
      assertThat(Failing.onlyProblem(bench, sql("")).code())
          .isEqualTo(ErrorCode.SCHEMA_NOT_INFERRED);
      assertThat(bench.update(SQL).targets().get(0).steps()).isEqualTo(1);
      assertThat(bench.rows("people")).isEmpty();
      assertThat(bench.update(SQL).targets().get(0).steps()).isZero();
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}");
      bench.write("feed/2.json");
      assertThat(bench.update(SQL).targets().get(0).steps()).isEqualTo(1);
      assertThat(bench.rows("people")).hasSize(1);
    }
  }

  @Test
  void a_file_that_is_gone_after_it_was_read_is_not_missed() {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}");
      assertThat(bench.update(SQL).succeeded()).isTrue();
      delete(folder.resolve("feed/1.json"));
      assertThat(bench.update(SQL).succeeded()).isTrue();
      bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":2}");
      assertThat(bench.update(SQL).succeeded()).isTrue();
      assertThat(bench.rows("people")).hasSize(2);
    }
  }

  @Test
  void a_source_file_that_may_not_be_read_or_is_a_folder_does_not_pass_for_empty()
      throws IOException {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}");
      Files.createSymbolicLink(folder.resolve("feed/2.json"), folder.resolve("nowhere.json"));
      assertThat(bench.update(SQL).succeeded()).isTrue();
      assertThat(bench.rows("people")).hasSize(1);
      assertThat(List.of(folder.resolve("feed").toFile().list())).hasSize(2);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, java.nio.file.StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
