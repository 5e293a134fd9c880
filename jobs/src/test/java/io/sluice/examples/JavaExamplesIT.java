package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import examples.MembersPipeline;
import examples.ReadingsPipeline;
import examples.RegistrationsPipeline;
import io.sluice.api.PipelineDefinition;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in Java, on their data. */
class JavaExamplesIT {

  private static UpdateResult run(Workbench bench, PipelineDefinition pipeline) {
    UpdateResult result = bench.update(pipeline);
    assertThat(result.failures()).isEmpty();
    return result;
  }

  private static Map<String, Long> read(UpdateResult result) {
    return result.targets().stream()
        .flatMap(target -> target.flows().stream())
        .collect(Collectors.toMap(FlowResult::flow, FlowResult::rowsRead));
  }

  @Test
  void registrations_of_earlier_years_are_filled_in_by_a_flow_for_each_year(@TempDir Path folder) {
    Path landing = folder.resolve("landing");
    ExampleFolder.named("registrations").script("prepare", landing.toString());
    try (Workbench bench = new Workbench(folder)) {
      PipelineDefinition first = RegistrationsPipeline.first(landing.toString(), 2025);
      assertThat(read(run(bench, first))).isEqualTo(Map.of("java_registrations_raw", 29L));

      PipelineDefinition all =
          RegistrationsPipeline.withBackfill(landing.toString(), 2025, List.of(2024, 2023, 2022));
      assertThat(read(run(bench, all)))
          .isEqualTo(
              Map.of(
                  "registrations_incremental", 0L,
                  "registrations_backfill_2022", 30L,
                  "registrations_backfill_2023", 35L,
                  "registrations_backfill_2024", 29L));
      assertThat(read(run(bench, all)).values()).containsOnly(0L);
      assertThat(bench.rows("java_registrations_raw"))
          .hasSize(123)
          .extracting(row -> row.get("registration_id"))
          .doesNotHaveDuplicates();

      run(bench, RegistrationsPipeline.guardedByExpression(landing.toString(), 2025));
      assertThat(bench.rows("java_registrations_guarded"))
          .hasSize(29)
          .allSatisfy(row -> assertThat(row.get("year")).isEqualTo(2025L));
    }
  }

  private static String member(int id, String name, String town, String operation, String at) {
    return "{\"member_id\":%d,\"name\":\"%s\",\"town\":\"%s\",\"operation\":\"%s\",\"at\":\"%s\"}"
        .formatted(id, name, town, operation, at);
  }

  @Test
  void a_list_is_applied_once_between_older_and_newer_changes(@TempDir Path folder) {
    try (Workbench bench = new Workbench(folder)) {
      bench.write(
          "list/1.json",
          "{\"member_id\":1,\"name\":\"Ana\",\"town\":\"list\"}",
          "{\"member_id\":2,\"name\":\"Bo\",\"town\":\"list\"}",
          "{\"member_id\":3,\"name\":\"Cy\",\"town\":\"list\"}");
      bench.update(
          """
          SET 'sluice.pipeline' = 'older program';
          CREATE STREAMING TABLE members_of_the_older_program AS
          SELECT * FROM read_files('${dir}/list', format => 'json',
            schema => 'member_id INT, name STRING, town STRING');
          """);
      String feed = folder.resolve("feed").toString();
      bench.write(
          "feed/1.json",
          member(1, "Ana", "old", "UPDATE", "2024-11-05 10:00:00"),
          member(2, "Bo", "new", "UPDATE", "2025-02-01 09:00:00"),
          member(4, "Di", "gone", "UPDATE", "2024-12-31 23:59:59"),
          member(5, "Ed", "new", "INSERT", "2025-01-01 00:00:01"));
      run(bench, MembersPipeline.changesOnly(feed));
      assertThat(bench.texts("java_members"))
          .containsExactly("1 Ana old", "2 Bo new", "4 Di gone", "5 Ed new");

      bench.write("feed/2.json", member(3, "Cy", "new", "UPDATE", "2025-03-01 08:00:00"));
      run(bench, MembersPipeline.withList(feed));
      List<String> expected = List.of("1 Ana list", "2 Bo new", "3 Cy new", "5 Ed new");
      assertThat(bench.texts("java_members")).isEqualTo(expected);

      // Applied once; changes go on, and one of before the list says nothing any more.
      bench.write(
          "feed/3.json",
          member(4, "Di", "late", "UPDATE", "2024-12-31 23:59:58"),
          member(1, "Ana", "newer", "UPDATE", "2025-04-01 08:00:00"));
      run(bench, MembersPipeline.withList(feed));
      assertThat(bench.texts("java_members"))
          .containsExactly("1 Ana newer", "2 Bo new", "3 Cy new", "5 Ed new");
    }
  }

  @Test
  void flows_of_java_and_of_sql_keep_one_table(@TempDir Path folder) {
    try (Workbench bench = new Workbench(folder)) {
      bench.write("readings/lines/1.json", "{\"line\":\"m1;5;10\"}", "{\"line\":\"m2;7;10\"}");
      bench.write(
          "readings/office/1.json",
          "{\"meter\":\"m1\",\"reading\":6,\"at\":12}",
          "{\"meter\":\"m3\",\"reading\":1,\"at\":3}");
      PipelineDefinition pipeline = ReadingsPipeline.define(folder.resolve("readings").toString());
      run(bench, pipeline);
      bench.write("readings/lines/2.json", "{\"line\":\"m1;9;11\"}");
      assertThat(read(run(bench, pipeline)))
          .isEqualTo(Map.of("meters_of_the_office", 0L, "meters_of_the_lines", 1L));
      assertThat(bench.texts("java_meters"))
          .containsExactly(
              "m1 5 10 10 11",
              "m1 6 12 12 null",
              "m1 9 11 11 12",
              "m2 7 10 10 null",
              "m3 1 3 3 null");
    }
  }
}
