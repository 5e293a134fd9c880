package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import java.util.Map;
import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The cluster whose client started this program. */
final class ClusterRuntime implements FlinkRuntime {

  /**
   * Exchanges are pipelined as in the embedded cluster, unless the cluster's configuration says
   * otherwise: Flink's blocking ones take 512 network buffers for each task that writes to one,
   * which a task manager of the usual size lacks as soon as two jobs run.
   */
  @Override
  public StreamExecutionEnvironment bounded(int parallelism) {
    StreamExecutionEnvironment environment =
        FlinkRuntime.configure(StreamExecutionEnvironment.getExecutionEnvironment(), parallelism);
    if (environment.getConfiguration().getOptional(ExecutionOptions.BATCH_SHUFFLE_MODE).isEmpty()) {
      Configuration settings = new Configuration();
      settings.set(ExecutionOptions.BATCH_SHUFFLE_MODE, BatchShuffleMode.ALL_EXCHANGES_PIPELINED);
      settings.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Default);
      environment.configure(settings);
    }
    return environment;
  }

  @Override
  public StreamExecutionEnvironment unbounded(int parallelism, Map<String, String> settings) {
    return FlinkRuntime.configureUnbounded(
        StreamExecutionEnvironment.getExecutionEnvironment(), parallelism, settings);
  }

  @Override
  public JobOutputs outputs(DataStream<UpdateOutput> outputs) {
    return CollectedOutputs.of(outputs);
  }

  @Override
  public void close() {
    // The cluster belongs to whoever started it.
  }
}
