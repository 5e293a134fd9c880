package io.sluice.files;

import java.util.Optional;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/** NOT NULL, at every depth of a declared schema. */
final class NullCheck {

  private NullCheck() {}

  /** Whether a type below the outermost one forbids NULL. */
  static boolean isNeeded(LogicalType type) {
    return type.getChildren().stream().anyMatch(child -> !child.isNullable() || isNeeded(child));
  }

  /** The first field that is NULL and must not be. */
  static Optional<String> violation(RowData row, RowType type) {
    for (int index = 0; index < type.getFieldCount(); index++) {
      LogicalType fieldType = type.getTypeAt(index);
      String name = type.getFieldNames().get(index);
      Object value = RowData.createFieldGetter(fieldType, index).getFieldOrNull(row);
      Optional<String> found = violation(value, fieldType, name);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> violation(Object value, LogicalType type, String name) {
    if (value == null) {
      return type.isNullable() ? Optional.empty() : Optional.of(name);
    }
    if (!isNeeded(type)) {
      return Optional.empty();
    }
    LogicalTypeRoot root = type.getTypeRoot();
    if (root == LogicalTypeRoot.ROW) {
      return violation((RowData) value, (RowType) type).map(inner -> name + "." + inner);
    }
    if (root == LogicalTypeRoot.ARRAY) {
      return violation((ArrayData) value, type.getChildren().get(0), name);
    }
    MapType map = (MapType) type;
    org.apache.flink.table.data.MapData entries = (org.apache.flink.table.data.MapData) value;
    return violation(entries.valueArray(), map.getValueType(), name);
  }

  private static Optional<String> violation(ArrayData array, LogicalType element, String name) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(element);
    for (int index = 0; index < array.size(); index++) {
      Object value = getter.getElementOrNull(array, index);
      Optional<String> found = violation(value, element, name + "[" + index + "]");
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
