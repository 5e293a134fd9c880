package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.Workbench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose content is not what it should be (semantics 0.3, 17.4). */
class UnreadableFilesTest {

  private static final String GOOD = "{\"id\":1,\"town\":\"München\",\"n\":1}";

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

  private static String sql(String format, String options) {
    return """
        CREATE STREAMING TABLE people;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => '%s',
          schema => 'id INT, town STRING, n BIGINT'%s)
        KEYS (id) SEQUENCE BY n COLUMNS (id, town) STORED AS SCD TYPE 1;
        """
        .formatted(format, options);
  }

  private static final String JSON = sql("json", "");

  private Path write(String name, byte[] content) throws IOException {
    Path file = folder.resolve("feed").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private void assertRows(Object... idAndTown) {
    assertThat(bench.rows("people"))
        .extracting(row -> row.get("id"), row -> row.get("town"))
        .containsExactlyInAnyOrder(tuple(1, idAndTown[0]), tuple(2, idAndTown[1]));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":2,\"town\":\"b\",\"n\":2",
        "{\"id\":2,\"town\":\"b\" \"n\":2}",
        "not json",
        "[1,2]",
        "{\"id\":2,\"town\":\"b\",\"n\":2} {}",
        "{\"id\":2,\"town\":\"b\",\"town\":\"c\",\"n\":2}",
        "{\"id\":2,\"town\":\"b\",\"N\":1,\"n\":2}",
        "{\"id\":\"two\",\"town\":\"b\",\"n\":2}",
        "{\"id\":3000000000,\"town\":\"b\",\"n\":2}",
        "{\"id\":2.5,\"town\":\"b\",\"n\":2}",
        "{\"id\":2,\"town\":\"b\",\"n\":99999999999999999999}",
        "{\"id\":2,\"town\":\"b\",\"n\":{\"deep\":1}}"
      })
  void an_unreadable_line_is_named_by_file_and_byte(String bad) {
    Path file = bench.write("feed/1.json", GOOD, bad);
    Problem problem = Failing.onlyProblem(bench, JSON);
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
    int offset = GOOD.getBytes(StandardCharsets.UTF_8).length + 1;
    assertThat(problem.message()).contains(file + " (byte " + offset + ")").contains(bad);
    assertThat(bench.table("people").currentSnapshot()).isNull();

    bench.write("feed/1.json", GOOD, "{\"id\":2,\"town\":\"b\",\"n\":2}");
    assertThat(bench.update(JSON).succeeded()).isTrue();
    assertRows("München", "b");
    assertThat(bench.update(JSON).targets().get(0).steps()).isZero();
  }

  @Test
  void a_bad_file_behind_committed_steps_stops_there_and_goes_on_when_it_is_corrected() {
    String sql = sql("json", ", maxFilesPerTrigger => '1'");
    bench.write("feed/1.json", GOOD);
    Path second = bench.write("feed/2.json", "{\"id\":2,");
    bench.write("feed/3.json", "{\"id\":3,\"town\":\"c\",\"n\":3}");
    Clock.age(folder.resolve("feed/1.json"), 30);
    Clock.age(second, 20);
    assertThat(Failing.onlyProblem(bench, sql).message()).contains(second.toString());
    assertThat(bench.rows("people")).hasSize(1);

    bench.write("feed/2.json", "{\"id\":2,\"town\":\"b\",\"n\":2}");
    assertThat(bench.update(sql).targets().get(0).steps()).isEqualTo(2);
    assertThat(bench.rows("people"))
        .extracting(row -> row.get("town"))
        .containsExactlyInAnyOrder("München", "b", "c");
  }

  @Test
  void a_byte_order_mark_carriage_returns_blank_lines_and_a_missing_last_newline_do_no_harm()
      throws IOException {
    String text = "\uFEFF" + GOOD + "\r\n\r\n   \r\n{\"id\":2,\"town\":\"b\",\"n\":2}";
    write("1.json", text.getBytes(StandardCharsets.UTF_8));
    assertThat(bench.update(JSON).succeeded()).isTrue();
    assertRows("München", "b");
  }

  @Test
  void text_that_is_no_utf8_is_no_silent_question_mark() throws IOException {
    write(
        "1.json",
        "{\"id\":1,\"town\":\"M\u00fcnchen\",\"n\":1}\n".getBytes(StandardCharsets.ISO_8859_1));
    Problem problem = Failing.onlyProblem(bench, JSON);
    assertThat(problem.message()).contains("1.json");
  }

