package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * {@code STORED AS ..} (semantics 2.1).
 *
 * @param at place of STORED
 * @param type the storage type
 */
public record StoredAs(SourceLocation at, Type type) {

  /** How a change flow keeps its target. */
  public enum Type {
    SCD_TYPE_1,
    SCD_TYPE_2,
    BITEMPORAL
  }
}
