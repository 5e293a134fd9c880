package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;

/** The error for rows of a target that no history can have (semantics 0.17). */
final class InvalidRows {

  private InvalidRows() {}

  /**
   * Names the row.
   *
   * @param row where it lies; null if that is not known
   */
  static SluiceException error(
      TargetLayout layout,
      SequencerPlan plan,
      RowKey key,
      InvalidHistoryException e,
      ExistingRow row) {
    return new SluiceException(
        ErrorCode.INVALID_HISTORY,
        "table "
            + layout.table()
            + " has a row of key "
            + layout.describe(key)
            + " that cannot belong to its history, because "
            + e.reason().text()
            + ": from "
            + bounds(layout, e.row())
            + (row == null
                ? ""
                : " (file "
                    + plan.targetFiles().get(row.file())
                    + ", position "
                    + row.position()
                    + ")"),
        "Correct or delete the row, or rebuild the table with --full-refresh " + layout.table());
  }

  private static String bounds(TargetLayout layout, Version<?> row) {
    String bounds =
        (row.start() == null ? "NULL" : layout.describeSequence(row.start().bytes()))
            + (row.end() == null ? "" : " to " + layout.describeSequence(row.end().bytes()));
    if (layout.systemSequence() == null) {
      return bounds;
    }
    return bounds
        + ", believed from "
        + (row.systemStart() == null
            ? "NULL"
            : layout.describeSystemSequence(row.systemStart().bytes()))
        + (row.systemEnd() == null
            ? ""
            : " to " + layout.describeSystemSequence(row.systemEnd().bytes()));
  }
}
