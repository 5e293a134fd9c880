package io.sluice.api;

import io.sluice.sql.StoredAs;

/** How an AUTO CDC flow keeps its target (semantics 5, 6, 10). */
public enum ScdType {
  /** The current row of each key. */
  TYPE_1(StoredAs.Type.SCD_TYPE_1),
  /** One row per version of each key. */
  TYPE_2(StoredAs.Type.SCD_TYPE_2),
  /** One row per version and belief. */
  BITEMPORAL(StoredAs.Type.BITEMPORAL);

  private final StoredAs.Type stored;

  ScdType(StoredAs.Type stored) {
    this.stored = stored;
  }

  StoredAs.Type stored() {
    return stored;
  }
}
