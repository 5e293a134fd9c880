package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A Flink session cluster of one JobManager and one TaskManager with four slots. */
public final class SessionCluster implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path folder;
  private final int restPort;
  private Program jobManager;
  private Program taskManager;

  /**
   * Starts the cluster and waits until it has its slots.
   *
   * @param folder for configuration, output and log files
   * @param settings lines of its configuration besides those that every cluster here has
   */
  public SessionCluster(Path folder, String... settings) {
    this.folder = folder;
    this.restPort = freePort();
    configure(freePort(), settings);
    startJobManager();
    startTaskManager();
    awaitSlots();
  }

  /** Starts a JobManager; the one before must be gone. */
  public void startJobManager() {
    jobManager =
        start("400m", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint");
  }

  /** Starts a TaskManager; the one before must be gone. */
  public void startTaskManager() {
    taskManager = start("512m", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner");
  }

  /** The process to kill. */
  public Program jobManager() {
    return jobManager;
  }

  /** The process to kill. */
  public Program taskManager() {
    return taskManager;
  }

  private Program start(String heap, String main) {
    return Program.start(folder, environment(), heap, main, "--configDir", folder.toString());
  }

  private void awaitSlots() {
    await("four slots at port " + restPort)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              assertThat(jobManager.runs()).as(jobManager.output()).isTrue();
              assertThat(taskManager.runs()).as(taskManager.output()).isTrue();
              return overview().contains("\"slots-available\":4");
            });
  }

  /** What {@code flink run} does with Sluice's jar and these arguments. */
  public Program submit(Map<String, String> variables, String... arguments) {
    return submit(List.of(), variables, arguments);
  }

  /** The same with options of {@code flink run}, which say all that the client has to know. */
  Program submitRemote(Map<String, String> variables, String... arguments) {
    return submit(
        List.of("--target", "remote", "-Drest.address=localhost", "-Drest.port=" + restPort),
        variables,
        arguments);
  }

  private Program submit(List<String> options, Map<String, String> variables, String... arguments) {
    Map<String, String> environment = new HashMap<>(environment());
    environment.putAll(variables);
    List<String> command = new ArrayList<>(List.of("run"));
    command.addAll(options);
    command.addAll(List.of("-c", "io.sluice.cli.Sluice", Program.jobJar().toString()));
    command.addAll(List.of(arguments));
    return Program.start(
        folder,
        environment,
        "512m",
        "org.apache.flink.client.cli.CliFrontend",
        command.toArray(String[]::new));
  }

  /** The REST answer about the cluster; empty while it does not answer. */
  public String overview() {
    return get("/overview");
  }

  /** The REST answer at a path; empty while the cluster does not answer. */
  public String get(String path) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + restPort + path)).build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Map<String, String> environment() {
    return Map.of("FLINK_CONF_DIR", folder.toString());
  }

  /**
   * Without Flink's scripts nothing derives the memory of a TaskManager, so all parts are given.
   */
  private void configure(int rpcPort, String... settings) {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.addAll(
        List.of(
            "jobmanager.rpc.address: localhost",
            "jobmanager.rpc.port: " + rpcPort,
            "rest.address: localhost",
            "rest.port: " + restPort,
            "taskmanager.host: localhost",
            "taskmanager.numberOfTaskSlots: 4",
            "taskmanager.cpu.cores: 2.0",
            "taskmanager.memory.framework.heap.size: 128m",
            "taskmanager.memory.framework.off-heap.size: 128m",
            "taskmanager.memory.task.heap.size: 384m",
            "taskmanager.memory.task.off-heap.size: 0m",
            "taskmanager.memory.network.min: 128m",
            "taskmanager.memory.network.max: 128m",
            "taskmanager.memory.managed.size: 256m",
            "taskmanager.memory.jvm-metaspace.size: 256m",
            "taskmanager.memory.jvm-overhead.min: 192m",
            "taskmanager.memory.jvm-overhead.max: 192m",
            "parallelism.default: 2"));
    try {
      Files.write(folder.resolve("config.yaml"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    taskManager.close();
    jobManager.close();
  }
}
