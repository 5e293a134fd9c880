package io.sluice.sequencing;

import java.time.LocalDate;
import java.util.HexFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/** Rows as short text for error messages. */
public final class RowText {

  private static final int LONGEST = 300;

  private RowText() {}

  /** {@code {a=1, b=x}}, cut after a few hundred characters. */
  static String of(RowType type, RowData row) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < type.getFieldCount() && text.length() < LONGEST; i++) {
      if (i > 0) {
        text.append(", ");
      }
      text.append(type.getFieldNames().get(i)).append('=').append(value(type.getTypeAt(i), row, i));
    }
    return text.length() > LONGEST
        ? text.substring(0, LONGEST) + "..."
        : text.append('}').toString();
  }

  private static String value(LogicalType type, RowData row, int position) {
    Object value = RowData.createFieldGetter(type, position).getFieldOrNull(row);
    if (value == null) {
      return "NULL";
    }
    return of(type, value);
  }

  /** One internal value as text. */
  public static String of(LogicalType type, Object value) {
    if (value instanceof byte[] bytes) {
      return "X'" + HexFormat.of().formatHex(bytes) + "'";
    }
    if (value instanceof RowData row && type instanceof RowType nested) {
      return of(nested, row);
    }
    if (type.is(LogicalTypeRoot.DATE) && value instanceof Integer days) {
      return LocalDate.ofEpochDay(days).toString();
    }
    if (value instanceof TimestampData timestamp) {
      return type.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE)
          ? timestamp.toInstant().toString()
          : timestamp.toLocalDateTime().toString();
    }
    return String.valueOf(value);
  }
}
