package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Runs one bounded job and collects what its tasks hand over. */
final class JobRunner {

  private static final long PROGRESS_MS = 500;

  private JobRunner() {}

  /**
   * What a job did.
   *
   * @param outputs what its tasks handed over
   * @param counters its accumulators that count
   */
  record Outcome(List<UpdateOutput> outputs, Map<String, Long> counters) {}

  /**
   * Runs the job to its end.
   *
   * @param runtime where it runs
   * @param progress is told the counters now and then while the job runs
   * @param abandoned is given what tasks handed over before the job failed
   * @throws io.sluice.errors.SluiceException if the job fails, with the cause in the user's words
   */
  static Outcome run(
      FlinkRuntime runtime,
      DataStream<UpdateOutput> outputs,
      String name,
      Consumer<Map<String, Long>> progress,
      Consumer<List<UpdateOutput>> abandoned) {
    List<UpdateOutput> collected = new ArrayList<>();
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "sluice-progress");
              thread.setDaemon(true);
              return thread;
            });
    try (JobOutputs handed = runtime.outputs(outputs)) {
      JobClient client = outputs.getExecutionEnvironment().executeAsync(name);
      timer.scheduleWithFixedDelay(
          () -> client.getAccumulators().thenAccept(found -> progress.accept(counters(found))),
          PROGRESS_MS,
          PROGRESS_MS,
          TimeUnit.MILLISECONDS);
      handed.await(client, collected);
      Map<String, Long> counters =
          counters(client.getJobExecutionResult().get().getAllAccumulatorResults());
      progress.accept(counters);
      return new Outcome(collected, counters);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobFailures.translate(name, e);
    } catch (Exception e) {
      abandoned.accept(collected);
      throw JobFailures.translate(name, e);
    } finally {
      timer.shutdownNow();
    }
  }

  private static Map<String, Long> counters(Map<String, Object> accumulators) {
    Map<String, Long> counters = new HashMap<>();
    accumulators.forEach(
        (name, value) -> {
          if (value instanceof Number number) {
            counters.put(name, number.longValue());
          }
        });
    return counters;
  }
}
