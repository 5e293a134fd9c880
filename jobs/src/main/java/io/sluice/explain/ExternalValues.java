package io.sluice.explain;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.conversion.DataStructureConverter;
import org.apache.flink.table.data.conversion.DataStructureConverters;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.utils.TypeConversions;

/** Turns values from Flink's internal form into its external one. */
final class ExternalValues {

  private final Map<LogicalType, DataStructureConverter<Object, Object>> converters =
      new HashMap<>();

  Object of(LogicalType type, Object internal) {
    return internal == null ? null : converter(type).toExternal(internal);
  }

  /** The columns of a row by name, some left out. */
  Map<String, Object> columns(RowType type, RowData row, List<Integer> without) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      if (!without.contains(i)) {
        Object value = RowData.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row);
        columns.put(type.getFieldNames().get(i), of(type.getTypeAt(i), value));
      }
    }
    return columns;
  }

  private DataStructureConverter<Object, Object> converter(LogicalType type) {
    return converters.computeIfAbsent(
        type.copy(true),
        nullable -> {
          DataStructureConverter<Object, Object> converter =
              DataStructureConverters.getConverter(TypeConversions.fromLogicalToDataType(nullable));
          converter.open(Thread.currentThread().getContextClassLoader());
          return converter;
        });
  }
}
