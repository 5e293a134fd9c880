package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code CREATE [OR REPLACE] TABLE} with TBLPROPERTIES instead of Flink's WITH: a plain table that
 * no flow writes. Flink's own form is a {@link PassThrough}.
 *
 * @param at place of CREATE
 * @param nameAt place of the name
 * @param name the table
 * @param orReplace whether OR REPLACE was written
 * @param ifNotExists whether IF NOT EXISTS was written
 * @param parts columns, partitioning, comment, properties
 * @param asQuery the query that fills it
 */
public record CreateTable(
    SourceLocation at,
    SourceLocation nameAt,
    QualifiedName name,
    boolean orReplace,
    boolean ifNotExists,
    TableParts parts,
    Optional<Query> asQuery)
    implements Statement {}
