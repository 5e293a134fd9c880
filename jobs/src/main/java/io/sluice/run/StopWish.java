package io.sluice.run;

import java.util.function.BooleanSupplier;

/**
 * Somebody's wish that a continuous run stops; once there, it stays, whoever else looks or asks.
 */
final class StopWish {

  private volatile boolean there;

  void wish() {
    there = true;
  }

  boolean isThere() {
    return there;
  }

  /** Whether somebody wishes it, after a look at another place where it may be asked for. */
  boolean isThereOr(BooleanSupplier asked) {
    if (asked.getAsBoolean()) {
      there = true;
    }
    return there;
  }
}
