package io.sluice.sequencing;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Makes the values of events that may be partial: the user columns, NULL where an event does not
 * author them, and behind them which leaves it authors.
 */
final class PartialEncoder {

  /** A column that COLUMNS TO UPDATE names and the flow does not deliver (semantics 0.6). */
  static final class UnknownColumnException extends Exception {

    private static final long serialVersionUID = 1L;

    UnknownColumnException(String name) {
      super("COLUMNS TO UPDATE names " + name + ", which is no column", null, false, false);
    }
  }

  private final LeafTree[] trees;
  private final RowData.FieldGetter[] getters;
  private final RowDataSerializer serializer;
  private final Authorship authorship;
  private final BitSet keys = new BitSet();
  private final BitSet ignoreNull = new BitSet();
  private final BitSet delivered = new BitSet();
  private final Map<String, Integer> positions = new HashMap<>();
  private final int listPosition;
  private final int leaves;

  PartialEncoder(EventLayout layout) {
    RowType columns = layout.columns();
    trees = LeafTree.of(columns);
    leaves = trees[trees.length - 1].end();
    getters = new RowData.FieldGetter[trees.length];
    for (int i = 0; i < trees.length; i++) {
      getters[i] = RowData.createFieldGetter(columns.getTypeAt(i), i);
    }
    serializer = new RowDataSerializer(TargetLayout.valueColumns(columns, true));
    authorship = layout.authorship();
    layout.keys().forEach(keys::set);
    authorship.ignoreNull().forEach(ignoreNull::set);
    for (int position : authorship.delivered()) {
      delivered.set(position);
      positions.put(columns.getFieldNames().get(position).toLowerCase(Locale.ROOT), position);
    }
    listPosition = layout.updateListPosition();
  }

  /**
   * The values of an upsert.
   *
   * @param row in the flow's layout
   * @throws UnknownColumnException if its list names a column that the flow does not deliver
   */
  BinaryRowData values(RowData row) throws UnknownColumnException {
    BitSet listed =
        authorship.listed() && !row.isNullAt(listPosition)
            ? listed(row.getArray(listPosition))
            : null;
    LeafMask mask = new LeafMask(leaves);
    GenericRowData values = new GenericRowData(trees.length + 1);
    for (int i = 0; i < trees.length; i++) {
      Object value = getters[i].getFieldOrNull(row);
      author(i, value, listed, mask);
      values.setField(i, value);
    }
    byte[] authored = mask.toBytes();
    if (authored != null) {
      for (int i = 0; i < trees.length; i++) {
        values.setField(i, trees[i].merge(values.getField(i), null, mask));
      }
    }
    values.setField(trees.length, authored);
    return serializer.toBinaryRow(values);
  }

  private void author(int column, Object value, BitSet listed, LeafMask mask) {
    if (keys.get(column)) {
      trees[column].authorAll(mask);
      return;
    }
    if (authorship.hasClause() && !delivered.get(column) || listed != null && !listed.get(column)) {
      return;
    }
    if (ignoreNull.get(column)) {
      trees[column].authorPresent(value, mask);
    } else {
      trees[column].authorAll(mask);
    }
    if (authorship.unavailable() != null) {
      trees[column].withdraw(value, authorship.unavailable(), mask);
    }
  }

  private BitSet listed(ArrayData names) throws UnknownColumnException {
    BitSet listed = new BitSet();
    for (int i = 0; i < names.size(); i++) {
      String name = names.isNullAt(i) ? null : names.getString(i).toString();
      Integer position = name == null ? null : positions.get(name.toLowerCase(Locale.ROOT));
      if (position == null) {
        throw new UnknownColumnException(name == null ? "NULL" : "'" + name + "'");
      }
      listed.set(position);
    }
    return listed;
  }
}
