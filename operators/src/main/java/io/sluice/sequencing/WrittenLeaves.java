package io.sluice.sequencing;

import io.sluice.table.AddedColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;

/**
 * Which leaves (see {@link LeafTree}) the files of a table have: a row does not author columns that
 * were added after it was written (semantics 0.13, 8.3).
 */
final class WrittenLeaves {

  private final AddedColumns added;
  private final List<Long> lackedUpTo = new ArrayList<>();
  private long known = AddedColumns.NONE;
  private byte[] mask;

  /**
   * @param columns the columns whose leaves are asked about
   */
  WrittenLeaves(RowType columns, Table table) {
    added = AddedColumns.of(table);
    add(columns, table.schema().asStruct(), AddedColumns.NONE);
  }

  private void add(RowType columns, StructType struct, long parent) {
    for (RowType.RowField column : columns.getFields()) {
      NestedField field = struct.field(column.getName());
      long own = field == null ? parent : Math.max(parent, added.lackedUpTo(field.fieldId()));
      lackedUpTo.add(own);
      LogicalType type = column.getType();
      if (type instanceof RowType nested) {
        add(nested, field == null ? StructType.of() : field.type().asStructType(), own);
      }
    }
  }

  /**
   * The leaves that files of a data sequence number have, as bits; null for all. Not to be changed.
   */
  byte[] mask(long dataSequenceNumber) {
    if (known != dataSequenceNumber) {
      LeafMask written = new LeafMask(lackedUpTo.size());
      for (int leaf = 0; leaf < lackedUpTo.size(); leaf++) {
        if (dataSequenceNumber > lackedUpTo.get(leaf)) {
          written.set(leaf);
        }
      }
      mask = written.toBytes();
      known = dataSequenceNumber;
    }
    return mask;
  }
}
