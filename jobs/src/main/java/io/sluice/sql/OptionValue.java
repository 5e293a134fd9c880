package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * Value of an option of a source function.
 *
 * @param at its place
 * @param text content of a string literal, or the text of anything else
 */
public record OptionValue(SourceLocation at, String text) {}
