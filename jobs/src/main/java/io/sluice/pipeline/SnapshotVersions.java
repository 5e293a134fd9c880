package io.sluice.pipeline;

import io.sluice.sql.Query;

/** Where the versions of a snapshot flow come from (semantics 11.2, 11.3). */
public sealed interface SnapshotVersions {

  /**
   * {@code WITH VERSION (query)}: asked again after every commit, until it has no row.
   *
   * @param query gives one column and at most one row
   */
  record ByQuery(Query query) implements SnapshotVersions {}

  /** No WITH VERSION: one snapshot into an empty target, at the time it is taken. */
  record InitialLoad() implements SnapshotVersions {}

  /**
   * A function that gives snapshots with their versions, of the API.
   *
   * @param function is asked again after every commit, until it gives none
   */
  record ByFunction(SnapshotFunction function) implements SnapshotVersions {}

  /** One snapshot in every update, at the time it is taken: the form by table name of the API. */
  record EveryUpdate() implements SnapshotVersions {}
}
