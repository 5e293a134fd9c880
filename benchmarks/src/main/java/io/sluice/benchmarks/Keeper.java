package io.sluice.benchmarks;

/** A streaming job that keeps a table. */
interface Keeper {

  /** Events that the job has taken in so far, as its cluster reports them once a second. */
  long read() throws Exception;

  /** Ends the job behind a last checkpoint, which is committed when this returns. */
  void stop() throws Exception;
}
