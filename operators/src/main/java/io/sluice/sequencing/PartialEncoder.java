package io.sluice.sequencing;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
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
  private final RowPacker packer;
  private final RowData[] sources;
  private final GenericRowData masks;
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
    packer = new RowPacker(TargetLayout.valueColumns(columns, true));
    sources = new RowData[trees.length + 1];
    masks = new GenericRowData(trees.length + 1);
    sources[trees.length] = masks;
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
   * The values of an upsert; the row is reused.
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
    for (int i = 0; i < trees.length; i++) {
      author(i, row, listed, mask);
    }
    byte[] authored = mask.toBytes();
    for (int i = 0; i < trees.length; i++) {
      sources[i] = authored == null || trees[i].isWhole(mask) ? row : partly(i, row, mask);
    }
    masks.setField(trees.length, authored);
    return packer.pack(sources);
  }

  /** A column of which some or no leaves are authored; the others become NULL. */
  private RowData partly(int column, RowData row, LeafMask mask) {
    if (trees[column].isLeftAlone(mask)) {
      return null;
    }
    GenericRowData part = new GenericRowData(trees.length);
    part.setField(column, trees[column].merge(getters[column].getFieldOrNull(row), null, mask));
    return part;
  }

  private void author(int column, RowData row, BitSet listed, LeafMask mask) {
    LeafTree tree = trees[column];
    if (keys.get(column)) {
      tree.authorAll(mask);
      return;
    }
    if (authorship.hasClause() && !delivered.get(column) || listed != null && !listed.get(column)) {
      return;
    }
    boolean onlyPresent = ignoreNull.get(column);
    if (!onlyPresent) {
      tree.authorAll(mask);
    } else if (tree.isAtomic()) {
      if (!row.isNullAt(column)) {
        tree.authorAll(mask);
      }
    } else {
      tree.authorPresent(getters[column].getFieldOrNull(row), mask);
    }
    if (authorship.unavailable() != null) {
      tree.withdraw(getters[column].getFieldOrNull(row), authorship.unavailable(), mask);
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
