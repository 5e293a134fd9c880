package io.sluice.sql;

import java.util.List;
import java.util.Optional;

/**
 * A source reference and the tokens that it stands in.
 *
 * @param reference what is read
 * @param from first token
 * @param to token behind the last one
 * @param rawParts parts of the table's name as written, LIVE included; empty for functions
 * @param aliasAt where an alias belongs if {@code alias} is present
 * @param alias the name to add, because the columns of an unaliased table may be qualified by it
 */
record FoundSource(
    SourceReference reference,
    int from,
    int to,
    List<String> rawParts,
    int aliasAt,
    Optional<String> alias) {}
