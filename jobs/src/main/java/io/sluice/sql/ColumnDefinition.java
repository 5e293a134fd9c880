package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * A declared column.
 *
 * @param at place of the name
 * @param name without back-quotes
 * @param typeText the type as written, white space reduced; empty where a view or materialized view
 *     only names its columns
 * @param notNull whether NOT NULL was written
 * @param comment COMMENT, if any
 */
public record ColumnDefinition(
    SourceLocation at, String name, String typeText, boolean notNull, Optional<String> comment) {}
