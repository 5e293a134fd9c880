package io.sluice.run;

import io.sluice.table.SnapshotExpiry.Rule;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Expires the snapshots of a target while a continuous run keeps it, in a thread beside the
 * commits: after the first one and then every {@value #COMMITS}. What fails is tried again then.
 */
final class ContinuousHousekeeping implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ContinuousHousekeeping.class);

  /** Commits between two looks at the snapshots. */
  static final int COMMITS = 50;

  private static final long PATIENCE_SECONDS = 10;

  private final TableIdentifier target;
  private final SnapshotHousekeeping snapshots;
  private final AtomicBoolean running = new AtomicBoolean();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task, "sluice-expiry");
            made.setDaemon(true);
            return made;
          });
  private long commits;

  ContinuousHousekeeping(Catalog catalog, TableIdentifier target) {
    this.target = target;
    this.snapshots = new SnapshotHousekeeping(catalog, target, Rule.CONTINUOUS::of);
  }

  /** To be called after each commit; returns at once. */
  void committed() {
    if (commits++ % COMMITS == 0 && running.compareAndSet(false, true)) {
      thread.execute(this::expire);
    }
  }

  private void expire() {
    try {
      snapshots.expire();
    } catch (RuntimeException e) {
      LOG.warn("Snapshots of {} stay for now", target, e);
    } finally {
      running.set(false);
    }
  }

  /** Ends the thread; what it leaves undone is done by the next run, or by maintenance. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
