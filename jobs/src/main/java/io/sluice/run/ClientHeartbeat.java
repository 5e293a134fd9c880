package io.sluice.run;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.client.cli.ClientOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the cluster of a job now and then that its client lives, where the cluster wants to know: a
 * job that does not hear from it for {@code client.heartbeat.timeout}, and as long as the client
 * would try to reach a job manager that is gone, is cancelled. Flink's own client does so only for
 * programs that wait for their job inside of Flink.
 */
final class ClientHeartbeat implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClientHeartbeat.class);

  private final Duration interval;
  private final Duration lifetime;
  private final boolean wanted;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-heartbeat");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param environment that the job is submitted with
   */
  ClientHeartbeat(StreamExecutionEnvironment environment) {
    ReadableConfig settings = environment.getConfiguration();
    this.wanted = settings.get(DeploymentOptions.SHUTDOWN_IF_ATTACHED);
    this.interval = settings.get(ClientOptions.CLIENT_HEARTBEAT_INTERVAL);
    // One that waits for a job manager to come back must not be too old when it arrives.
    this.lifetime =
        settings
            .get(ClientOptions.CLIENT_HEARTBEAT_TIMEOUT)
            .plus(
                settings
                    .get(RestOptions.RETRY_DELAY)
                    .multipliedBy(settings.get(RestOptions.RETRY_MAX_ATTEMPTS)));
  }

  /** Begins to tell, until closed; what does not arrive is told again the next time. */
  void start(JobClient client) {
    if (wanted) {
      timer.scheduleWithFixedDelay(
          () -> beat(client), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void beat(JobClient client) {
    try {
      client.reportHeartbeat(System.currentTimeMillis() + lifetime.toMillis());
    } catch (RuntimeException e) {
      LOG.info("The cluster could not be told that the client lives", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
