package io.sluice.sequencing;

import io.sluice.history.Values;
import java.io.Serializable;
import java.util.BitSet;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
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
  private final RowDataSerializer serializer;
  private final int leaves;

  PartialValues(RowDataValues plain, boolean trackAll, RowType columns) {
    this.plain = plain;
    this.trackAll = trackAll;
    this.trees = LeafTree.of(columns);
    this.leaves = trees[trees.length - 1].end();
    this.getters = new RowData.FieldGetter[trees.length];
    for (int i = 0; i < trees.length; i++) {
      getters[i] = RowData.createFieldGetter(columns.getTypeAt(i), i);
    }
    this.serializer = new RowDataSerializer(TargetLayout.valueColumns(columns, true));
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
    GenericRowData complete = new GenericRowData(trees.length + 1);
    for (int i = 0; i < trees.length; i++) {
      complete.setField(
          i,
          trees[i].merge(
              getters[i].getFieldOrNull(event),
              before == null ? null : getters[i].getFieldOrNull(before),
              authored));
    }
    return serializer.toBinaryRow(complete).copy();
  }
}
