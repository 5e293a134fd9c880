package io.sluice.kafka;

/** What happens where the messages that a flow has to read next are gone from the topic. */
public enum LostOffsets {
  /** The update fails. */
  FAIL,
  /** The flow goes on with the oldest message that is there. */
  EARLIEST
}
