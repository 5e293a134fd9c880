package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Brings rows into the column order of the table they are written to, by name. The two differ where
 * somebody else has added a column behind the generated ones or moved columns; what the rows do not
 * have is NULL.
 */
public final class RowOrder implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final GenericRowData NULL = new GenericRowData(1);

  private final int[] positions;
  private final boolean same;

  private transient ProjectedRowData view;

  private RowOrder(int[] positions, boolean same) {
    this.positions = positions;
    this.same = same;
  }

  /**
   * The order for rows of a type.
   *
   * @throws SluiceException COMMIT_CONFLICT if the table cannot take the rows: its columns have
   *     changed since the update was planned
   */
  public static RowOrder of(RowType rows, Table table) {
    RowType stored = FlinkSchemaUtil.convert(table.schema());
    int[] positions = new int[stored.getFieldCount()];
    boolean same = positions.length == rows.getFieldCount();
    List<String> given = new ArrayList<>(rows.getFieldNames());
    for (int i = 0; i < positions.length; i++) {
      NestedField column = table.schema().columns().get(i);
      int at = given.indexOf(column.name());
      if (at < 0 && column.isRequired()) {
        throw changed(table, "has the new required column '" + column.name() + "'");
      }
      if (at >= 0 && !sameShape(rows.getTypeAt(at), stored.getTypeAt(i))) {
        throw changed(table, "has changed the type of column '" + column.name() + "'");
      }
      positions[i] = at < 0 ? rows.getFieldCount() : at;
      same &= positions[i] == i;
    }
    List<String> missing =
        given.stream().filter(name -> !stored.getFieldNames().contains(name)).toList();
    if (!missing.isEmpty()) {
      throw changed(table, "has lost the columns " + missing);
    }
    return new RowOrder(positions, same);
  }

  private static boolean sameShape(LogicalType left, LogicalType right) {
    if (left.getTypeRoot() != right.getTypeRoot()
        || left.getChildren().size() != right.getChildren().size()) {
      return false;
    }
    for (int i = 0; i < left.getChildren().size(); i++) {
      if (!sameShape(left.getChildren().get(i), right.getChildren().get(i))) {
        return false;
      }
    }
    return true;
  }

  private static SluiceException changed(Table table, String what) {
    return new SluiceException(
        ErrorCode.COMMIT_CONFLICT,
        "table " + table.name() + " " + what + " since this update was planned",
        "Run the update again; it plans with the columns that the table has then");
  }

  /** The row in the table's order; the object is reused. */
  public RowData apply(RowData row) {
    if (same) {
      return row;
    }
    if (view == null) {
      view = ProjectedRowData.from(positions);
    }
    return view.replaceRow(new JoinedRowData(row, NULL));
  }
}
