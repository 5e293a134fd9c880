package io.sluice.release;

import org.apache.iceberg.util.ThreadPools;

/**
 * Iceberg's pools of threads, one of each for all tables of those who share its classes. Where it
 * was loaded for others too, they stay.
 */
record IcebergPools(JobClasses classes) implements ClassRelease.Remnant {

  @Override
  public void end() {
    if (!classes.include(ThreadPools.class)) {
      return;
    }
    ThreadPools.getWorkerPool().shutdownNow();
    ThreadPools.getDeleteWorkerPool().shutdownNow();
    ThreadPools.authRefreshPool().shutdownNow();
  }
}
