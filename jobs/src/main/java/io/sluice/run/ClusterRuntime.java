package io.sluice.run;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.UpdateOutput;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.PipelineOptionsInternal;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The cluster whose client started this program. */
final class ClusterRuntime implements FlinkRuntime {

  /**
   * @throws SluiceException INVALID_CALL where all jobs of the program get one id: Flink takes the
   *     second one for the first, says that it has ended and never runs it
   */
  ClusterRuntime() {
    Optional<String> id =
        StreamExecutionEnvironment.getExecutionEnvironment()
            .getConfiguration()
            .getOptional(PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID);
    if (id.isPresent()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "Flink is told to give every job of this program the id "
              + id.get()
              + ", and Sluice runs several jobs",
          "Submit it to a session cluster with flink run; application mode with high availability"
              + " or a job id is for programs of one job");
    }
  }

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

  /**
   * The client keeps the run: it begins anew, and listens to wishes to stop. A job that has lost it
   * is cancelled by the cluster after {@code client.heartbeat.timeout}.
   */
  @Override
  public StreamExecutionEnvironment unbounded(int parallelism, Map<String, String> settings) {
    StreamExecutionEnvironment environment =
        FlinkRuntime.configureUnbounded(
            StreamExecutionEnvironment.getExecutionEnvironment(), parallelism, settings);
    Configuration client = new Configuration();
    client.set(DeploymentOptions.SHUTDOWN_IF_ATTACHED, true);
    environment.configure(client);
    return environment;
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
