package io.sluice.plan;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.lit;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.TextValue;
import io.sluice.sequencing.TargetLayout;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.ApiExpression;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.data.conversion.DataStructureConverter;
import org.apache.flink.table.data.conversion.DataStructureConverters;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.utils.TypeConversions;

/**
 * The places on the axes of time at which a query looks at tables with history (semantics 10.1):
 * only rows whose half-open interval contains the place are there. A table without an axis is read
 * as it is.
 *
 * @param system place on the system axis, as text of the system sequence's type
 * @param business place on the business axis, as text of the sequence's type
 */
public record AsOf(Optional<String> system, Optional<String> business) {

  private static final String SYSTEM_OPTION = "--as-of-system";
  private static final String BUSINESS_OPTION = "--as-of-business";

  /** The tables as they are, with all their rows. */
  public static final AsOf ALL = new AsOf(Optional.empty(), Optional.empty());

  boolean isAll() {
    return system.isEmpty() && business.isEmpty();
  }

  /** Whether a table has an axis with a place. */
  boolean restricts(RowType columns) {
    return system.isPresent() && hasSystemAxis(columns)
        || business.isPresent() && hasBusinessAxis(columns);
  }

  static boolean hasSystemAxis(RowType columns) {
    return columns
        .getFieldNames()
        .containsAll(List.of(TargetLayout.SYSTEM_START_AT, TargetLayout.SYSTEM_END_AT));
  }

  static boolean hasBusinessAxis(RowType columns) {
    return columns.getFieldNames().containsAll(List.of(TargetLayout.START_AT, TargetLayout.END_AT));
  }

  /**
   * The rows of a table at the places.
   *
   * @param name how messages call the table
   * @throws SluiceException INVALID_CALL if a place cannot be a value of the sequence
   */
  Table of(String name, Table table) {
    RowType columns = FlinkSession.rowType(table);
    Table at = table;
    if (system.isPresent() && hasSystemAxis(columns)) {
      at =
          at.filter(
              contains(
                  TargetLayout.SYSTEM_START_AT,
                  TargetLayout.SYSTEM_END_AT,
                  place(name, columns, TargetLayout.SYSTEM_START_AT, SYSTEM_OPTION, system.get())));
    }
    if (business.isPresent() && hasBusinessAxis(columns)) {
      at =
          at.filter(
              contains(
                  TargetLayout.START_AT,
                  TargetLayout.END_AT,
                  place(name, columns, TargetLayout.START_AT, BUSINESS_OPTION, business.get())));
    }
    return at;
  }

  private static ApiExpression contains(String start, String end, ApiExpression place) {
    return $(start).isLessOrEqual(place).and($(end).isNull().or($(end).isGreater(place)));
  }

  private static ApiExpression place(
      String table, RowType columns, String column, String option, String text) {
    LogicalType type = columns.getTypeAt(columns.getFieldNames().indexOf(column)).copy(false);
    DataType external = TypeConversions.fromLogicalToDataType(type);
    Optional<Object> value = TextValue.parse(type, text);
    if (value.isEmpty()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          option
              + " cannot be '"
              + text
              + "': "
              + column
              + " of table "
              + table
              + " has type "
              + Sql.describe(type),
          TextValue.isReadable(type)
              ? "Write a value of that type; dates and times as in 2026-01-31T12:30:00Z"
              : "Write the conditions on the bounds into the query");
    }
    DataStructureConverter<Object, Object> converter =
        DataStructureConverters.getConverter(external);
    converter.open(AsOf.class.getClassLoader());
    return lit(converter.toExternal(value.get()), external);
  }

  /**
   * Checks that the places say something about a query.
   *
   * @param systemAxis whether it reads a table with a system axis
   * @param businessAxis whether it reads a table with a business axis
   * @throws SluiceException INVALID_CALL if an option would change nothing
   */
  void requireAxes(boolean systemAxis, boolean businessAxis) {
    if (system.isPresent() && !systemAxis) {
      throw unused(SYSTEM_OPTION, "bitemporal", "STORED AS BITEMPORAL");
    }
    if (business.isPresent() && !businessAxis) {
      throw unused(
          BUSINESS_OPTION, "SCD type 2 or bitemporal", "STORED AS SCD TYPE 2 or BITEMPORAL");
    }
  }

  private static SluiceException unused(String option, String kind, String stored) {
    return new SluiceException(
        ErrorCode.INVALID_CALL,
        option + " means nothing here: the query reads no " + kind + " table",
        "Leave the option out, or query a table that is " + stored);
  }
}
