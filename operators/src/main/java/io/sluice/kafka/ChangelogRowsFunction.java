package io.sluice.kafka;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/**
 * Makes plain rows of changes (semantics 4.1): the old image of an update is dropped, and a column
 * says of every other row whether it is a delete. It stands before the last two columns, which are
 * the row's position.
 */
public final class ChangelogRowsFunction extends ProcessFunction<Row, Row> {

  private static final long serialVersionUID = 1L;

  private static final int POSITION_COLUMNS = 2;

  /**
   * The type of the rows.
   *
   * @param changes that of the changes
   * @param deleteColumn name of the added column
   */
  public static DataType producedType(DataType changes, String deleteColumn) {
    List<String> names = DataType.getFieldNames(changes);
    List<DataType> types = DataType.getFieldDataTypes(changes);
    int visible = names.size() - POSITION_COLUMNS;
    List<DataTypes.Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (i == visible) {
        fields.add(DataTypes.FIELD(deleteColumn, DataTypes.BOOLEAN().notNull()));
      }
      fields.add(DataTypes.FIELD(names.get(i), types.get(i)));
    }
    return DataTypes.ROW(fields).notNull();
  }

  @Override
  public void processElement(Row change, Context context, Collector<Row> out) {
    if (change.getKind() == RowKind.UPDATE_BEFORE) {
      return;
    }
    int visible = change.getArity() - POSITION_COLUMNS;
    Row row = new Row(change.getArity() + 1);
    for (int i = 0; i < change.getArity(); i++) {
      row.setField(i < visible ? i : i + 1, change.getField(i));
    }
    row.setField(visible, change.getKind() == RowKind.DELETE);
    out.collect(row);
  }
}
