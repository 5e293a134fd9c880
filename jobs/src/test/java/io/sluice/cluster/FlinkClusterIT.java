package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkClusterIT {

  private static final String PIPELINE =
      """
      CREATE TEMPORARY VIEW changes AS
      SELECT * FROM STREAM read_files(
        '${landing}/*.json',
        format => 'json',
        schema => 'id INT, town STRING, at INT, gone BOOLEAN');

      CREATE STREAMING TABLE towns;
      CREATE FLOW towns_now AS AUTO CDC INTO towns FROM STREAM(changes)
      KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY at COLUMNS * EXCEPT (at, gone);

      CREATE STREAMING TABLE towns_history;
      CREATE FLOW towns_periods AS AUTO CDC INTO towns_history FROM STREAM(changes)
      KEYS (id) APPLY AS DELETE WHEN gone SEQUENCE BY at COLUMNS * EXCEPT (at, gone)
      STORED AS SCD TYPE 2;
      """;

  private static final Pattern JOB = Pattern.compile("\"jid\"");

  @TempDir Path folder;

  /** One cluster for all of it: starting one costs more than the updates. */
  @Test
  void theJarRunsUpdatesOnAClusterAndTheClientsExitCodeSaysHowTheyEnded() {
    try (Workbench bench = new Workbench(folder);
        SessionCluster cluster = new SessionCluster(folder)) {
      Path pipeline = bench.write("towns.sql", PIPELINE);
      Map<String, String> variables =
          Map.of(
              "SLUICE_WAREHOUSE", folder.resolve("warehouse").toString(),
              "landing", folder.resolve("landing").toString());

      bench.write(
          "landing/1.json",
          "{\"id\":1,\"town\":\"Gent\",\"at\":1}",
          "{\"id\":2,\"town\":\"Lyon\",\"at\":1}",
          "{\"id\":1,\"town\":\"Turku\",\"at\":5}");
      Program first = cluster.submit(variables, "run", pipeline.toString());
      assertThat(first.exitCode()).as(first.output()).isZero();
      assertThat(first.output()).contains("towns_now", "towns_periods").doesNotContain("Exception");

      bench.write(
          "landing/2.json",
          "{\"id\":1,\"town\":\"Osaka\",\"at\":3}",
          "{\"id\":2,\"at\":4,\"gone\":true}");
      bench.write("remote/config.yaml", "rest.address: nowhere");
      Program second =
          cluster.submitRemote(
              with(variables, folder.resolve("remote")), "run", pipeline.toString());
      assertThat(second.exitCode()).as(second.output()).isZero();
      assertThat(bench.rows("towns")).containsExactly(Map.of("id", 1, "town", "Turku"));
      assertThat(bench.rows("towns_history"))
          .extracting(row -> List.of(row.get("id"), row.get("town"), row.get("__START_AT")))
          .containsExactlyInAnyOrder(
              List.of(1, "Gent", 1), List.of(1, "Osaka", 3),
              List.of(1, "Turku", 5), List.of(2, "Lyon", 1));

      long snapshot = bench.table("towns").currentSnapshot().snapshotId();
      bench.write("landing/3.json", "{\"id\":null,\"town\":\"Bergen\",\"at\":6}");
      Program failing = cluster.submit(variables, "run", pipeline.toString());
      assertThat(failing.exitCode()).as(failing.output()).isNotZero();
      assertThat(failing.output()).contains("[INVALID_EVENT]");
      assertThat(bench.table("towns").currentSnapshot().snapshotId()).isEqualTo(snapshot);

      Program wrong = cluster.submit(variables, "validate", "no-such-file.sql");
      assertThat(wrong.exitCode()).as(wrong.output()).isNotZero();
      assertThat(wrong.output()).contains("[INVALID_CALL]");

      bench.write(
          "one-job/config.yaml", "$internal.pipeline.job-id: 0000000000000000000000000000000a");
      Program oneJob =
          cluster.submitRemote(
              with(variables, folder.resolve("one-job")), "run", pipeline.toString());
      assertThat(oneJob.exitCode()).as(oneJob.output()).isNotZero();
      assertThat(oneJob.output()).contains("[INVALID_CALL]", "0000000000000000000000000000000a");
      assertThat(bench.table("towns").currentSnapshot().snapshotId()).isEqualTo(snapshot);

      assertThat(JOB.matcher(cluster.get("/jobs/overview")).results().count())
          .as("jobs that the cluster has run")
          .isEqualTo(6);
      awaitClassesUnloaded("task manager", cluster.taskManager());
      awaitClassesUnloaded("job manager", cluster.jobManager());

      assertThat(cluster.overview())
          .as("the cluster outlives its jobs")
          .contains("\"slots-total\":4");
    }
  }

  /** The JDK itself holds on to the last job that has used some of its methods. */
  private static void awaitClassesUnloaded(String what, Program process) {
    await("classes of ended jobs are unloaded in the " + what)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertThat(JobClassLoaders.count(process.pid())).isLessThan(3));
  }

  /** A client with a configuration of its own. */
  private static Map<String, String> with(Map<String, String> variables, Path configuration) {
    Map<String, String> all = new HashMap<>(variables);
    all.put("FLINK_CONF_DIR", configuration.toString());
    return all;
  }
}
