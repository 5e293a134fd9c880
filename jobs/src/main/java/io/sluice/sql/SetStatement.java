package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * {@code SET 'key' = 'value'}. The value is what the file says, whatever --set gives for the key.
 *
 * @param at place of SET
 * @param key dotted key
 * @param value content of the quoted value, or the text of an unquoted one
 */
public record SetStatement(SourceLocation at, String key, String value) implements Statement {}
