package io.sluice.table;

import org.apache.flink.table.data.RowData;

/** An exact test of a row. */
@FunctionalInterface
public interface RowPredicate {

  /** Whether the row is wanted; the row object may be reused for the next one. */
  boolean test(RowData row);
}
