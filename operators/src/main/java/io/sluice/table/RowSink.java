package io.sluice.table;

import org.apache.flink.table.data.RowData;

/** Takes rows with their location. */
@FunctionalInterface
public interface RowSink {

  /**
   * Takes one row.
   *
   * @param row the projected columns; the object, nested values included, may be reused for the
   *     next row, so whoever keeps it copies it
   * @param file location of the data file
   * @param position position of the row in the file
   */
  void accept(RowData row, String file, long position);
}
