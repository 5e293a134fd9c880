package io.sluice.pipeline;

import io.sluice.errors.SourceLocation;
import io.sluice.sql.Constraint;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import java.util.List;
import java.util.Optional;

/**
 * A view of the file: a name for a query.
 *
 * @param at its statement
 * @param name its full name
 * @param query its query
 * @param scope where the names of its query are looked up
 * @param expectations what its rows should satisfy
 * @param comment COMMENT, if any
 * @param function makes its rows of the sources of the query; empty for a view that is its query
 */
public record View(
    SourceLocation at,
    QualifiedName name,
    Query query,
    NameScope scope,
    List<Constraint> expectations,
    Optional<String> comment,
    Optional<ViewFunction> function) {

  public View {
    expectations = List.copyOf(expectations);
  }

  /** Whether it shows rows of its one source as they are, so that it is read as that one is. */
  public boolean isPlain() {
    return function.isEmpty() && query.plain().isPresent();
  }
}
