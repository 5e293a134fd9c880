package io.sluice.sequencing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The leaves of one column: what a partial update authors one by one (semantics 8.1). A column that
 * is no struct is one leaf; arrays and maps are atomic. A struct has a leaf for whether it is there
 * at all, and those of its fields. Leaves are numbered through all columns of a row.
 */
final class LeafTree implements Serializable {

  private static final long serialVersionUID = 1L;

  private final LogicalType type;
  private final int first;
  private final List<LeafTree> fields;
  private final RowData.FieldGetter[] getters;
  private final int end;

  private LeafTree(LogicalType type, int first) {
    this.type = type;
    this.first = first;
    List<LeafTree> nested = new ArrayList<>();
    int next = first + 1;
    if (type instanceof RowType row) {
      for (LogicalType field : row.getChildren()) {
        LeafTree tree = new LeafTree(field, next);
        nested.add(tree);
        next = tree.end;
      }
    }
    this.fields = List.copyOf(nested);
    this.end = next;
    this.getters = new RowData.FieldGetter[fields.size()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(fields.get(i).type, i);
    }
  }

  /** The trees of the columns of a row. */
  static LeafTree[] of(RowType columns) {
    LeafTree[] trees = new LeafTree[columns.getFieldCount()];
    int next = 0;
    for (int i = 0; i < trees.length; i++) {
      trees[i] = new LeafTree(columns.getTypeAt(i), next);
      next = trees[i].end;
    }
    return trees;
  }

  /** The number of the leaf behind those of this column. */
  int end() {
    return end;
  }

  /** Whether the column is one leaf. */
  boolean isAtomic() {
    return getters.length == 0;
  }

  /** Whether every leaf is authored. */
  boolean isWhole(LeafMask authored) {
    return authored.count(first, end) == end - first;
  }

  /** Whether no leaf is authored. */
  boolean isLeftAlone(LeafMask authored) {
    return authored.count(first, end) == 0;
  }

  /** Authors every leaf, NULL or not. */
  void authorAll(LeafMask mask) {
    mask.set(first, end);
  }

  /** Authors the leaves that are not NULL. */
  void authorPresent(Object value, LeafMask mask) {
    if (value == null) {
      return;
    }
    mask.set(first);
    for (int i = 0; i < getters.length; i++) {
      fields.get(i).authorPresent(getters[i].getFieldOrNull((RowData) value), mask);
    }
  }

  /** Takes back what is marked as not sent. */
  void withdraw(Object value, UnavailableValue marker, LeafMask mask) {
    if (value == null) {
      return;
    }
    if (getters.length == 0) {
      if (marker.matches(value)) {
        mask.clear(first);
      }
      return;
    }
    for (int i = 0; i < getters.length; i++) {
      fields.get(i).withdraw(getters[i].getFieldOrNull((RowData) value), marker, mask);
    }
  }

  /** The authored leaves of one value, and for the rest those of another; null for NULL. */
  Object merge(Object own, Object before, LeafMask authored) {
    int count = authored.count(first, end);
    if (count == end - first) {
      return own;
    }
    if (count == 0) {
      return before;
    }
    Object present = authored.get(first) ? own : before;
    if (present == null) {
      return null;
    }
    GenericRowData merged = new GenericRowData(getters.length);
    for (int i = 0; i < getters.length; i++) {
      merged.setField(
          i,
          fields
              .get(i)
              .merge(
                  own == null ? null : getters[i].getFieldOrNull((RowData) own),
                  before == null ? null : getters[i].getFieldOrNull((RowData) before),
                  authored));
    }
    return merged;
  }
}
