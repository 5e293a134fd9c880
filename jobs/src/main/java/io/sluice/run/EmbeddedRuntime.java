package io.sluice.run;

import com.sun.management.OperatingSystemMXBean;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.UpdateOutput;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.util.FileUtils;

/** One Flink cluster inside this process, started with the first job. */
public final class EmbeddedRuntime implements FlinkRuntime {

  private static final int JOBS_SIDE_BY_SIDE = 3;
  private static final long LEAST_SORT_BYTES = 64L << 20;
  private static final long MOST_SORT_BYTES = 256L << 20;

  private static final String METRICS = "metrics.";

  private static final int NETWORK_MB = 192;
  private static final int MOST_NETWORK_MB = 1024;
  private static final int NETWORK_MB_OF_FLOW = 8;

  private final int parallelism;
  private final int networkMb;
  private final Map<String, String> metrics;
  private MiniCluster cluster;
  private Path checkpoints;

  /**
   * @param parallelism subtasks per operator where a job names no other number
   */
  public EmbeddedRuntime(int parallelism) {
    this(parallelism, 0, Map.of());
  }

  /**
   * A runtime that also carries a continuous job.
   *
   * @param flows how many flows the job has, whose exchanges all run at once
   * @param settings of the pipeline; those that begin with {@code metrics.} are the cluster's, too
   */
  public EmbeddedRuntime(int parallelism, int flows, Map<String, String> settings) {
    this.parallelism = parallelism;
    this.metrics = new HashMap<>(settings);
    this.metrics.keySet().removeIf(key -> !key.startsWith(METRICS));
    this.networkMb =
        Math.min(MOST_NETWORK_MB, NETWORK_MB + NETWORK_MB_OF_FLOW * parallelism * flows);
  }

  @Override
  public StreamExecutionEnvironment bounded(int jobParallelism) {
    Configuration target = target();
    target.set(ExecutionOptions.BATCH_SHUFFLE_MODE, BatchShuffleMode.ALL_EXCHANGES_PIPELINED);
    return FlinkRuntime.configure(environment(target), jobParallelism);
  }

  /** Checkpoints go to a folder of this process, unless the pipeline names another. */
  @Override
  public StreamExecutionEnvironment unbounded(int jobParallelism, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.computeIfAbsent(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY.key(), key -> checkpoints().toUri().toString());
    return FlinkRuntime.configureUnbounded(environment(target()), jobParallelism, all);
  }

  private synchronized Path checkpoints() {
    if (checkpoints == null) {
      try {
        checkpoints = Files.createTempDirectory("sluice-checkpoints");
      } catch (IOException e) {
        throw new SluiceException(
            ErrorCode.STORAGE,
            "no folder for checkpoints can be made: " + e.getMessage(),
            "Free space in the folder for temporary files, or SET 'execution.checkpointing.dir'",
            e);
      }
    }
    return checkpoints;
  }

  private static Configuration target() {
    Configuration target = new Configuration();
    target.set(DeploymentOptions.TARGET, MiniClusterExecutors.NAME);
    target.set(DeploymentOptions.ATTACHED, true);
    target.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Default);
    return target;
  }

  private StreamExecutionEnvironment environment(Configuration target) {
    return new StreamExecutionEnvironment(
        new MiniClusterExecutors(), target, getClass().getClassLoader());
  }

  @Override
  public JobOutputs outputs(DataStream<UpdateOutput> outputs) {
    return LocalOutputs.of(outputs);
  }

  private synchronized MiniCluster cluster() {
    if (cluster == null) {
      MiniCluster started = new MiniCluster(configuration());
      try {
        started.start();
      } catch (Exception e) {
        throw new SluiceException(
            ErrorCode.UPDATE_FAILED,
            "the embedded Flink cluster does not start: " + e.getMessage(),
            "Check memory and free ports of this machine; the log file has the details",
            e);
      }
      cluster = started;
    }
    return cluster;
  }

  private MiniClusterConfiguration configuration() {
    Configuration settings = Configuration.fromMap(metrics);
    settings.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, sortMemory());
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(networkMb));
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(networkMb));
    settings.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Default);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    // All slots are there: a job that asks for some need not wait for others to ask, too.
    settings.set(ResourceManagerOptions.REQUIREMENTS_CHECK_DELAY, Duration.ZERO);
    settings.set(JobManagerOptions.SLOT_REQUEST_MAX_INTERVAL, Duration.ZERO);
    settings.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(200));
    settings.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofMinutes(5));
    settings.set(CoreOptions.CHECK_LEAKED_CLASSLOADER, false);
    return new MiniClusterConfiguration.Builder()
        .setConfiguration(settings)
        .setNumTaskManagers(1)
        .setNumSlotsPerTaskManager(parallelism * JOBS_SIDE_BY_SIDE)
        .withRandomPorts()
        .build();
  }

  /**
   * Memory outside the heap for sorting, shared out evenly among the slots and taken only where a
   * sort needs it: a quarter of the machine's, within reason.
   */
  private MemorySize sortMemory() {
    long machine =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    long slots = (long) parallelism * JOBS_SIDE_BY_SIDE;
    long perSlot = Math.max(LEAST_SORT_BYTES, Math.min(MOST_SORT_BYTES, machine / 4 / slots));
    return new MemorySize(perSlot * slots);
  }

  @Override
  public synchronized void close() {
    if (cluster != null) {
      cluster.closeAsync().join();
      cluster = null;
    }
    if (checkpoints != null) {
      FileUtils.deleteDirectoryQuietly(checkpoints.toFile());
      checkpoints = null;
    }
  }

  /** Sends every job of an environment to the one embedded cluster. */
  private final class MiniClusterExecutors
      implements PipelineExecutorServiceLoader, PipelineExecutorFactory, PipelineExecutor {

    private static final String NAME = "sluice-embedded";

    @Override
    public PipelineExecutorFactory getExecutorFactory(Configuration configuration) {
      return this;
    }

    @Override
    public Stream<String> getExecutorNames() {
      return Stream.of(NAME);
    }

    @Override
    public String getName() {
      return NAME;
    }

    @Override
    public boolean isCompatibleWith(Configuration configuration) {
      return true;
    }

    @Override
    public PipelineExecutor getExecutor(Configuration configuration) {
      return this;
    }

    @Override
    public CompletableFuture<JobClient> execute(
        Pipeline pipeline, Configuration configuration, ClassLoader classLoader) throws Exception {
      if (pipeline instanceof StreamGraph job) {
        StableCode.useIn(job);
      }
      JobGraph graph = PipelineExecutorUtils.getJobGraph(pipeline, configuration, classLoader);
      MiniCluster running = cluster();
      return running
          .submitJob(graph)
          .thenApply(
              submitted ->
                  new MiniClusterJobClient(
                      submitted.getJobID(), running, classLoader, JobFinalizationBehavior.NOTHING));
    }
  }
}
