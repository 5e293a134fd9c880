package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code CREATE [OR REFRESH] STREAMING TABLE} (semantics 2.1, 2.2). At most one of the query and
 * the inline flow is present.
 *
 * @param at place of CREATE
 * @param nameAt place of the name
 * @param name the table, without a LIVE prefix
 * @param orRefresh whether OR REFRESH was written
 * @param ifNotExists whether IF NOT EXISTS was written
 * @param parts columns, constraints, partitioning, comment, properties, schedule
 * @param asQuery the defining query
 * @param inlineFlow the flow that takes the table's name
 */
public record CreateStreamingTable(
    SourceLocation at,
    SourceLocation nameAt,
    QualifiedName name,
    boolean orRefresh,
    boolean ifNotExists,
    TableParts parts,
    Optional<Query> asQuery,
    Optional<FlowBody> inlineFlow)
    implements Statement {}
