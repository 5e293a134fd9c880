package io.sluice.table;

import org.apache.flink.table.data.RowData;

/** Takes rows of which a few columns say enough, so that the others need not be read. */
@FunctionalInterface
public interface BriefRows {

  /** Every row is wanted whole. */
  BriefRows NONE = (tested, file, position) -> false;

  /**
   * Takes a selected row, or leaves it to be read whole.
   *
   * @param tested exactly the key columns of the {@link Selection}; the object may be reused
   * @param file location of the data file
   * @param position position of the row in the file
   * @return whether it was taken
   */
  boolean take(RowData tested, String file, long position);
}
