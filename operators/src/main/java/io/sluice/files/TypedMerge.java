package io.sluice.files;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/**
 * The type of a column whose Parquet or Avro files differ: BIGINT of INT and BIGINT, DOUBLE of
 * FLOAT and DOUBLE, the decimal that holds both, rows with the fields of both. Of types without a
 * common one the first stays, and the values of the other are rescued.
 */
final class TypedMerge {

  private TypedMerge() {}

  static RowType.RowField wider(RowType.RowField known, RowType.RowField added) {
    return new RowType.RowField(known.getName(), wider(known.getType(), added.getType()));
  }

  private static LogicalType wider(LogicalType known, LogicalType added) {
    LogicalTypeRoot knownRoot = known.getTypeRoot();
    LogicalTypeRoot addedRoot = added.getTypeRoot();
    boolean widens =
        (knownRoot == LogicalTypeRoot.INTEGER && addedRoot == LogicalTypeRoot.BIGINT)
            || (knownRoot == LogicalTypeRoot.FLOAT && addedRoot == LogicalTypeRoot.DOUBLE);
    if (widens) {
      return added.copy(true);
    }
    if (knownRoot != addedRoot) {
      return known;
    }
    return switch (knownRoot) {
      case DECIMAL -> decimal((DecimalType) known, (DecimalType) added);
      case ARRAY ->
          new ArrayType(
              wider(((ArrayType) known).getElementType(), ((ArrayType) added).getElementType()));
      case ROW -> row((RowType) known, (RowType) added);
      default -> known;
    };
  }

  private static LogicalType decimal(DecimalType known, DecimalType added) {
    int scale = Math.max(known.getScale(), added.getScale());
    int whole =
        Math.max(known.getPrecision() - known.getScale(), added.getPrecision() - added.getScale());
    int precision = whole + scale;
    return precision > DecimalType.MAX_PRECISION ? known : new DecimalType(precision, scale);
  }

  private static LogicalType row(RowType known, RowType added) {
    List<RowType.RowField> fields = new ArrayList<>();
    for (RowType.RowField field : known.getFields()) {
      fields.add(find(added, field.getName()).map(other -> wider(field, other)).orElse(field));
    }
    added.getFields().stream()
        .filter(field -> find(known, field.getName()).isEmpty())
        .forEach(fields::add);
    return new RowType(fields);
  }

  private static Optional<RowType.RowField> find(RowType type, String name) {
    return type.getFields().stream()
        .filter(field -> field.getName().equalsIgnoreCase(name))
        .findFirst();
  }
}
