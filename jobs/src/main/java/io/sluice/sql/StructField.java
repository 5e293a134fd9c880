package io.sluice.sql;

/**
 * A field of {@code STRUCT(a, b)} (semantics 0.13).
 *
 * @param name the alias, the name of a plain column, or col1, col2, .. by position
 * @param expression its value
 */
public record StructField(String name, SqlExpression expression) {}
