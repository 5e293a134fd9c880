package io.sluice.sql;

/** What a statement calls the thing it names. */
public enum ObjectKind {
  TABLE,
  STREAMING_TABLE,
  MATERIALIZED_VIEW,
  VIEW
}
