package io.sluice.pipeline;

/** What becomes of records that cannot be applied (semantics 0.3). */
public enum InvalidEventRule {
  /** The update fails before its commit. */
  FAIL,
  /** They go to a table beside the target; the rest is applied. */
  QUARANTINE,
  /** They are counted; the rest is applied. */
  DROP
}
