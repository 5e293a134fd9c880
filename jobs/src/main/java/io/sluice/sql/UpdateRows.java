package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;
import java.util.Optional;

/**
 * {@code UPDATE table SET column = expression, .. [WHERE condition]}.
 *
 * @param at place of UPDATE
 * @param tableAt place of the table's name
 * @param table the table
 * @param assignments at least one
 * @param where the rows to change; all rows if empty
 */
public record UpdateRows(
    SourceLocation at,
    SourceLocation tableAt,
    QualifiedName table,
    List<Assignment> assignments,
    Optional<SqlExpression> where)
    implements Statement {

  public UpdateRows {
    assignments = List.copyOf(assignments);
  }

  /** A column and its new value. */
  public record Assignment(Identifier column, SqlExpression value) {}
}
