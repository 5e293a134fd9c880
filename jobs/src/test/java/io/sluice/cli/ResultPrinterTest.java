package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.run.ExpectationResult;
import io.sluice.run.FlowResult;
import io.sluice.run.TargetResult;
import io.sluice.run.Tombstones;
import io.sluice.run.UpdateResult;
import io.sluice.sequencing.Expectation.Action;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResultPrinterTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ResultPrinter printer =
      new ResultPrinter(new Console(new PrintWriter(out), new PrintWriter(err), Map.of(), false));

  private static FlowResult flow(String name, long inserted) {
    return flow(name, inserted, List.of());
  }

  private static FlowResult flow(String name, long inserted, List<ExpectationResult> expectations) {
    return new FlowResult(
        name,
        "AUTO CDC SCD 2",
        FlowResult.State.RAN,
        10,
        inserted,
        inserted,
        inserted,
        3,
        2,
        1,
        4,
        6,
        expectations);
  }

  private static UpdateResult result(FlowResult... flows) {
    TargetResult target =
        new TargetResult(
            "default.t",
            List.of(flows),
            7,
            5,
            4,
            6,
            100,
            2_000,
            new Tombstones(3, 2, 1),
            2,
            1.25,
            OptionalLong.of(42));
    Problem problem =
        Problem.at(
            new SourceLocation("p.sql", 3, 4), ErrorCode.STORAGE, "the disk is full", "Free space");
    return new UpdateResult(
        List.of(target),
        Map.of("default.u", List.of(problem)),
        List.of("default.v"),
        List.of("hm"));
  }

  @Test
  void text_has_a_line_per_flow_and_errors_go_to_standard_error() {
    printer.text(result(flow("f", 7)));
    assertThat(out.toString())
        .contains("default.t", "AUTO CDC SCD 2", "42")
        .doesNotContain("(all)");
    assertThat(err.toString())
        .contains("notice: hm")
        .contains("error: p.sql:3:4: [STORAGE] the disk is full. Free space")
        .contains("skipped: default.v");
  }

  @Test
  void rows_of_several_flows_are_told_by_a_line_of_the_table() {
    printer.text(result(flow("f", -1), flow("g", -1)));
    assertThat(out.toString().lines().filter(line -> line.contains("(all)")))
        .singleElement()
        .asString()
        .contains("20", "7", "5", "4");
  }

  @Test
  void expectations_have_a_table_of_their_own_where_there_are_some() throws Exception {
    List<ExpectationResult> found =
        List.of(
            new ExpectationResult("default.t", "named", Action.DROP, 8, 6),
            new ExpectationResult("default.v", "sane", Action.KEEP, 13, 1));
    printer.text(result(flow("f", 7)));
    assertThat(out.toString()).doesNotContain("expectation");
    out.getBuffer().setLength(0);
    printer.text(result(flow("f", 7, found)));
    assertThat(out.toString())
        .endsWith(
            """

            target     flow  expectation        on violation  passed  failed
            ---------  ----  -----------------  ------------  ------  ------
            default.t  f     named              drop row           8       6
            default.t  f     sane of default.v  keep row          13       1
            """);
    out.getBuffer().setLength(0);
    printer.json(result(flow("f", 7, found)));
    JsonNode flow =
        new ObjectMapper().readTree(out.toString()).get("targets").get(0).get("flows").get(0);
    assertThat(flow.get("dropped").asInt()).isEqualTo(6);
    assertThat(flow.get("expectations").toString())
        .isEqualTo(
            """
            [{"dataset":"default.t","name":"named","onViolation":"drop row","passed":8,"failed":6,\
            "dropped":6},{"dataset":"default.v","name":"sane","onViolation":"keep row",\
            "passed":13,"failed":1,"dropped":0}]""");
  }

  @Test
  void json_holds_everything_that_text_shows() throws Exception {
    printer.json(result(flow("f", 7)));
    JsonNode root = new ObjectMapper().readTree(out.toString());
    assertThat(root.get("succeeded").asBoolean()).isFalse();
    JsonNode target = root.get("targets").get(0);
    assertThat(target.get("target").asText()).isEqualTo("default.t");
    assertThat(target.get("snapshot").asLong()).isEqualTo(42);
    assertThat(target.get("flows").get(0).get("late").asInt()).isEqualTo(3);
    JsonNode problem = root.get("failures").get(0).get("problems").get(0);
    assertThat(problem.get("code").asText()).isEqualTo("STORAGE");
    assertThat(problem.get("at").asText()).isEqualTo("p.sql:3:4");
    assertThat(root.get("skipped").get(0).asText()).isEqualTo("default.v");
  }

  @Test
  void tables_align_numbers_to_the_right() {
    TextTable table = new TextTable("name", "n");
    table.row("a", 1);
    table.row("bcdef", 200);
    assertThat(table.toString())
        .isEqualTo(
            """
            name     n
            -----  ---
            a        1
            bcdef  200
            """);
  }

  @Test
  void a_table_of_many_rows_is_printed_in_the_time_of_its_rows() {
    TextTable table = new TextTable("n", "text");
    for (int i = 0; i < 200_000; i++) {
      table.row(i, "row");
    }
    String text = assertTimeoutPreemptively(Duration.ofSeconds(20), table::toString);
    assertThat(text.lines().count()).isEqualTo(200_002);
  }

  @Test
  void a_row_is_one_line_whatever_its_text_holds() {
    TextTable table = new TextTable("text", "n");
    table.row("a\nb\tc\u001b[31m", 1);
    table.row("\u6c34 e\u0301 \ud83d\ude00", 2);
    assertThat(table.toString())
        .isEqualTo(
            """
            text               n
            -----------------  -
            a\\nb\\tc\\u001b[31m  1
            \u6c34 e\u0301 \ud83d\ude00            2
            """);
  }

  @Test
  void values_of_one_type_have_texts_of_one_form() {
    assertThat(Values.toText(LocalTime.of(1, 2))).isEqualTo("01:02:00");
    assertThat(Values.toText(LocalTime.of(1, 2, 3))).isEqualTo("01:02:03");
    assertThat(Values.toText(LocalDateTime.of(2026, 3, 29, 2, 30)))
        .isEqualTo("2026-03-29T02:30:00");
    assertThat(Values.toText(LocalTime.ofNanoOfDay(1_000))).isEqualTo("00:00:00.000001");
    assertThat(Values.toText(Collections.singletonMap("a", new byte[] {1}))).isEqualTo("{a=X'01'}");
    assertThat(Values.toText(Collections.singletonMap("a", null))).isEqualTo("{a=NULL}");
  }

  @Test
  void a_problem_that_two_flows_meet_is_told_once() {
    Problem problem = Problem.of(ErrorCode.SOURCE_NOT_FOUND, "there is no feed", "Make it");
    SluiceException thrown = new SluiceException(List.of(problem, problem));
    assertThat(thrown.problems()).containsExactly(problem);
    assertThat(thrown).hasMessage(problem.toString());
  }

  @Test
  void a_result_with_failures_becomes_an_exception_where_that_is_wanted() {
    assertThatThrownBy(() -> result(flow("f", 7)).orThrow())
        .isInstanceOf(SluiceException.class)
        .hasMessage("p.sql:3:4: [STORAGE] the disk is full. Free space");
    UpdateResult whole = new UpdateResult(List.of(), Map.of(), List.of(), List.of());
    assertThat(whole.orThrow()).isSameAs(whole);
  }
}
