package io.sluice.run;

import io.sluice.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the job of a continuous run until it fails or is to stop. */
final class UnboundedJob {

  private static final Logger LOG = LoggerFactory.getLogger(UnboundedJob.class);
  private static final long LOOK_MS = 200;
  private static final int STOP_ATTEMPTS = 60;

  private UnboundedJob() {}

  /**
   * Runs the job.
   *
   * @param counters is told how far the counters of all tasks are
   * @param stop whether the job is to end; it then ends with a savepoint that is committed
   * @param stopped done when it is to end, so that this is seen at once
   * @throws io.sluice.errors.SluiceException if the job fails, with the cause in the user's words
   */
  static void run(
      StreamExecutionEnvironment environment,
      Pipeline pipeline,
      Consumer<Map<String, Object>> counters,
      BooleanSupplier stop,
      CompletableFuture<?> stopped) {
    String name = "continuous run of " + pipeline.name();
    try (ClientHeartbeat heartbeat = new ClientHeartbeat(environment)) {
      JobClient client = environment.executeAsync(name);
      heartbeat.start(client);
      CompletableFuture<?> result = client.getJobExecutionResult();
      CompletableFuture<?> ended = CompletableFuture.anyOf(result, stopped);
      while (!isDone(ended) || !result.isDone()) {
        client.getAccumulators().thenAccept(counters);
        if (stop.getAsBoolean()) {
          stop(environment, client, result);
          awaitEnd(result);
          return;
        }
      }
      result.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobFailures.translate(name, e);
    } catch (Exception e) {
      throw JobFailures.translate(name, e);
    }
  }

  /** A job that was cancelled to stop has ended as it should. */
  private static void awaitEnd(CompletableFuture<?> result) throws Exception {
    try {
      result.get();
    } catch (ExecutionException e) {
      if (ExceptionUtils.findThrowable(e, JobCancellationException.class).isEmpty()) {
        throw e;
      }
    }
  }

  private static boolean isDone(CompletableFuture<?> result) throws InterruptedException {
    try {
      result.get(LOOK_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /**
   * Ends the job behind a last checkpoint; one that is just starting cannot make one yet. The
   * savepoint that Flink makes of it is removed: no run goes on from one.
   */
  private static void stop(
      StreamExecutionEnvironment environment, JobClient client, CompletableFuture<?> result)
      throws Exception {
    ReadableConfig settings = environment.getConfiguration();
    Optional<String> folder =
        settings
            .getOptional(CheckpointingOptions.SAVEPOINT_DIRECTORY)
            .or(() -> settings.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY));
    Path own = folder.isPresent() ? null : Files.createTempDirectory("sluice-savepoint");
    String savepoints = folder.orElseGet(() -> own.toUri().toString());
    try {
      for (int attempt = 1; attempt <= STOP_ATTEMPTS; attempt++) {
        try {
          remove(client.stopWithSavepoint(false, savepoints, SavepointFormatType.NATIVE).get());
          return;
        } catch (ExecutionException e) {
          LOG.info("The job cannot stop yet", e);
          if (isDone(result)) {
            return;
          }
        }
      }
      // What is not committed is read again by the next run.
      client.cancel().get();
    } finally {
      if (own != null) {
        FileUtils.deleteDirectoryQuietly(own.toFile());
      }
    }
  }

  private static void remove(String savepoint) {
    org.apache.flink.core.fs.Path path = new org.apache.flink.core.fs.Path(savepoint);
    try {
      path.getFileSystem().delete(path, true);
    } catch (IOException e) {
      LOG.warn("The savepoint {} stays, nobody needs it", savepoint, e);
    }
  }
}
