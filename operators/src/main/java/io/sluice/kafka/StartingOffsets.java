package io.sluice.kafka;

/** Where a flow begins in a topic that it has not read before. */
public enum StartingOffsets {
  /** With the oldest message that is there. */
  EARLIEST,
  /** Behind the newest message that is there; only what comes later is read. */
  LATEST
}
