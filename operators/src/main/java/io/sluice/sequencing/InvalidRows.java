package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import java.util.function.LongFunction;

/** The error for rows of a target that no history can have (semantics 0.17). */
final class InvalidRows {

  private InvalidRows() {}

  /**
   * Names the row.
   *
   * @param row null if it is not known where it lies
   * @param files paths of the target's data files by number
   */
  static SluiceException error(
      TargetLayout layout,
      RowKey key,
      InvalidHistoryException e,
      ExistingRow row,
      LongFunction<String> files) {
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
                : " (file " + files.apply(row.file()) + ", position " + row.position() + ")"),
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
