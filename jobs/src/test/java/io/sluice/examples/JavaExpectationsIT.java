package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.api.FileSource;
import io.sluice.api.PipelineDefinition;
import io.sluice.api.Snapshot;
import io.sluice.api.Source;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.run.ExpectationResult;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import io.sluice.sequencing.Expectation.Action;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.api.Expressions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Expectations that Java declares are those of pipeline files (semantics 2.7). */
class JavaExpectationsIT {

  @TempDir private Path folder;

  private FileSource feed() {
    return Source.files(folder + "/in").format("json").schema("id INT, val STRING, seq INT");
  }

  @Test
  void tables_and_views_of_java_functions_count_drop_and_fail() {
    Map<String, String> rules = new LinkedHashMap<>();
    rules.put("named", "val IS NOT NULL");
    rules.put("short", "CHAR_LENGTH(val) < 3");
    PipelineDefinition pipeline = PipelineDefinition.named("expecting");
    pipeline
        .view("upper_case")
        .expectAllOrDrop(rules)
        .from(
            Source.stream("feed"),
            rows ->
                rows.select(
                    Expressions.$("id"),
                    Expressions.$("val").upperCase().as("val"),
                    Expressions.$("seq")));
    pipeline.view("feed").from(feed());
    pipeline
        .streamingTable("kept")
        .expect("first", "seq = 1")
        .expectAllOrFail(Map.of("positive", "id > 0"));
    pipeline
        .autoCdcFlow("changes")
        .into("kept")
        .from(Source.stream("upper_case"))
        .keys("id")
        .sequenceBy("seq")
        .columns("id", "val");
    try (Workbench bench = new Workbench(folder)) {
      bench.write(
          "in/1.json",
          "{\"id\":1,\"val\":\"a\",\"seq\":1}",
          "{\"id\":1,\"val\":\"abc\",\"seq\":2}",
          "{\"id\":2,\"val\":\"b\",\"seq\":3}",
          "{\"id\":-3,\"seq\":1}");
      UpdateResult result = bench.update(pipeline);
      assertThat(result.failures()).isEmpty();
      assertThat(bench.rows("kept"))
          .containsExactlyInAnyOrder(Map.of("id", 1, "val", "A"), Map.of("id", 2, "val", "B"));
      assertThat(result.targets().get(0).flows().get(0).expectations())
          .containsExactly(
              new ExpectationResult("default.upper_case", "named", Action.DROP, 3, 1),
              new ExpectationResult("default.upper_case", "short", Action.DROP, 2, 2),
              new ExpectationResult("default.kept", "first", Action.KEEP, 1, 1),
              new ExpectationResult("default.kept", "positive", Action.FAIL, 2, 0));
      bench.write("in/2.json", "{\"id\":-3,\"val\":\"c\",\"seq\":4}");
      List<Problem> problems = bench.update(pipeline).failures().get("default.kept");
      assertThat(problems).singleElement();
      assertThat(problems.get(0).code()).isEqualTo(ErrorCode.EXPECTATION_VIOLATED);
      assertThat(problems.get(0).toString())
          .startsWith("JavaExpectationsIT.java:")
          .contains(
              "'positive' (id > 0) is violated by 1 row of flow 'changes', among them:\n  {id=-3, val=C, seq=4}");
    }
  }

  @Test
  void a_function_of_snapshots_names_no_view_with_expectations() {
    PipelineDefinition pipeline = PipelineDefinition.named("snapshots");
    pipeline
        .view("seen")
        .expectOrDrop("named", "val IS NOT NULL")
        .from(
            "SELECT id, val FROM read_files('" + folder + "/in', schema => 'id INT, val STRING')");
    pipeline.streamingTable("listed");
    pipeline
        .autoCdcFromSnapshotFlow("list")
        .into("listed")
        .<Integer>fromSnapshots(
            latest ->
                latest.isEmpty()
                    ? Optional.of(Snapshot.of(Source.table("seen"), 1))
                    : Optional.empty())
        .keys("id");
    try (Workbench bench = new Workbench(folder)) {
      bench.write("in/1.json", "{\"id\":1}");
      assertThat(problem(bench, pipeline))
          .startsWith("JavaExpectationsIT.java:")
          .contains("[EXPECTATIONS_NOT_SUPPORTED] a snapshot flow reads default.seen");
    }
  }

  @Test
  void what_is_wrong_is_told_with_the_line_of_the_program() {
    PipelineDefinition twice = PipelineDefinition.named("twice");
    twice.streamingTable("t").expect("c", "id > 0").expectOrDrop("C", "id > 1").from(feed());
    PipelineDefinition unknown = PipelineDefinition.named("unknown");
    unknown.streamingTable("t").expectOrFail("c", "vall = 'x'").from(feed());
    PipelineDefinition broken = PipelineDefinition.named("broken");
    broken.streamingTable("t").expect("c", "(id > 0").from(feed());
    PipelineDefinition empty = PipelineDefinition.named("empty");
    empty.streamingTable("t").expect("c", " ").from(feed());
    try (Workbench bench = new Workbench(folder)) {
      bench.write("in/1.json", "{\"id\":1}");
      assertThat(problem(bench, twice))
          .startsWith("JavaExpectationsIT.java:")
          .contains("[DUPLICATE_NAME] table default.t has another expectation 'C' at Java");
      assertThat(problem(bench, unknown))
          .startsWith("JavaExpectationsIT.java:")
          .contains("[INVALID_QUERY] expectation 'c' of default.t, for flow 't': Column 'vall'")
          .endsWith("Did you mean 'val'?");
      assertThat(problem(bench, broken))
          .startsWith("JavaExpectationsIT.java:")
          .contains("[SYNTAX]");
      assertThat(problem(bench, empty)).startsWith("JavaExpectationsIT.java:").contains("[SYNTAX]");
    }
  }

  private static String problem(Workbench bench, PipelineDefinition pipeline) {
    SluiceException error =
        catchThrowableOfType(SluiceException.class, () -> bench.validate(pipeline));
    assertThat(error.problems()).singleElement();
    return error.problems().get(0).toString();
  }
}
