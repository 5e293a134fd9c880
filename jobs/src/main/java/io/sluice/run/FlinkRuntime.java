package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Where Flink jobs run: on one embedded cluster that starts once per process, or on the cluster
 * whose client started this program.
 */
public interface FlinkRuntime extends AutoCloseable {

  /** A new environment for one bounded job with the given parallelism. */
  StreamExecutionEnvironment bounded(int parallelism);

  /**
   * A new environment for one unbounded job.
   *
   * @param settings Flink's settings of the pipeline
   */
  StreamExecutionEnvironment unbounded(int parallelism, Map<String, String> settings);

  /** Completes a job of this runtime so that its outputs reach this process. */
  JobOutputs outputs(DataStream<UpdateOutput> outputs);

  @Override
  void close();

  /**
   * The parallelism where the user names none: that of the cluster whose client started this
   * program ({@code parallelism.default}, {@code flink run -p}), else the number of processors.
   */
  static int defaultParallelism() {
    StreamExecutionEnvironment context = StreamExecutionEnvironment.getExecutionEnvironment();
    return context instanceof LocalStreamEnvironment
        ? Runtime.getRuntime().availableProcessors()
        : context.getParallelism();
  }

  /**
   * The runtime of this process: the Flink client's cluster if there is one (program started by
   * {@code flink run} or in application mode), else an embedded cluster.
   */
  static FlinkRuntime ofThisProcess(int parallelism) {
    return ofThisProcess(parallelism, 0, Map.of());
  }

  /**
   * The same for a continuous run.
   *
   * @param flows how many flows it has
   * @param settings of its pipeline
   */
  static FlinkRuntime ofThisProcess(int parallelism, int flows, Map<String, String> settings) {
    StreamExecutionEnvironment context = StreamExecutionEnvironment.getExecutionEnvironment();
    return context instanceof LocalStreamEnvironment
        ? new EmbeddedRuntime(parallelism, flows, settings)
        : new ClusterRuntime();
  }

  /** Settings that every continuous job has, below and above those of its pipeline. */
  static StreamExecutionEnvironment configureUnbounded(
      StreamExecutionEnvironment environment, int parallelism, Map<String, String> settings) {
    Configuration all = new Configuration();
    all.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(5));
    all.set(PipelineOptions.MAX_PARALLELISM, 128);
    all.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    all.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        Duration.ofMillis(500));
    all.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(30));
    all.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, 5);
    settings.forEach(
        (key, value) -> {
          if (!key.startsWith("sluice.")) {
            all.setString(key, value);
          }
        });
    all.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    all.set(PipelineOptions.OBJECT_REUSE, true);
    all.set(PipelineOptions.GENERIC_TYPES, true);
    // What was read before a barrier must be applied before it: nothing may overtake.
    all.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
    all.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    environment.configure(all);
    environment.setParallelism(parallelism);
    return environment;
  }

  /** Settings that every bounded job of Sluice has, wherever it runs. */
  static StreamExecutionEnvironment configure(
      StreamExecutionEnvironment environment, int parallelism) {
    Configuration settings = new Configuration();
    // A bounded job has no state that another one could find by them.
    settings.set(PipelineOptions.AUTO_GENERATE_UIDS, true);
    settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(PipelineOptions.GENERIC_TYPES, true);
    environment.configure(settings);
    environment.setParallelism(parallelism);
    return environment;
  }
}
