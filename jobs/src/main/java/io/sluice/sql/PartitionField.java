package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * One field of PARTITIONED BY.
 *
 * @param at its place
 * @param text a column or a transform such as {@code bucket(16, id)}, white space reduced
 */
public record PartitionField(SourceLocation at, String text) {}
