package io.sluice.sequencing;

import io.sluice.history.SequenceDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * What a {@link KeySet} says to the statistics of data files: bounds of the first key column and of
 * the end of a version. Every wanted row satisfies the expressions; others may too.
 */
final class KeySetFilter {

  private final KeySet keys;
  private final TargetLayout layout;
  private final Expression ofKeys;

  KeySetFilter(KeySet keys, TargetLayout layout) {
    this.keys = keys;
    this.layout = layout;
    this.ofKeys = keyBounds();
  }

  Expression ofKeys() {
    return ofKeys;
  }

  /**
   * The row is below the truncate of the update; false without one. With partial updates any row
   * may have a column that was written below it.
   */
  Expression belowTruncate(String column) {
    if (keys.truncate() == null) {
      return Expressions.alwaysFalse();
    }
    if (layout.partial()) {
      return Expressions.alwaysTrue();
    }
    return literal(layout.sequence(), keys.truncate())
        .<Expression>map(
            limit ->
                Expressions.or(Expressions.isNull(column), Expressions.lessThan(column, limit)))
        .orElse(Expressions.alwaysTrue());
  }

  /** The version is open, or ends at or after the least new event. */
  Expression notEndedBefore(String column) {
    Optional<Object> least = literal(layout.sequence(), keys.leastSequence());
    return least.isEmpty()
        ? Expressions.alwaysTrue()
        : Expressions.or(
            Expressions.isNull(column), Expressions.greaterThanOrEqual(column, least.get()));
  }

  /** One of the columns is at or after the least new event. */
  Expression reachesLeast(List<String> columns) {
    Optional<Object> least = literal(layout.sequence(), keys.leastSequence());
    return least.isEmpty()
        ? Expressions.alwaysTrue()
        : columns.stream()
            .map(column -> (Expression) Expressions.greaterThanOrEqual(column, least.get()))
            .reduce(Expressions.alwaysFalse(), Expressions::or);
  }

  private Expression keyBounds() {
    if (!keys.hasKeys()) {
      return Expressions.alwaysFalse();
    }
    OrderedColumn first = layout.keyColumns().get(0);
    List<RowKey> few = keys.few();
    if (!few.isEmpty()) {
      List<Object> values =
          few.stream()
              .map(key -> literal(first, key.bytes()).orElse(null))
              .filter(Objects::nonNull)
              .distinct()
              .toList();
      return values.isEmpty()
          ? Expressions.alwaysTrue()
          : Expressions.in(first.name(), values.toArray());
    }
    Optional<Object> least = literal(first, keys.least());
    Optional<Object> greatest = literal(first, keys.greatest());
    return least.isEmpty() || greatest.isEmpty()
        ? Expressions.alwaysTrue()
        : Expressions.and(
            Expressions.greaterThanOrEqual(first.name(), least.get()),
            Expressions.lessThanOrEqual(first.name(), greatest.get()));
  }

  /** The leading value of ordered bytes as Iceberg writes it in expressions; empty if it cannot. */
  private static Optional<Object> literal(OrderedColumn column, byte[] bytes) {
    if (bytes == null || bytes.length == 0 || !column.isScalar()) {
      return Optional.empty();
    }
    Object value = column.take(new SequenceDecoder(bytes));
    LogicalType type = column.type();
    return switch (type.getTypeRoot()) {
      case INTEGER, BIGINT, DATE -> Optional.of(value);
      case CHAR, VARCHAR -> Optional.of(((StringData) value).toString());
      case BINARY, VARBINARY -> Optional.of(ByteBuffer.wrap((byte[]) value));
      case DECIMAL -> Optional.of(((DecimalData) value).toBigDecimal());
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          LogicalTypeChecks.getPrecision(type) <= 6
              ? Optional.of(micros((TimestampData) value))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static long micros(TimestampData value) {
    return value.getMillisecond() * 1000 + value.getNanoOfMillisecond() / 1000;
  }
}
