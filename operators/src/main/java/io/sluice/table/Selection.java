package io.sluice.table;

import java.util.List;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * Which rows a reader hands over.
 *
 * @param filter true for every wanted row; used to skip files, partitions and row groups only, and
 *     never trusted to be exact
 * @param keyColumns top-level columns that the test looks at, all of them in the projection
 * @param keyTest decides on a row that holds exactly the key columns, in their order
 * @param passes how the columns are read
 */
public record Selection(
    Expression filter, List<String> keyColumns, RowPredicate keyTest, Passes passes) {

  /** How the columns of a row group are read. */
  public enum Passes {
    /** All columns at once: right where most rows are wanted. */
    ONE,
    /** The key columns first, the projection only of row groups with a wanted row. */
    TWO
  }

  public Selection {
    keyColumns = List.copyOf(keyColumns);
    if (keyColumns.isEmpty() && passes == Passes.TWO) {
      throw new IllegalArgumentException("two passes need key columns");
    }
  }

  /** Every row. */
  public static Selection all() {
    return new Selection(Expressions.alwaysTrue(), List.of(), row -> true, Passes.ONE);
  }
}
