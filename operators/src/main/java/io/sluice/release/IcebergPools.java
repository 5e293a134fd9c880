package io.sluice.release;

import org.apache.iceberg.util.ThreadPools;

/** Iceberg's pools of threads, one of each for all tables of a process. */
record IcebergPools() implements ClassRelease.Remnant {

  @Override
  public void end() {
    ThreadPools.getWorkerPool().shutdownNow();
    ThreadPools.getDeleteWorkerPool().shutdownNow();
    ThreadPools.authRefreshPool().shutdownNow();
  }
}
