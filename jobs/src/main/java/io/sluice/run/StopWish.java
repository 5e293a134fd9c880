package io.sluice.run;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Somebody's wish that a continuous run stops; once there, it stays, whoever else looks or asks.
 */
final class StopWish {

  private final CompletableFuture<Void> there = new CompletableFuture<>();

  void wish() {
    there.complete(null);
  }

  boolean isThere() {
    return there.isDone();
  }

  /** Done as soon as somebody wishes it. */
  CompletableFuture<?> wished() {
    return there;
  }

  /** Whether somebody wishes it, after a look at another place where it may be asked for. */
  boolean isThereOr(BooleanSupplier asked) {
    if (asked.getAsBoolean()) {
      wish();
    }
    return isThere();
  }
}
