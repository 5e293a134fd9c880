package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code DELETE FROM table [WHERE condition]}.
 *
 * @param at place of DELETE
 * @param tableAt place of the table's name
 * @param table the table
 * @param where the rows to delete; all rows if empty
 */
public record DeleteRows(
    SourceLocation at, SourceLocation tableAt, QualifiedName table, Optional<SqlExpression> where)
    implements Statement {}
