package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
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
    StreamExecutionEnvironment context = StreamExecutionEnvironment.getExecutionEnvironment();
    return context instanceof LocalStreamEnvironment
        ? new EmbeddedRuntime(parallelism)
        : new ClusterRuntime();
  }

  /** Settings that every bounded job of Sluice has, wherever it runs. */
  static StreamExecutionEnvironment configure(
      StreamExecutionEnvironment environment, int parallelism) {
    Configuration settings = new Configuration();
    settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(PipelineOptions.GENERIC_TYPES, true);
    environment.configure(settings);
    environment.setParallelism(parallelism);
    return environment;
  }
}
