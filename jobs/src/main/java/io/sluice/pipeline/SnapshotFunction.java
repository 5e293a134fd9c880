package io.sluice.pipeline;

import io.sluice.sql.Query;
import java.util.Optional;

/**
 * Gives the snapshots of a flow one after the other (semantics 11.3). It is asked with the latest
 * version that was applied, empty at first, until it gives none; so it may be asked the same more
 * than once and answers the same then.
 */
@FunctionalInterface
public interface SnapshotFunction {

  /**
   * The next snapshot.
   *
   * @param latest the version applied last, in Java's form
   */
  Optional<Found> next(Optional<Object> latest);

  /**
   * A snapshot.
   *
   * @param query gives its rows
   * @param version its version, greater than every earlier one
   */
  record Found(Query query, Object version) {}
}
