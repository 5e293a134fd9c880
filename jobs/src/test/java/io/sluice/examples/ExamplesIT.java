package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesIT {

  private static final String DAY_OF_NOVEMBER = "year=2025/month=11/day=01";

  private static List<List<Object>> rows(Workbench bench, String table) {
    return bench.rows(table).stream()
        .map(row -> (List<Object>) new ArrayList<>(row.values()))
        .toList();
  }

  private static Map<String, Long> read(UpdateResult result) {
    return result.targets().stream()
        .flatMap(target -> target.flows().stream())
        .collect(Collectors.toMap(FlowResult::flow, FlowResult::rowsRead));
  }

  @Test
  void customers_hold_after_each_part_what_the_whole_feed_so_far_says(@TempDir Path folder) {
    ExampleFolder example = ExampleFolder.named("customers");
    Path landing = folder.resolve("landing");
    List<String> feed = new ArrayList<>();
    try (Workbench bench = new Workbench(folder)) {
      for (String part : List.of("first", "second")) {
        example.copyAll("feed/" + part, landing);
        feed.addAll(example.lines("feed/" + part));
        example.update(bench, "pipeline.sql", Map.of("landing", landing.toString()));

        CustomerChanges changes = CustomerChanges.of(feed);
        assertThat(rows(bench, "customers")).containsExactlyInAnyOrderElementsOf(changes.current());
        assertThat(rows(bench, "customers_history"))
            .containsExactlyInAnyOrderElementsOf(changes.history());
      }
    }
  }

  @Test
  void registrations_of_every_year_are_ingested_once_with_and_without_backfill(
      @TempDir Path folder) {
    ExampleFolder example = ExampleFolder.named("registrations");
    Path landing = folder.resolve("landing");
    Map<String, String> variables = Map.of("landing", landing.toString());
    example.script("prepare", landing.toString());
    try (Workbench bench = new Workbench(folder)) {
      example.update(bench, "pipeline-first.sql", variables);
      assertThat(registrationsByYear(bench)).isEqualTo(Map.of(2025L, 29L));

      example.copy(
          "feed/" + DAY_OF_NOVEMBER, landing.resolve(DAY_OF_NOVEMBER), "registrations.json");
      UpdateResult second = example.update(bench, "pipeline.sql", variables);
      assertThat(read(second))
          .isEqualTo(
              Map.of(
                  "registrations_incremental", 3L,
                  "registrations_backfill_2022", 30L,
                  "registrations_backfill_2023", 35L,
                  "registrations_backfill_2024", 29L));
      assertThat(registrationsByYear(bench))
          .isEqualTo(Map.of(2022L, 30L, 2023L, 35L, 2024L, 29L, 2025L, 32L));

      UpdateResult third = example.update(bench, "pipeline.sql", variables);
      assertThat(read(third).values()).containsOnly(0L);
      assertThat(bench.rows("registrations_raw"))
          .hasSize(126)
          .extracting(row -> row.get("registration_id"))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void a_column_of_later_years_is_null_in_the_rows_of_earlier_ones(@TempDir Path folder) {
    ExampleFolder example = ExampleFolder.named("registrations");
    Path landing = folder.resolve("landing");
    Map<String, String> variables = Map.of("landing", landing.toString());
    example.script("prepare", landing.toString());
    try (Workbench bench = new Workbench(folder)) {
      example.update(bench, "pipeline.sql", variables);

      assertThat(bench.rows("registrations_raw"))
          .hasSize(123)
          .allSatisfy(
              row ->
                  assertThat(row.get("channel") == null).isEqualTo((long) row.get("year") < 2024));
      assertThat(bench.rows("registrations_raw"))
          .filteredOn(row -> row.get("registration_id").equals(1095L))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row).containsEntry("event", "Choir Night");
                assertThat(row).containsEntry("channel", "web");
                assertThat(row).containsEntry("year", 2025L);
                assertThat(row).containsEntry("month", 1L);
                assertThat(row).containsEntry("day", 5L);
                assertThat(row)
                    .containsEntry("timestamp", OffsetDateTime.parse("2025-01-05T08:02:00Z"));
              });
    }
  }

  @Test
  void the_legacy_history_goes_on_with_changes_and_takes_a_late_one(@TempDir Path folder) {
    ExampleFolder example = ExampleFolder.named("migration");
    Path changes = folder.resolve("changes");
    Map<String, String> variables =
        Map.of(
            "legacy", example.path().resolve("legacy").toString(), "changes", changes.toString());
    try (Workbench bench = new Workbench(folder)) {
      example.update(bench, "legacy.sql", variables);
      example.copy("changes", changes, "changes-01.json");
      example.update(bench, "pipeline.sql", variables);

      List<List<Object>> untouched =
          List.of(
              row(1, "Ada Arnold", "Bergen", "basic", "2023-02-01T00:00Z", "2023-09-15T00:00Z"),
              row(1, "Ada Arnold", "Lyon", "basic", "2023-09-15T00:00Z", "2024-06-01T00:00Z"),
              row(2, "Bruno Bakker", "Gent", "silver", "2023-03-10T00:00Z", "2025-01-20T10:00Z"),
              row(2, "Bruno Bakker", "Coimbra", "silver", "2025-01-20T10:00Z", null),
              row(3, "Chloe Costa", "Turku", "basic", "2023-04-20T00:00Z", "2024-01-05T00:00Z"),
              row(3, "Chloe Costa", "Osaka", "silver", "2025-01-22T08:30Z", null),
              row(4, "Dmitri Ek", "Krakow", "gold", "2023-05-02T00:00Z", "2024-03-31T00:00Z"),
              row(5, "Elif Ito", "Dresden", "basic", "2024-02-14T00:00Z", "2025-02-03T16:45Z"),
              row(6, "Farid Hansen", "Bergen", "basic", "2025-02-10T09:00Z", null));
      assertThat(rows(bench, "migrated_customers_history"))
          .containsExactlyInAnyOrderElementsOf(
              with(
                  untouched,
                  row(1, "Ada Arnold", "Lyon", "gold", "2024-06-01T00:00Z", null),
                  row(
                      3,
                      "Chloe Costa",
                      "Osaka",
                      "basic",
                      "2024-01-05T00:00Z",
                      "2025-01-22T08:30Z")));

      example.copy("changes", changes, "changes-02.json");
      UpdateResult second = example.update(bench, "pipeline.sql", variables);

      assertThat(read(second)).isEqualTo(Map.of("migration_seed", 0L, "migration_changes", 2L));
      assertThat(rows(bench, "migrated_customers_history"))
          .containsExactlyInAnyOrderElementsOf(
              with(
                  untouched,
                  row(1, "Ada Arnold", "Lyon", "gold", "2024-06-01T00:00Z", "2025-03-01T12:00Z"),
                  row(1, "Ada Arnold", "Turku", "gold", "2025-03-01T12:00Z", null),
                  row(3, "Chloe Costa", "Osaka", "basic", "2024-01-05T00:00Z", "2024-11-11T11:00Z"),
                  row(
                      3,
                      "Chloe Costa",
                      "Gent",
                      "basic",
                      "2024-11-11T11:00Z",
                      "2025-01-22T08:30Z")));
    }
  }

  private static Map<Long, Long> registrationsByYear(Workbench bench) {
    return bench.rows("registrations_raw").stream()
        .collect(Collectors.groupingBy(row -> (Long) row.get("year"), Collectors.counting()));
  }

  private static List<Object> row(
      int id, String name, String city, String tier, String since, String until) {
    List<Object> row = new ArrayList<>(List.of(id, name, city, tier, OffsetDateTime.parse(since)));
    row.add(until == null ? null : OffsetDateTime.parse(until));
    return row;
  }

  @SafeVarargs
  private static List<List<Object>> with(List<List<Object>> rows, List<Object>... more) {
    return Stream.concat(rows.stream(), Stream.of(more)).toList();
  }
}
