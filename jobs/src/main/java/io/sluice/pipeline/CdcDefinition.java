package io.sluice.pipeline;

import io.sluice.history.StorageType;
import io.sluice.sql.ColumnSelection;
import io.sluice.sql.Identifier;
import io.sluice.sql.SqlExpression;
import java.util.List;
import java.util.Optional;

/**
 * The clauses of an AUTO CDC flow (semantics 2.1).
 *
 * @param keys KEYS, in order
 * @param deleteWhen APPLY AS DELETE WHEN
 * @param truncateWhen APPLY AS TRUNCATE WHEN, SCD type 1 only
 * @param sequenceBy SEQUENCE BY
 * @param systemSequenceBy SYSTEM SEQUENCE BY; present exactly for bitemporal targets
 * @param columns COLUMNS; empty for all
 * @param type STORED AS; SCD type 1 if not written
 * @param trackHistory TRACK HISTORY ON; empty for all
 */
public record CdcDefinition(
    List<Identifier> keys,
    Optional<SqlExpression> deleteWhen,
    Optional<SqlExpression> truncateWhen,
    SqlExpression sequenceBy,
    Optional<SqlExpression> systemSequenceBy,
    Optional<ColumnSelection> columns,
    StorageType type,
    Optional<ColumnSelection> trackHistory) {

  public CdcDefinition {
    keys = List.copyOf(keys);
  }
}
