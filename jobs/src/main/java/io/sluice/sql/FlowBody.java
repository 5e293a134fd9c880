package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;
import java.util.Optional;

/** What a flow does to its target (semantics 2.1 to 2.4). */
public sealed interface FlowBody {

  /** Place of the first word of the body. */
  SourceLocation at();

  /**
   * {@code INSERT [ONCE] INTO target [BY NAME] query}.
   *
   * @param once whether it runs in one update only
   * @param byName whether BY NAME was written
   * @param query the rows
   */
  record Append(SourceLocation at, boolean once, boolean byName, Query query) implements FlowBody {}

  /**
   * {@code AUTO CDC [ONCE] ..} (semantics 2.1).
   *
   * @param once whether it runs in one update only
   * @param source the change feed
   * @param keys at least one
   * @param nullUpdates IGNORE NULL UPDATES
   * @param deleteWhen APPLY AS DELETE WHEN
   * @param truncateWhen APPLY AS TRUNCATE WHEN
   * @param sequenceBy SEQUENCE BY
   * @param systemSequenceBy SYSTEM SEQUENCE BY
   * @param columns COLUMNS; all if empty
   * @param storedAs STORED AS; SCD type 1 if empty
   * @param trackHistory TRACK HISTORY ON; all if empty
   * @param columnsToUpdate the array column of COLUMNS TO UPDATE
   */
  record AutoCdc(
      SourceLocation at,
      boolean once,
      CdcSource source,
      List<Identifier> keys,
      Optional<NullUpdates> nullUpdates,
      Optional<SqlExpression> deleteWhen,
      Optional<SqlExpression> truncateWhen,
      SqlExpression sequenceBy,
      Optional<SqlExpression> systemSequenceBy,
      Optional<ColumnSelection> columns,
      Optional<StoredAs> storedAs,
      Optional<ColumnSelection> trackHistory,
      Optional<Identifier> columnsToUpdate)
      implements FlowBody {

    public AutoCdc {
      keys = List.copyOf(keys);
    }
  }

  /**
   * {@code AUTO CDC [ONCE] .. FROM SNAPSHOT} (semantics 2.3).
   *
   * @param once whether it runs in one update only
   * @param snapshot the snapshot query; SELECT * FROM the table for the deprecated form by name
   * @param byTableName whether the deprecated form by name was used
   * @param version WITH VERSION
   * @param keys at least one
   * @param storedAs STORED AS; SCD type 1 if empty
   * @param trackHistory TRACK HISTORY ON; all if empty
   */
  record SnapshotCdc(
      SourceLocation at,
      boolean once,
      Query snapshot,
      boolean byTableName,
      Optional<Query> version,
      List<Identifier> keys,
      Optional<StoredAs> storedAs,
      Optional<ColumnSelection> trackHistory)
      implements FlowBody {

    public SnapshotCdc {
      keys = List.copyOf(keys);
    }
  }

  /**
   * {@code REPLACE WHERE predicate} (semantics section 14).
   *
   * @param once whether ONCE was written
   * @param byName whether BY NAME was written; the semantics demand it
   * @param predicate on the target's columns
   * @param query the source, without the predicate
   */
  record ReplaceWhere(
      SourceLocation at, boolean once, boolean byName, SqlExpression predicate, Query query)
      implements FlowBody {}

  /**
   * {@code REPLACE USING (keys) SEQUENCE BY column} (semantics section 15).
   *
   * @param once whether ONCE was written
   * @param byName whether BY NAME was written; the semantics demand it
   * @param keys at least one
   * @param sequenceBy the sequence column
   * @param query the source
   */
  record ReplaceUsing(
      SourceLocation at,
      boolean once,
      boolean byName,
      List<Identifier> keys,
      Identifier sequenceBy,
      Query query)
      implements FlowBody {

    public ReplaceUsing {
      keys = List.copyOf(keys);
    }
  }
}
