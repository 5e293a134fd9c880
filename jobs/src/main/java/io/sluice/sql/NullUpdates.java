package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code IGNORE NULL UPDATES [ON ..]} (semantics section 8).
 *
 * @param at place of IGNORE
 * @param columns the columns it concerns; all if empty
 */
public record NullUpdates(SourceLocation at, Optional<ColumnSelection> columns) {}
