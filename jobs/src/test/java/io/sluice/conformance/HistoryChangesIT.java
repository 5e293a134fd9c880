package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A history table of another program as a source of changes: scd2_changes (semantics 0.14). */
class HistoryChangesIT {

  private static final String OLD =
      """
      SET 'sluice.pipeline' = 'old program';
      CREATE STREAMING TABLE old_rows AS
      SELECT * FROM read_files('${dir}/old', format => 'json',
        schema => 'region STRING, id INT, val STRING, since INT, until INT');
      """;

  private static final String NEW =
      """
      CREATE STREAMING TABLE history;
      CREATE FLOW history_seed AS AUTO CDC ONCE INTO history
      FROM STREAM(scd2_changes(TABLE old_rows, since, until, region, id))
      KEYS (region, id) APPLY AS DELETE WHEN _change_type = 'delete' SEQUENCE BY _sequence
      COLUMNS (region, id, val) STORED AS SCD TYPE 2;
      """;

  private static String inFormat(int format, String sql) {
    return sql.replaceAll(
        "(CREATE STREAMING TABLE \\w+)", "$1 TBLPROPERTIES ('format-version' = '" + format + "')");
  }

  private static String row(String region, int id, String val, Integer since, Integer until) {
    return "{'region':'%s','id':%d,'val':'%s','since':%s,'until':%s}"
        .formatted(region, id, val, since, until);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void ends_gaps_overlaps_and_open_rows_come_out_as_they_were_valid(
      int format, @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "old/1.json",
          // A successor, a gap, and a closed end.
          row("n", 1, "a", 1, 5),
          row("n", 1, "b", 5, 9),
          row("n", 1, "c", 12, 20),
          // Another key with the same id.
          row("s", 1, "z", 5, null),
          // A row that is cut short by its successor: its own end says nothing.
          row("n", 2, "a", 1, 7),
          row("n", 2, "b", 4, null),
          // Never valid.
          row("n", 3, "void", 6, 6),
          row("n", 3, "b", 6, 8));
      scene.run(inFormat(format, OLD));
      scene.run(inFormat(format, NEW));
      assertThat(scene.rows("history"))
          .containsExactly(
              "n 1 a 1 5",
              "n 1 b 5 9",
              "n 1 c 12 20",
              "n 2 a 1 4",
              "n 2 b 4 ~",
              "n 3 b 6 8",
              "s 1 z 5 ~");
    }
  }

  @Test
  void a_row_that_ends_before_it_begins_or_has_no_begin_is_an_invalid_event(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "old/1.json", row("n", 1, "a", 9, 5), row("n", 2, "b", null, 5), row("n", 3, "c", 1, 2));
      scene.run(OLD);
      assertThat(scene.failing(NEW))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
                assertThat(problem.message())
                    .contains("2 of flow 'history_seed'", "val=a", "val=b");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void any_history_is_the_same_after_its_way_through_changes(int format, @TempDir Path folder) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int id = 0; id < 200; id++) {
      int at = random.nextInt(5);
      int rows = random.nextInt(6);
      for (int i = 0; i < rows; i++) {
        boolean open = i == rows - 1 && random.nextBoolean();
        int until = at + 1 + random.nextInt(4);
        lines.add(row("r", id, "v" + i, at, open ? null : until));
        expected.add("r " + id + " v" + i + " " + at + " " + (open ? "~" : until));
        at = until + (random.nextBoolean() ? 0 : 1 + random.nextInt(3));
      }
    }
    Collections.shuffle(lines, random);
    try (Scene scene = new Scene(folder)) {
      scene.json("old/1.json", lines.toArray(String[]::new));
      scene.run(inFormat(format, OLD));
      scene.run(inFormat(format, NEW));
      assertThat(scene.rows("history"))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(expected);
      // Once more, from the table that came out: its own bounds are the history's.
      scene.run(
          """
          CREATE TEMPORARY VIEW closed AS
          SELECT region, id, val, `__START_AT` AS a, `__END_AT` AS b FROM history;
          CREATE STREAMING TABLE again;
          CREATE FLOW again_seed AS AUTO CDC ONCE INTO again
          FROM (SELECT * FROM scd2_changes(TABLE closed, a, b, region, id))
          KEYS (region, id) APPLY AS DELETE WHEN _change_type = 'delete' SEQUENCE BY _sequence
          COLUMNS * EXCEPT (a, b, _change_type, _sequence) STORED AS SCD TYPE 2;
          SET 'sluice.pipeline' = 'again';
          """);
      assertThat(scene.rows("again")).isEqualTo(scene.rows("history"));
    }
  }

  private static Definition wrong(String name, String call, ErrorCode code, String message) {
    return Definition.of(name, NEW.replaceAll("(?s)STREAM\\(scd2.*?\\)\\)", call), code, message);
  }

  private static final List<Definition> WRONG =
      List.of(
          wrong(
              "no TABLE",
              "§STREAM(scd2_changes(old_rows, since, until, id))",
              ErrorCode.SYNTAX,
              "scd2_changes has not the arguments it needs"),
          wrong(
              "no key",
              "§STREAM(scd2_changes(TABLE old_rows, since, until))",
              ErrorCode.SYNTAX,
              "scd2_changes has not the arguments it needs"),
          wrong(
              "an unknown column",
              "STREAM(scd2_changes(TABLE old_rows, §sinc, until, id))",
              ErrorCode.INVALID_QUERY,
              "scd2_changes: old_rows has no column 'sinc'"),
          wrong(
              "bounds of two types",
              "STREAM(scd2_changes(TABLE old_rows, since, §val, id))",
              ErrorCode.INVALID_QUERY,
              "scd2_changes: 'since' is INT and 'val' is STRING"),
          wrong(
              "an unknown table",
              "STREAM(scd2_changes(TABLE §old_row, since, until, id))",
              ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
              "there is no table or view 'old_row'"),
          Definition.of(
              "a flow that is not ONCE",
              NEW.replace("ONCE ", "").replace("STREAM(scd2", "§STREAM(scd2"),
              ErrorCode.AUTOCDC_BATCH_SOURCE,
              "scd2_changes reads a whole history"));

  @TestFactory
  Stream<DynamicTest> calls_that_cannot_work_are_refused_at_their_place(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("old/1.json", row("n", 1, "a", 1, 5));
    scene.run(OLD);
    return WRONG.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }
}
