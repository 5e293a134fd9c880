package io.sluice.run;

/**
 * What a target remembers of deletes that no row shows (semantics 0.5, 0.16).
 *
 * @param live deletes remembered after the update
 * @param collected remembered events that the update forgot, absorbed ones included
 * @param arrivedAfterCollection events whose key may have lost what they would have met: none is
 *     newer than the newest event that was ever collected
 */
public record Tombstones(long live, long collected, long arrivedAfterCollection) {

  /** Nothing is remembered. */
  public static final Tombstones NONE = new Tombstones(0, 0, 0);
}