  @Test
  void a_truncated_gzip_file_is_damaged_and_its_whole_successor_is_read_once() throws IOException {
    byte[] whole =
        gzip(GOOD + "\n{\"id\":2,\"town\":\"b\",\"n\":2}\n" + "{\"id\":1,\"n\":0}\n".repeat(500));
    Path file = write("1.json.gz", Arrays.copyOf(whole, whole.length - 9));
    Problem problem = Failing.onlyProblem(bench, JSON);
    assertThat(problem.code()).isEqualTo(ErrorCode.MALFORMED_RECORD);
    assertThat(problem.message()).contains(file.toString(), "damaged");

    byte[] flipped = whole.clone();
    flipped[whole.length / 2] ^= 0x55;
    write("1.json.gz", flipped);
    assertThat(Failing.update(bench, JSON).get(0).message()).contains(file.toString());

    write("1.json.gz", "plain text".getBytes(StandardCharsets.UTF_8));
    assertThat(Failing.onlyProblem(bench, JSON).message()).contains(file.toString(), "damaged");

    write("1.json.gz", whole);
    assertThat(bench.update(JSON).succeeded()).isTrue();
    assertRows("München", "b");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void csv_records_that_do_not_fit_are_named_and_quoted_ones_are_read() {
    String sql = sql("csv", ", header => 'true'");
    for (String bad : List.of("2,b", "2,b,2,3", "2,\"b,2", "two,b,2", "2,b\"c\",x")) {
      Path file = bench.write("feed/1.csv", "id,town,n", "1,a,1", bad);
      Problem problem = Failing.onlyProblem(bench, sql);
      assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(problem.message()).contains(file + " (byte 16)");
    }
    bench.write("feed/1.csv", "id,town,n\r", "1,\"a, \"\"A\"\"\nline\",1\r", "2,\"b\",2\r");
    assertThat(bench.update(sql).succeeded()).isTrue();
    assertRows("a, \"A\"\nline", "b");
  }

  @Test
  void a_csv_header_with_a_column_twice_is_refused() {
    Path file = bench.write("feed/1.csv", "id,town,ID,n", "1,a,1,1");
    Problem problem = Failing.onlyProblem(bench, sql("csv", ", header => 'true'"));
    assertThat(problem.code()).isEqualTo(ErrorCode.MALFORMED_RECORD);
    assertThat(problem.message()).contains(file.toString(), "twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "avro"})
  void a_file_that_is_no_file_of_its_format_is_named(String format) throws IOException {
    Path file = write("1." + format, "certainly nothing binary".getBytes(StandardCharsets.UTF_8));
    Problem problem = Failing.onlyProblem(bench, sql(format, ""));
    assertThat(problem.code()).isEqualTo(ErrorCode.MALFORMED_RECORD);
    assertThat(problem.message()).contains(file.toString());
  }

  @Test
  void a_timestamp_without_zone_is_utc_and_one_that_is_none_is_named() {
    String sql =
        """
        CREATE STREAMING TABLE people;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json', schema => 'id INT, n TIMESTAMP')
        KEYS (id) SEQUENCE BY n STORED AS SCD TYPE 1;
        """;
    Path file = bench.write("feed/1.json", "{\"id\":1,\"n\":\"2024-02-30T00:00:00Z\"}");
    Problem problem = Failing.onlyProblem(bench, sql);
    assertThat(problem.message()).contains(file + " (byte 0)", "2024-02-30");
    bench.write(
        "feed/1.json",
        "{\"id\":1,\"n\":\"2024-02-28T12:00:00\"}",
        "{\"id\":2,\"n\":\"2024-02-28T12:00:00+02:00\"}");
    assertThat(bench.update(sql).succeeded()).isTrue();
    assertThat(bench.rows("people"))
        .extracting(row -> row.get("id") + " " + row.get("n"))
        .containsExactlyInAnyOrder("1 2024-02-28T12:00Z", "2 2024-02-28T10:00Z");
  }

  @Test
  void a_type_that_changes_between_files_never_loses_a_row() {
    String sql =
        """
        CREATE STREAMING TABLE readings;
        CREATE FLOW lines AS INSERT INTO readings BY NAME
        SELECT * FROM STREAM read_files('${dir}/feed', format => 'json');
        """;
    bench.write("feed/1.json", "{\"id\":1,\"level\":10}");
    assertThat(bench.update(sql).succeeded()).isTrue();
    bench.write("feed/2.json", "{\"id\":2,\"level\":\"high\"}", "{\"id\":3,\"level\":12}");
    assertThat(bench.update(sql).succeeded()).isTrue();
    assertThat(bench.rows("readings"))
        .extracting(row -> row.get("id"), row -> row.get("level"))
        .containsExactlyInAnyOrder(tuple(1L, 10L), tuple(2L, null), tuple(3L, 12L));
    Map<String, Object> rescued =
        bench.rows("readings").stream().filter(row -> row.get("id").equals(2L)).findFirst().get();
    assertThat(rescued.get("_rescued_data").toString()).contains("\"level\":\"high\"");
  }

  @Test
  void a_key_that_changes_its_type_between_files_is_an_invalid_event() {
    String sql =
        """
        CREATE STREAMING TABLE people;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json')
        KEYS (id) SEQUENCE BY n COLUMNS * EXCEPT (_rescued_data);
        """;
    bench.write("feed/1.json", "{\"id\":1,\"n\":10}");
    assertThat(bench.update(sql).succeeded()).isTrue();
    Path second = bench.write("feed/2.json", "{\"id\":\"one\",\"n\":11}");
    Problem problem = Failing.onlyProblem(bench, sql);
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
    assertThat(problem.message()).contains(second.toString(), "'id' is NULL");
    assertThat(bench.rows("people")).hasSize(1);
  }
}
