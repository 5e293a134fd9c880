package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cluster.Program;
import io.sluice.cluster.SessionCluster;
import io.sluice.cluster.ZooKeeperServer;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A continuous run on a session cluster of processes with high availability, submitted as the
 * documentation says, and every process of it killed by the operating system in turn. A failure
 * names its seed: run it again with {@code -Dsluice.test.seed=<seed>}.
 */
class ClusterDeathIT {

  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private final long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
  private final TownFeed feed = new TownFeed(seed, 12);
  private Workbench bench;
  private ZooKeeperServer zooKeeper;
  private SessionCluster cluster;
  private int files;

  /** One cluster for all of it: starting one costs more than each death. */
  @Test
  void whichever_process_of_a_cluster_dies_every_change_is_applied_once() {
    try (Workbench opened = new Workbench(folder);
        ZooKeeperServer server = new ZooKeeperServer(folder.resolve("zookeeper"));
        SessionCluster started = new SessionCluster(folder, settings(server))) {
      bench = opened;
      zooKeeper = server;
      cluster = started;
      bench.write("towns.sql", Towns.SQL);
      land();
      String orphan = loseClient();
      land();
      try (Program client = submit("--take-over")) {
        String job = awaitJob(client, orphan);
        until(client, "the end of the job without a client", () -> !isRunning(orphan));
        assertThat(get("/jobs/" + job + "/metrics?get=numRestarts").path(0).path("value").asInt())
            .as("restarts of a job on a TaskManager that has run others")
            .isZero();
        loseJobManager(client, job);
        loseTaskManager(client, job);
        loseCheckpoints(client, job);
        client.terminate();
        assertThat(client.exitCode()).as(client.output()).isZero();
      }
      assertThat(folder.resolve("savepoints")).isEmptyDirectory();
      Towns.assertHolds(bench, feed);
    }
  }

  /** A client that is gone takes its job along, after a while; gives the job. */
  private String loseClient() {
    try (Program client =
        submit(
            "--set",
            "client.heartbeat.timeout=4 s",
            "--set",
            "client.heartbeat.interval=1 s",
            "--set",
            "rest.retry.max-attempts=2")) {
      String job = awaitJob(client, "");
      until(client, "the first changes", this::isEverythingRead);
      client.kill();
      return job;
    }
  }

  /** A JobManager finds its job and the job's last checkpoint again. */
  private void loseJobManager(Program client, String job) {
    cluster.jobManager().kill();
    land();
    cluster.startJobManager();
    until(client, "changes behind a recovery", this::isEverythingRead);
    assertThat(isRunning(job)).as("job %s of %s", job, client.output()).isTrue();
    assertThat(checkpoints(job).path("latest").path("restored").path("id").asLong())
        .as("the checkpoint that job %s has gone on from", job)
        .isPositive();
  }

  /** A job waits for slots and goes on from its last checkpoint. */
  private void loseTaskManager(Program client, String job) {
    cluster.taskManager().kill();
    land();
    cluster.startTaskManager();
    until(client, "changes behind a new TaskManager", this::isEverythingRead);
    assertThat(isRunning(job)).as("job %s of %s", job, client.output()).isTrue();
  }

  /** The same job without state, whose checkpoints count from 1 again. */
  private void loseCheckpoints(Program client, String job) {
    cluster.jobManager().kill();
    zooKeeper.remove("/flink/default/jobs/" + job + "/checkpoints");
    zooKeeper.remove("/flink/default/jobs/" + job + "/checkpoint_id_counter");
    land();
    cluster.startJobManager();
    until(client, "changes behind a loss of all checkpoints", this::isEverythingRead);
    assertThat(client.output())
        .containsOnlyOnce("the run begins anew from the tables")
        .contains("the job has no checkpoint, and the table has number");
    awaitJob(client, job);
    assertThat(isRunning(job)).as("job %s of %s", job, client.output()).isFalse();
  }

  private String[] settings(ZooKeeperServer server) {
    List<String> settings = new ArrayList<>(List.of(server.settings(folder.resolve("ha"))));
    settings.add("$internal.dispatcher.client-aliveness-check.interval: 1 s");
    settings.add("rest.retry.delay: 500 ms");
    settings.add("rest.retry.max-attempts: 200");
    settings.add("heartbeat.interval: 1 s");
    settings.add("heartbeat.timeout: 5 s");
    settings.add("execution.checkpointing.dir: " + folder.resolve("checkpoints").toUri());
    settings.add("execution.checkpointing.savepoint-dir: " + folder.resolve("savepoints").toUri());
    return settings.toArray(String[]::new);
  }

  private Program submit(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "--continuous",
                folder.resolve("towns.sql").toString(),
                "--set",
                "dir=" + folder,
                "--set",
                "execution.checkpointing.interval=500 ms",
                "--set",
                "sluice.discovery-interval=100 ms",
                "--set",
                "sluice.reorder-window=50 ms"));
    arguments.addAll(List.of(more));
    return cluster.submit(
        Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString()),
        arguments.toArray(String[]::new));
  }

  private void land() {
    bench.write("feed/" + ++files + ".json", feed.lines(20));
  }

  /** Waits until the run has a job that takes checkpoints, other than one; gives its id. */
  private String awaitJob(Program client, String other) {
    AtomicReference<String> found = new AtomicReference<>();
    until(
        client,
        "a job that takes checkpoints",
        () -> {
          runningJobs().stream()
              .filter(job -> !job.equals(other))
              .filter(job -> checkpoints(job).path("counts").path("completed").asLong() > 0)
              .forEach(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  private boolean isRunning(String job) {
    return runningJobs().contains(job);
  }

  private List<String> runningJobs() {
    List<String> jobs = new ArrayList<>();
    for (JsonNode job : get("/jobs/overview").path("jobs")) {
      if (job.path("name").asText().startsWith("continuous")
          && job.path("state").asText().equals("RUNNING")) {
        jobs.add(job.path("jid").asText());
      }
    }
    return jobs;
  }

  private JsonNode checkpoints(String job) {
    return get("/jobs/" + job + "/checkpoints");
  }

  private JsonNode get(String path) {
    try {
      return JSON.readTree(cluster.get(path));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isEverythingRead() {
    return Towns.texts(bench, "bronze", "id", "town", "n").equals(feed.everything())
        && Towns.texts(bench, "current_towns", "id", "town").equals(feed.current())
        && Towns.texts(bench, "town_history", "id", "town", "__START_AT", "__END_AT")
            .equals(feed.history());
  }

  private void until(Program client, String what, BooleanSupplier condition) {
    Awaitility.await("seed " + seed + ": " + what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .failFast(() -> assertThat(client.runs()).as("seed %d: %s", seed, client.output()).isTrue())
        .until(condition::getAsBoolean);
  }
}
