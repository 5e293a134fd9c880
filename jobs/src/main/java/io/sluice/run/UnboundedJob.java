package io.sluice.run;

import io.sluice.pipeline.Pipeline;
import io.sluice.plan.ResolvedTarget;
import io.sluice.sequencing.UpdateCounters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the job of a continuous run until it fails or is to stop. */
final class UnboundedJob {

  private static final long LOOK_MS = 500;

  private UnboundedJob() {}

  /**
   * Runs the job.
   *
   * @param stop whether the job is to end; it then ends with a savepoint that is committed
   * @throws io.sluice.errors.SluiceException if the job fails, with the cause in the user's words
   */
  static void run(
      StreamExecutionEnvironment environment,
      Pipeline pipeline,
      List<ResolvedTarget> targets,
      ProgressListener listener,
      BooleanSupplier stop) {
    String name = "continuous run of " + pipeline.name();
    try {
      JobClient client = environment.executeAsync(name);
      CompletableFuture<?> result = client.getJobExecutionResult();
      while (!isDone(result)) {
        client.getAccumulators().thenAccept(found -> progress(found, targets, listener));
        if (stop.getAsBoolean()) {
          stop(environment, client);
          result.get();
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

  private static boolean isDone(CompletableFuture<?> result) throws InterruptedException {
    try {
      result.get(LOOK_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (java.util.concurrent.ExecutionException e) {
      return true;
    }
  }

  private static void stop(StreamExecutionEnvironment environment, JobClient client)
      throws Exception {
    String folder =
        environment
            .getConfiguration()
            .getOptional(CheckpointingOptions.SAVEPOINT_DIRECTORY)
            .orElse(null);
    Path own = folder == null ? Files.createTempDirectory("sluice-savepoint") : null;
    client
        .stopWithSavepoint(
            false, folder == null ? own.toUri().toString() : folder, SavepointFormatType.NATIVE)
        .get();
    if (own != null) {
      org.apache.flink.util.FileUtils.deleteDirectoryQuietly(own.toFile());
    }
  }

  private static void progress(
      Map<String, Object> counters, List<ResolvedTarget> targets, ProgressListener listener) {
    for (ResolvedTarget target : targets) {
      long read =
          target.flows().stream()
              .map(flow -> counters.get(UpdateCounters.eventsOf(flow.flow().order())))
              .filter(Number.class::isInstance)
              .mapToLong(count -> ((Number) count).longValue())
              .sum();
      listener.progress(target.table().name().toString(), read, 0);
    }
  }
}
