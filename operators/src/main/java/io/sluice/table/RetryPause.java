package io.sluice.table;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/** The wait before the next attempt of a commit. */
@FunctionalInterface
interface RetryPause {

  /** Doubles from 100 ms to 5 s, of which between half and all is waited. */
  RetryPause EXPONENTIAL =
      attempt -> {
        long limitMs = Math.min(5_000, 100L << Math.min(attempt, 10));
        try {
          Thread.sleep(ThreadLocalRandom.current().nextLong(limitMs / 2, limitMs + 1));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new CommitStateUnknownException("interrupted between two attempts of a commit", e);
        }
      };

  /** Waits after the given attempt, counted from 1. */
  void after(int attempt);
}
