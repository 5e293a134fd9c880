package io.sluice.plan;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * A snapshot version of a Java program. Timestamps keep microseconds (semantics 0.12).
 *
 * @param type its type in tables
 * @param internal its value in Flink's internal form
 */
record JavaVersion(LogicalType type, Object internal) {

  /** The version of a value; empty for classes that cannot be one. */
  static Optional<JavaVersion> of(Object value) {
    if (value instanceof Integer) {
      return Optional.of(new JavaVersion(new IntType(), value));
    }
    if (value instanceof Long) {
      return Optional.of(new JavaVersion(new BigIntType(), value));
    }
    if (value instanceof String text) {
      return Optional.of(new JavaVersion(VarCharType.STRING_TYPE, StringData.fromString(text)));
    }
    if (value instanceof LocalDate date) {
      return Optional.of(new JavaVersion(new DateType(), (int) date.toEpochDay()));
    }
    if (value instanceof LocalDateTime time) {
      return Optional.of(
          new JavaVersion(
              new TimestampType(6),
              TimestampData.fromLocalDateTime(time.truncatedTo(ChronoUnit.MICROS))));
    }
    if (value instanceof Instant instant) {
      return Optional.of(
          new JavaVersion(
              new LocalZonedTimestampType(6),
              TimestampData.fromInstant(instant.truncatedTo(ChronoUnit.MICROS))));
    }
    return Optional.empty();
  }

  /** The value as a program sees it; the inverse of {@link #of}. */
  static Object toJava(LogicalType type, Object internal) {
    return switch (type.getTypeRoot()) {
      case VARCHAR, CHAR -> internal.toString();
      case DATE -> LocalDate.ofEpochDay((Integer) internal);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> ((TimestampData) internal).toLocalDateTime();
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> ((TimestampData) internal).toInstant();
      default -> internal;
    };
  }
}
