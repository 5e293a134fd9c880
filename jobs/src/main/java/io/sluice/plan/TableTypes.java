package io.sluice.plan;

import java.util.List;
import java.util.Optional;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeCasts;
import org.apache.flink.table.types.logical.utils.LogicalTypeMerging;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;

/** Flink types as Iceberg tables hold them. */
final class TableTypes {

  private TableTypes() {}

  /** The nullable type that comes back when a column of a type is stored; empty if it cannot be. */
  static Optional<LogicalType> stored(LogicalType type) {
    try {
      return Optional.of(FlinkSchemaUtil.convert(FlinkSchemaUtil.convert(type)).copy(true));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Whether values of one stored type fit into another without a cast that the user writes. */
  static boolean fits(LogicalType from, LogicalType to) {
    return from.copy(true).equals(to.copy(true))
        || LogicalTypeCasts.supportsImplicitCast(from.copy(true), to.copy(true));
  }

  /** A type that values of both fit into. */
  static Optional<LogicalType> common(LogicalType left, LogicalType right) {
    return LogicalTypeMerging.findCommonType(List.of(left.copy(true), right.copy(true)))
        .flatMap(TableTypes::stored);
  }

  /** Whether Iceberg can change a column from one type to the other in place. */
  static boolean promotable(LogicalType from, LogicalType to) {
    Type before = FlinkSchemaUtil.convert(from);
    Type after = FlinkSchemaUtil.convert(to);
    return before.isPrimitiveType()
        && after.isPrimitiveType()
        && TypeUtil.isPromotionAllowed(before, after.asPrimitiveType());
  }

  /** Whether two columns have the same type, nullability aside. */
  static boolean same(Type column, Type other) {
    return FlinkSchemaUtil.convert(column)
        .copy(true)
        .equals(FlinkSchemaUtil.convert(other).copy(true));
  }

  /** Whether a column of one type can hold values of the other, maybe after a promotion. */
  static boolean holds(Type column, Type values) {
    LogicalType before = FlinkSchemaUtil.convert(column).copy(true);
    LogicalType after = FlinkSchemaUtil.convert(values).copy(true);
    return before.equals(after) || promotable(before, after);
  }
}
