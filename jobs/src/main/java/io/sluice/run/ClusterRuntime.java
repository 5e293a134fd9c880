package io.sluice.run;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The cluster whose client started this program. */
final class ClusterRuntime implements FlinkRuntime {

  @Override
  public StreamExecutionEnvironment bounded(int parallelism) {
    return FlinkRuntime.configure(
        StreamExecutionEnvironment.getExecutionEnvironment(), parallelism);
  }

  @Override
  public void close() {
    // The cluster belongs to whoever started it.
  }
}
