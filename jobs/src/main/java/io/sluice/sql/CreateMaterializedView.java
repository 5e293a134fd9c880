package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * {@code CREATE [OR REPLACE] MATERIALIZED VIEW} (semantics 2.5), also in the old spelling CREATE
 * LIVE TABLE.
 *
 * @param at place of CREATE
 * @param nameAt place of the name
 * @param name the view, without a LIVE prefix
 * @param orReplace whether OR REPLACE or OR REFRESH was written
 * @param ifNotExists whether IF NOT EXISTS was written
 * @param parts columns, constraints, partitioning, comment, properties, schedule
 * @param query the defining query
 */
public record CreateMaterializedView(
    SourceLocation at,
    SourceLocation nameAt,
    QualifiedName name,
    boolean orReplace,
    boolean ifNotExists,
    TableParts parts,
    Query query)
    implements Statement {}
