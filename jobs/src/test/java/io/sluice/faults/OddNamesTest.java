package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names and sizes at the edge: odd characters, many columns, deep rows, long texts. */
class OddNamesTest {

  @TempDir private Path folder;
  private Workbench bench;

  @BeforeEach
  void open() {
    bench = new Workbench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void names_with_spaces_quotes_dots_and_letters_of_the_world_work_throughout() {
    String sql =
        """
        CREATE STREAMING TABLE `Straße nach Köln`;
        CREATE FLOW `flow.with.dots and ``ticks``` AS AUTO CDC INTO `Straße nach Köln`
        FROM STREAM read_files('${dir}/feed ünd mehr', format => 'json')
        KEYS (`key id`) APPLY AS DELETE WHEN `löschen?` = 'ja' SEQUENCE BY `n-1`
        COLUMNS * EXCEPT (`n-1`, `löschen?`, _rescued_data) STORED AS SCD TYPE 2;
        """;
    bench.write(
        "feed ünd mehr/ä #1%20.json",
        "{\"key id\":\"東京\",\"n-1\":1,\"it's\":\"a\\\"b\",\"löschen?\":\"nein\"}",
        "{\"key id\":\"🚲\",\"n-1\":1,\"it's\":null,\"löschen?\":null}");
    assertThat(bench.update(sql).failures()).isEmpty();
    bench.write(
        "feed ünd mehr/ä #2.json",
        "{\"key id\":\"東京\",\"n-1\":2,\"löschen?\":\"ja\"}",
        "{\"key id\":\"🚲\",\"n-1\":2,\"it's\":\"x\"}");
    assertThat(bench.update(sql).failures()).isEmpty();
    assertThat(bench.rows("Straße nach Köln"))
        .extracting(row -> row.get("key id"), row -> row.get("it's"), row -> row.get("__END_AT"))
        .containsExactlyInAnyOrder(
            tuple("東京", "a\"b", 2L), tuple("🚲", null, 2L), tuple("🚲", "x", null));
    assertThat(bench.update(sql).targets().get(0).steps()).isZero();
  }

  @Test
  void a_column_with_commas_and_backslashes_may_be_untracked() {
    String sql =
        """
        CREATE STREAMING TABLE people;
        CREATE FLOW f AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json',
          schema => 'id INT, `a,b\\,c` STRING, n INT')
        KEYS (id) SEQUENCE BY n COLUMNS * EXCEPT (n) STORED AS SCD TYPE 2
        TRACK HISTORY ON * EXCEPT (`a,b\\,c`);
        """;
    for (int n = 1; n <= 2; n++) {
      bench.write(
          "feed/" + n + ".json", "{\"id\":1,\"a,b\\\\,c\":\"v%d\",\"n\":%d}".formatted(n, n));
      assertThat(bench.update(sql).failures()).isEmpty();
    }
    assertThat(bench.rows("people"))
        .singleElement()
        .satisfies(row -> assertThat(row.get("a,b\\,c")).isEqualTo("v2"));
  }

  @Test
  void an_empty_or_too_long_name_is_an_error_with_its_place() {
    bench.write("feed/1.json", "{\"id\":1,\"n\":1}");
    String sql =
        """
        CREATE STREAMING TABLE `%s`;
        CREATE FLOW f AS AUTO CDC INTO `%s`
        FROM STREAM read_files('${dir}/feed', format => 'json') KEYS (id) SEQUENCE BY n;
        """;
    for (String name : List.of("", "x".repeat(300), "a/b", "..", "zero\u0000")) {
      Problem problem = Failing.update(bench, sql.formatted(name, name)).get(0);
      assertThat(problem.code()).isIn(ErrorCode.INVALID_NAME, ErrorCode.SYNTAX);
      assertThat(problem.location()).isPresent();
    }
  }

  @Test
  void five_hundred_columns_go_through_both_updates() {
    String columns =
        IntStream.range(0, 500)
            .mapToObj(i -> "c%d STRING".formatted(i))
            .collect(Collectors.joining(", "));
    String sql =
        """
        CREATE STREAMING TABLE wide;
        CREATE FLOW f AS AUTO CDC INTO wide
        FROM STREAM read_files('${dir}/feed', format => 'json', schema => 'id INT, n BIGINT, %s')
        KEYS (id) SEQUENCE BY n STORED AS SCD TYPE 2;
        """
            .formatted(columns);
    bench.write("feed/1.json", wide(1, 1), wide(2, 1));
    assertThat(bench.update(sql).failures()).isEmpty();
    bench.write("feed/2.json", wide(1, 2));
    assertThat(bench.update(sql).failures()).isEmpty();
    assertThat(bench.rows("wide")).hasSize(3).allMatch(row -> row.size() == 504);
  }

  private static String wide(int id, int n) {
    return IntStream.range(0, 500)
        .mapToObj(i -> "\"c%d\":\"v%d\"".formatted(i, n))
        .collect(Collectors.joining(",", "{\"id\":%d,\"n\":%d,".formatted(id, n), "}"));
  }

  @Test
  void rows_in_rows_in_arrays_are_kept_and_compared_to_their_depth() {
    String open = "{\"a\":".repeat(12);
    String close = "}".repeat(12);
    String line = "{\"id\":1,\"n\":%d,\"deep\":[" + open + "%d" + close + "]}";
    String sql =
        """
        CREATE STREAMING TABLE deep;
        CREATE FLOW f AS AUTO CDC INTO deep
        FROM STREAM read_files('${dir}/feed', format => 'json')
        KEYS (id) SEQUENCE BY n COLUMNS (id, deep) STORED AS SCD TYPE 2;
        """;
    bench.write("feed/1.json", line.formatted(1, 7), line.formatted(2, 7));
    assertThat(bench.update(sql).failures()).isEmpty();
    bench.write("feed/2.json", line.formatted(3, 8));
    assertThat(bench.update(sql).failures()).isEmpty();
    assertThat(bench.rows("deep"))
        .extracting(row -> row.get("__START_AT"), row -> row.get("__END_AT"))
        .containsExactlyInAnyOrder(tuple(1L, 3L), tuple(3L, null));
  }

  @Test
  void nesting_without_end_is_a_bad_line_and_no_stack_overflow() {
    String sql =
        """
        CREATE STREAMING TABLE deep;
        CREATE FLOW f AS AUTO CDC INTO deep
        FROM STREAM read_files('${dir}/feed', format => 'json', schema => 'id INT, n BIGINT, v STRING')
        KEYS (id) SEQUENCE BY n;
        """;
    Path file = bench.write("feed/1.json", "{\"id\":1,\"n\":1,\"v\":" + "[".repeat(100_000) + "}");
    Problem problem = Failing.onlyProblem(bench, sql);
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
    assertThat(problem.message()).contains(file + " (byte 0)").hasSizeLessThan(4_000);
  }

  @Test
  void texts_of_megabytes_are_kept_and_errors_about_them_stay_short() {
    String sql =
        """
        CREATE STREAMING TABLE long_texts;
        CREATE FLOW f AS AUTO CDC INTO long_texts
        FROM STREAM read_files('${dir}/feed', format => 'json', schema => 'id STRING, n BIGINT, v STRING')
        KEYS (id) SEQUENCE BY n STORED AS SCD TYPE 2;
        """;
    String text = "ü".repeat(1_000_000);
    bench.write("feed/1.json", "{\"id\":\"%s\",\"n\":1,\"v\":\"%s\"}".formatted(text, text));
    assertThat(bench.update(sql).failures()).isEmpty();
    bench.write("feed/2.json", "{\"id\":\"%s\",\"n\":2,\"v\":\"b\"}".formatted(text));
    assertThat(bench.update(sql).failures()).isEmpty();
    List<Map<String, Object>> rows = bench.rows("long_texts");
    assertThat(rows).hasSize(2).allMatch(row -> row.get("id").equals(text));
    bench.write("feed/3.json", "{\"id\":\"%s\",\"v\":\"b\"}".formatted(text));
    assertThat(Failing.onlyProblem(bench, sql).message()).hasSizeLessThan(4_000);
  }

  @Test
  void two_flows_with_one_name_and_an_unknown_key_are_reported_together_with_the_nearest_name() {
    bench.write("feed/1.json", "{\"ident\":1,\"n\":1}");
    List<Problem> same =
        Failing.update(
            bench,
            """
            CREATE STREAMING TABLE a;
            CREATE STREAMING TABLE b;
            CREATE FLOW f AS INSERT INTO a BY NAME SELECT * FROM STREAM read_files('${dir}/feed', format => 'json');
            CREATE FLOW F AS INSERT INTO b BY NAME SELECT * FROM STREAM read_files('${dir}/feed', format => 'json');
            """);
    assertThat(same).extracting(Problem::code).containsExactly(ErrorCode.DUPLICATE_NAME);
    assertThat(same.get(0).location().orElseThrow().line()).isEqualTo(4);
    List<Problem> unknown =
        Failing.update(
            bench,
            """
            CREATE STREAMING TABLE a;
            CREATE FLOW f AS AUTO CDC INTO a FROM STREAM read_files('${dir}/feed', format => 'json')
            KEYS (idnet) SEQUENCE BY m;
            """);
    assertThat(unknown)
        .extracting(Problem::code)
        .containsExactlyInAnyOrder(
            ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA, ErrorCode.INVALID_QUERY);
    assertThat(unknown).anyMatch(problem -> problem.remedy().contains("'ident'"));
  }
}
