package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * Source of AUTO CDC.
 *
 * @param at its place
 * @param query the query in parentheses, or SELECT * FROM the reference
 * @param bareBatchReference whether it is a table or function without STREAM and without a query,
 *     which no change flow can read (semantics 19, V20)
 */
public record CdcSource(SourceLocation at, Query query, boolean bareBatchReference) {}
