package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * {@code DROP {TABLE | STREAMING TABLE | MATERIALIZED VIEW | VIEW} [IF EXISTS] name}.
 *
 * @param at place of DROP
 * @param object what kind of thing the statement names
 * @param ifExists whether IF EXISTS was written
 * @param nameAt place of the name
 * @param name the table or view
 */
public record Drop(
    SourceLocation at,
    ObjectKind object,
    boolean ifExists,
    SourceLocation nameAt,
    QualifiedName name)
    implements Statement {}
