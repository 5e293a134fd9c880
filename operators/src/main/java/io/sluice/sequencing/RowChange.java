package io.sluice.sequencing;

import org.apache.flink.table.data.RowData;

/**
 * One change of a table: the only thing a sequencer emits. A row is never updated in place; an
 * update is a delete where the row lies and an insert of its new form.
 */
public sealed interface RowChange {

  /** The table that changes. */
  Destination destination();

  /** Which of the tables of a target. */
  enum Destination {
    /** The table the user declared. */
    TARGET,
    /**
     * The same table: rows that only change their place, in files of their own, so that the commit
     * can leave them where they are.
     */
    MOVED,
    /** Its companion: what the visible rows do not show. */
    COMPANION,
    /** Its quarantine: the records that could not be applied. */
    QUARANTINE
  }

  /**
   * @param row a full row of the table; may be reused by the sender after the call
   * @param group rows of different groups go to different files
   */
  record Insert(Destination destination, RowData row, int group) implements RowChange {}

  /**
   * @param file path of the data file
   * @param position row position in it, counted from 0
   */
  record Delete(Destination destination, String file, long position) implements RowChange {}
}
