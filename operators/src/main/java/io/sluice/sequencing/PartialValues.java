package io.sluice.sequencing;

import io.sluice.history.Values;
import java.io.Serializable;
import java.util.BitSet;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * The values of a target with partial updates (semantics 8): the user columns, and behind them the
 * leaves that an event authors, NULL for all.
 */
final class PartialValues implements Values<BinaryRowData>, Serializable {

  private static final long serialVersionUID = 1L;

  private final RowDataValues plain;
  private final boolean trackAll;
  private final LeafTree[] trees;
  private final RowData.FieldGetter[] getters;
  private final RowType columns;
  private final int leaves;

  private transient RowPacker packer;

  PartialValues(RowDataValues plain, boolean trackAll, RowType columns) {
    this.plain = plain;
    this.trackAll = trackAll;
    this.trees = LeafTree.of(columns);
    this.leaves = trees[trees.length - 1].end();
    this.getters = new RowData.FieldGetter[trees.length];
    for (int i = 0; i < trees.length; i++) {
      getters[i] = RowData.createFieldGetter(columns.getTypeAt(i), i);
    }
    this.columns = TargetLayout.valueColumns(columns, true);
  }

  @Override
  public boolean same(BinaryRowData left, BinaryRowData right) {
    return plain.same(left, right);
  }

  @Override
  public boolean sameTracked(BinaryRowData left, BinaryRowData right) {
    return plain.sameTracked(left, right);
  }

  @Override
  public int compareContent(BinaryRowData left, BinaryRowData right) {
    return plain.compareContent(left, right);
  }

  @Override
  public boolean arePartial() {
    return true;
  }

  @Override
  public boolean trackAll() {
    return trackAll;
  }

  @Override
  public int leaves() {
    return leaves;
  }

  @Override
  public BitSet authored(BinaryRowData event) {
    return event.isNullAt(trees.length) ? null : BitSet.valueOf(event.getBinary(trees.length));
  }

  @Override
  public BinaryRowData inherit(BinaryRowData event, BinaryRowData before) {
    if (event.isNullAt(trees.length)) {
      return event;
    }
    LeafMask authored = new LeafMask(event.getBinary(trees.length), leaves);
    RowData[] sources = new RowData[trees.length + 1];
    for (int i = 0; i < trees.length; i++) {
      sources[i] = source(i, event, before, authored);
    }
    if (packer == null) {
      packer = new RowPacker(columns);
    }
    return packer.pack(sources).copy();
  }

  /** The row whose column it is; a new one where a struct comes from both. */
  private RowData source(int column, BinaryRowData event, BinaryRowData before, LeafMask authored) {
    LeafTree tree = trees[column];
    if (tree.isWhole(authored)) {
      return event;
    }
    if (tree.isLeftAlone(authored)) {
      return before;
    }
    GenericRowData merged = new GenericRowData(trees.length);
    merged.setField(
        column,
        tree.merge(
            getters[column].getFieldOrNull(event),
            before == null ? null : getters[column].getFieldOrNull(before),
            authored));
    return merged;
  }
}
