package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;

/**
 * {@code (a, b)} or {@code * EXCEPT (a, b)}; {@code *} alone excludes nothing.
 *
 * @param at place of the clause that it belongs to
 * @param except whether the columns are excluded from all instead of being the only ones
 * @param columns in the order written; simple names
 */
public record ColumnSelection(SourceLocation at, boolean except, List<Identifier> columns) {

  public ColumnSelection {
    columns = List.copyOf(columns);
  }
}
