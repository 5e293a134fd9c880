package io.sluice.plan;

import java.util.List;
import java.util.Optional;

/**
 * A source under a name that a query can use.
 *
 * @param sqlName quoted name of the table or view
 * @param columns visible columns, what {@code *} stands for
 * @param positionedBy the source whose positions it carries in hidden columns, if it does
 * @param metadata whether it has the column {@code _metadata}, which {@code *} leaves out
 * @param rowByRow whether each of its rows is made of one row of the source alone
 */
record BoundSource(
    String sqlName,
    List<String> columns,
    Optional<ResolvedSource> positionedBy,
    boolean metadata,
    boolean rowByRow) {

  BoundSource {
    columns = List.copyOf(columns);
  }

  /** A source itself. */
  BoundSource(
      String sqlName,
      List<String> columns,
      Optional<ResolvedSource> positionedBy,
      boolean metadata) {
    this(sqlName, columns, positionedBy, metadata, true);
  }
}
