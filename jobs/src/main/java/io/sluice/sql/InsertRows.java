package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;

/**
 * {@code INSERT INTO table [BY NAME] [(columns)] query}, outside of a flow.
 *
 * @param at place of INSERT
 * @param tableAt place of the table's name
 * @param table the table
 * @param byName whether BY NAME was written
 * @param columns the column list, empty for all columns
 * @param query the rows; VALUES or a SELECT
 */
public record InsertRows(
    SourceLocation at,
    SourceLocation tableAt,
    QualifiedName table,
    boolean byName,
    List<Identifier> columns,
    Query query)
    implements Statement {

  public InsertRows {
    columns = List.copyOf(columns);
  }
}
