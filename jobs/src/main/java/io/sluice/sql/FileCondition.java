package io.sluice.sql;

import java.util.Optional;

/**
 * An equation that holds for the file of every row that a query takes from read_files: {@code
 * _metadata.<field> = 'text'}, or the version of the snapshot in place of the text.
 *
 * @param source where the rows come from
 * @param field of {@code _metadata}, in lower case
 * @param literal the text; empty for {@code (SELECT column FROM current_snapshot_version())}
 */
public record FileCondition(
    SourceReference.ReadFiles source, String field, Optional<String> literal) {}
