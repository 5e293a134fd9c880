package io.sluice.history;

/** What an event of a key's log means for the key's rows. */
public enum Fate {
  /** A visible row begins with it (SCD type 1: the row is its values). */
  VISIBLE_ROW,
  /** An upsert that changed no tracked column: the row of its run was there already. */
  ABSORBED,
  /** A delete at which a visible row ends. */
  ROW_END,
  /** A delete that no row shows; it keeps older events away. */
  TOMBSTONE,
  /** Remembered, but another event of the log has its sequence. */
  TIE_LOST,
  /** Remembered, but rows that somebody else changed do not go with it: the rows win. */
  OVERRULED
}
