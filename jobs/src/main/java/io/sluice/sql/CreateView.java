package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;
import java.util.Optional;

/**
 * {@code CREATE [TEMPORARY] VIEW name AS query}.
 *
 * @param at place of CREATE
 * @param nameAt place of the name
 * @param name the view
 * @param temporary whether TEMPORARY was written
 * @param columns new names for the query's columns, or empty
 * @param constraints expectations on its rows (semantics 2.7)
 * @param comment COMMENT, if any
 * @param query what the view shows
 */
public record CreateView(
    SourceLocation at,
    SourceLocation nameAt,
    QualifiedName name,
    boolean temporary,
    List<Identifier> columns,
    List<Constraint> constraints,
    Optional<String> comment,
    Query query)
    implements Statement {

  public CreateView {
    columns = List.copyOf(columns);
    constraints = List.copyOf(constraints);
  }
}
