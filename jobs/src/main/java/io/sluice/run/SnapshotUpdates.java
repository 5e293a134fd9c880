package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The tables of a continuous run that snapshots keep: from time to time a triggered update of them
 * looks for new versions, beside the unbounded job. An update that fails is told and tried again at
 * the next look; the table stays as it is meanwhile.
 */
final class SnapshotUpdates implements AutoCloseable {

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final UpdateOptions options;
  private final Pipeline pipeline;
  private final ProgressListener listener;
  private final Consumer<String> notices;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::look, "sluice-snapshots");
  private volatile SluiceException failure;

  /**
   * @param options which tables snapshots keep, and in whose name they are updated
   * @param notices is told of updates that failed
   */
  SnapshotUpdates(
      CatalogConnection connection,
      FlinkRuntime runtime,
      Pipeline pipeline,
      UpdateOptions options,
      ProgressListener listener,
      Consumer<String> notices) {
    this.connection = connection;
    this.runtime = runtime;
    this.options = options;
    this.pipeline = pipeline;
    this.listener = listener;
    this.notices = notices;
  }

  void start() {
    thread.start();
  }

  /**
   * Looks back at the end.
   *
   * @throws SluiceException why the last update failed, if it did
   */
  void requireSuccess() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Whether the tables are no longer this run's. */
  boolean isOvertaken() {
    return failure != null && failure.code() == ErrorCode.RUN_ACTIVE;
  }

  private void look() {
    long pause = pipeline.duration(Settings.SNAPSHOT_INTERVAL).toMillis();
    try {
      while (!isOvertaken() && !stop.await(pause, TimeUnit.MILLISECONDS)) {
        update();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void update() {
    SluiceException before = failure;
    failure = failureOfUpdate();
    if (failure != null && (before == null || !failure.getMessage().equals(before.getMessage()))) {
      notices.accept(
          "an update from a snapshot failed and is tried again: " + failure.getMessage());
    }
  }

  /** Why an update of the tables fails; null if it does not. */
  private SluiceException failureOfUpdate() {
    try {
      new Update(connection, runtime, options, listener).run(pipeline).orThrow();
      return null;
    } catch (RuntimeException e) {
      return JobFailures.translate("update from snapshots", e);
    }
  }

  /** Lets the running look end, and looks no more. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
