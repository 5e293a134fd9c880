package io.sluice.run;

/** Is told what an update is doing; calls come from several threads. */
public interface ProgressListener {

  /** A listener that ignores everything. */
  ProgressListener NONE = (target, rowsRead, rowsWritten) -> {};

  /** Rows read and written so far by the running step of a target. */
  void progress(String target, long rowsRead, long rowsWritten);
}
