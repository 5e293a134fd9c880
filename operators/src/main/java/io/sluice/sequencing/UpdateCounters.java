package io.sluice.sequencing;

/** Names of the accumulators of an update: live progress while it runs, its result at the end. */
public final class UpdateCounters {

  /** Rows that were not in the target before. */
  public static final String INSERTED = "inserted";

  /** Rows of the target that have new values or a new end. */
  public static final String UPDATED = "updated";

  /** Rows that are no longer in the target. */
  public static final String DELETED = "deleted";

  /** Remembered events that were forgotten because their retention had ended. */
  public static final String COLLECTED = "collected";

  /** Events that may have met something that was forgotten. */
  public static final String ARRIVED_AFTER_COLLECTION = "arrived-after-collection";

  /** Rows written to the target and its companion. */
  public static final String ROWS_WRITTEN = "rows-written";

  /** Rows written to the quarantine. */
  public static final String ROWS_QUARANTINED = "rows-quarantined";

  /** Existing rows that were read: those of touched keys, and those that may move. */
  public static final String ROWS_READ_BACK = "existing-rows-read";

  /** Bytes that reading existing rows cost. */
  public static final String BYTES_READ_BACK = "existing-bytes-read";

  /** Keys of the target that had a current row before a snapshot. */
  public static final String LIVE_KEYS = "live-keys";

  /** Those of them that have none after it. */
  public static final String KEYS_DELETED = "keys-deleted";

  private UpdateCounters() {}

  /** Rows that the flow with this declaration order has read. */
  public static String eventsOf(int flow) {
    return "events." + flow;
  }

  /** Its events that were older than what their key already had. */
  public static String lateOf(int flow) {
    return "late." + flow;
  }

  /** Its events that met another event with the same key and sequence. */
  public static String tiesOf(int flow) {
    return "ties." + flow;
  }

  /** Its events at or below what a seed gave their key (semantics 0.15). */
  public static String cutoverViolationsOf(int flow) {
    return "cutover-violations." + flow;
  }

  /** Keys that the seeds have, in a check of the cut-over. */
  public static final String SEEDED_KEYS = "seeded-keys";

  /** Keys of the live flow with this declaration order, in a check of the cut-over. */
  public static String liveKeysOf(int flow) {
    return "live-keys." + flow;
  }
}
