package io.sluice.history;

/** Which function of a key's log the rows of a target are. */
public enum StorageType {
  /** The newest state of each key (semantics 5). */
  SCD1,
  /** One row per version of each key (semantics 6). */
  SCD2,
  /** One row per version of each key and time in which it was believed (semantics 10). */
  BITEMPORAL
}
