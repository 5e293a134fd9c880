package io.sluice.plan;

import io.sluice.sql.SourceReference;

/** Gives the planner a table for each source of a flow. */
interface SourceBinder {

  /**
   * Registers a source.
   *
   * @param source where the flow reads
   * @param withMetadata whether the query asks for {@code _metadata}
   * @return the registered table
   */
  BoundSource bind(ResolvedSource source, boolean withMetadata);

  /** The resolved form of a reference in a flow's query or in a view that it reads. */
  ResolvedSource resolved(SourceReference reference);
}
