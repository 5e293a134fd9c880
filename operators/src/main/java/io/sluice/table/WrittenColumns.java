package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * Whether a table still has the columns that rows are written with. Files name columns by their
 * numbers, so values of a column that somebody dropped would land where nobody finds them.
 */
public final class WrittenColumns {

  private WrittenColumns() {}

  /**
   * Checks it; columns that were added since do not matter.
   *
   * @param written the columns of the table when its writers began
   * @throws SluiceException COMMIT_CONFLICT with the column that was dropped or renamed
   */
  public static void require(String table, Schema written, Schema now) {
    for (Types.NestedField column : written.columns()) {
      Types.NestedField found = now.findField(column.fieldId());
      if (found == null || !found.name().equals(column.name())) {
        throw new SluiceException(
            ErrorCode.COMMIT_CONFLICT,
            "somebody "
                + (found == null ? "dropped" : "renamed")
                + " the column '"
                + column.name()
                + "' of table "
                + table
                + " after this update had read the table",
            "Run the update again; it adds the column");
      }
    }
  }
}
