package io.sluice.pipeline;

import io.sluice.history.StorageType;
import io.sluice.sql.ColumnSelection;
import io.sluice.sql.Identifier;
import io.sluice.sql.NullUpdates;
import io.sluice.sql.SqlExpression;
import java.util.List;
import java.util.Optional;

/**
 * The clauses of an AUTO CDC flow (semantics 2.1, 2.3).
 *
 * @param keys KEYS, in order
 * @param deleteWhen APPLY AS DELETE WHEN
 * @param truncateWhen APPLY AS TRUNCATE WHEN, SCD type 1 only
 * @param sequenceBy SEQUENCE BY; empty for a snapshot flow, whose version is the sequence
 * @param columns COLUMNS; empty for all
 * @param type STORED AS; SCD type 1 if not written
 * @param nullUpdates IGNORE NULL UPDATES
 * @param columnsToUpdate the array column of COLUMNS TO UPDATE; excludes IGNORE NULL UPDATES
 * @param trackHistory TRACK HISTORY ON; empty for all
 * @param snapshot where a snapshot flow has its versions from; empty for a change feed
 */
public record CdcDefinition(
    List<Identifier> keys,
    Optional<SqlExpression> deleteWhen,
    Optional<SqlExpression> truncateWhen,
    Optional<SqlExpression> sequenceBy,
    Optional<ColumnSelection> columns,
    StorageType type,
    Optional<NullUpdates> nullUpdates,
    Optional<Identifier> columnsToUpdate,
    Optional<ColumnSelection> trackHistory,
    Optional<SnapshotVersions> snapshot) {

  public CdcDefinition {
    keys = List.copyOf(keys);
    if (sequenceBy.isPresent() == snapshot.isPresent()) {
      throw new IllegalArgumentException("a flow has either SEQUENCE BY or snapshot versions");
    }
  }

  /** Whether events may leave columns as they are (semantics 8). */
  public boolean isPartial() {
    return nullUpdates.isPresent() || columnsToUpdate.isPresent();
  }
}
