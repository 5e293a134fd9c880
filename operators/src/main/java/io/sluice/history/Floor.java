package io.sluice.history;

import java.util.Objects;

/**
 * The floor of a target (semantics 0.8, 0.9): what lies below it is known to be superseded, for
 * every key. It judges events: one below it is stale, whatever its key; one at it is not, since
 * floors stand outside the tie rule. SCD 1 only.
 *
 * @param committed the floor as of the last commit, which a snapshot or a truncate raised; {@link
 *     Sequence#LOWEST} if nothing did
 * @param truncate the greatest truncate event of this update; {@link Sequence#LOWEST} if there is
 *     none
 */
public record Floor(Sequence committed, Sequence truncate) {

  /** No floor: nothing is stale. */
  public static final Floor NONE = new Floor(Sequence.LOWEST, Sequence.LOWEST);

  public Floor {
    Objects.requireNonNull(committed, "committed");
    Objects.requireNonNull(truncate, "truncate");
  }

  /** A floor that no event of this update raises. */
  public static Floor at(Sequence committed) {
    return new Floor(committed, Sequence.LOWEST);
  }

  /** The floor after this update; it only rises. */
  public Sequence sequence() {
    return truncates() ? truncate : committed;
  }

  public boolean isNone() {
    return sequence().equals(Sequence.LOWEST);
  }

  /** Whether an event with this sequence is below the floor. */
  public boolean isStale(Sequence sequence) {
    return sequence.compareTo(sequence()) < 0;
  }

  /**
   * Whether the truncate raises the floor. Only then do rows below it go: a row counts as the
   * greater of its {@code __SEQUENCE} and the committed floor.
   */
  public boolean truncates() {
    return truncate.compareTo(committed) > 0;
  }
}
