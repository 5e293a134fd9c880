package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reporter of metrics, named in the pipeline's settings, sees of a run in this process. */
class ContinuousMetricsIT {

  private static final String SQL =
      """
      SET 'sluice.invalid-events' = 'DROP';
      SET 'execution.checkpointing.interval' = '200 ms';
      SET 'sluice.discovery-interval' = '100 ms';
      CREATE STREAMING TABLE people;
      CREATE FLOW seed AS AUTO CDC ONCE INTO people
      FROM read_files('${dir}/seed', format => 'json', schema => 'id INT, town STRING, n BIGINT')
      KEYS (id) SEQUENCE BY n COLUMNS (id, town);
      CREATE FLOW changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, op STRING, n BIGINT')
      KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (id, town);
      """;

  @Test
  void a_reporter_sees_the_metrics_of_every_target_and_flow(@TempDir Path folder) {
    try (Workbench bench = new Workbench(folder);
        EmbeddedRuntime runtime = new EmbeddedRuntime(1, 2, SeenMetrics.settings())) {
      bench.write("seed/1.json", "{\"id\":1,\"town\":\"Ulm\",\"n\":5}");
      bench.write("feed/1.json", "{\"id\":2,\"town\":\"Ulm\",\"n\":6}");
      try (Keeper keeper =
          new Keeper(
                  bench.connection(),
                  runtime,
                  UpdateOptions.incremental(1),
                  bench.pipeline(SQL, Map.of()))
              .started()) {
        bench.write(
            "feed/2.json",
            "{\"id\":1,\"town\":\"Bonn\",\"n\":3}",
            "{\"id\":2,\"op\":\"D\",\"n\":7}",
            "{\"id\":3,\"town\":\"Bonn\",\"n\":8}",
            "{\"id\":3,\"town\":\"Trier\",\"n\":9}",
            "{\"town\":\"nowhere\",\"n\":9}");
        keeper.hasRead("people", List.of("/2.json"));
        keeper.until(
            "the commit is counted",
            () -> SeenMetrics.values().getOrDefault("commits default.people", 0L) == 1);
        Map<String, Long> seen = SeenMetrics.values();
        assertThat(seen)
            .containsEntry("upserts default.people", 3L)
            .containsEntry("upserts default.people changes", 3L)
            .containsEntry("deletes default.people", 1L)
            .containsEntry("staleIgnored default.people changes", 1L)
            .containsEntry("tombstonesLive default.people", 1L)
            .containsEntry("cutoverViolations default.people changes", 1L)
            .containsEntry("invalid changes", 1L);
        assertThat(seen.get("commitAgeSeconds default.people")).isBetween(0L, 240L);
      }
    }
  }
}
