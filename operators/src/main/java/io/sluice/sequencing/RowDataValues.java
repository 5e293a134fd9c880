package io.sluice.sequencing;

import io.sluice.history.Values;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Compares the user columns of events and rows of one key. Both sides were written by the same
 * serializer, so equal columns have equal bytes and NULL equals NULL.
 */
public final class RowDataValues implements Values<BinaryRowData>, Serializable {

  private static final long serialVersionUID = 1L;

  private final int[] tracked;
  private final RowData.FieldGetter[] getters;

  private RowDataValues(int[] tracked, RowData.FieldGetter[] getters) {
    this.tracked = tracked;
    this.getters = getters;
  }

  /** Every column is tracked. */
  public static RowDataValues trackingAll() {
    return new RowDataValues(null, null);
  }

  /**
   * Only some columns open a new version (TRACK HISTORY ON, semantics 7).
   *
   * @param types types of all user columns
   * @param columns positions of the tracked ones
   */
  public static RowDataValues tracking(List<LogicalType> types, List<Integer> columns) {
    RowData.FieldGetter[] getters = new RowData.FieldGetter[types.size()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(types.get(i), i);
    }
    return new RowDataValues(columns.stream().mapToInt(Integer::intValue).toArray(), getters);
  }

  @Override
  public boolean same(BinaryRowData left, BinaryRowData right) {
    return left.equals(right);
  }

  @Override
  public boolean sameTracked(BinaryRowData left, BinaryRowData right) {
    if (tracked == null) {
      return left.equals(right);
    }
    for (int column : tracked) {
      Object one = getters[column].getFieldOrNull(left);
      Object other = getters[column].getFieldOrNull(right);
      boolean equal =
          one instanceof byte[] bytes
              ? other instanceof byte[] others && Arrays.equals(bytes, others)
              : Objects.equals(one, other);
      if (!equal) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareContent(BinaryRowData left, BinaryRowData right) {
    return Arrays.compareUnsigned(bytes(left), bytes(right));
  }

  private static byte[] bytes(BinaryRowData row) {
    MemorySegment[] segments = row.getSegments();
    return BinarySegmentUtils.copyToBytes(segments, row.getOffset(), row.getSizeInBytes());
  }
}
