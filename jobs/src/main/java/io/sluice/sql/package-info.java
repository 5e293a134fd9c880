/**
 * From the text of a pipeline file to statements (semantics section 2). {@link
 * io.sluice.sql.PipelineParser} replaces variables, splits the text, and parses each statement with
 * an ANTLR grammar; queries and expressions stay token lists that {@link io.sluice.sql.Query} and
 * {@link io.sluice.sql.SqlExpression} translate to Flink SQL token by token, so that all of Flink
 * SQL remains usable and every place still refers to the text that the user wrote. Nothing here
 * knows Flink, tables or catalogs.
 */
package io.sluice.sql;
