package io.sluice.plan;

import org.apache.flink.table.types.logical.LogicalType;

/** Pieces of Flink SQL text. */
final class Sql {

  private Sql() {}

  /** A name in back-quotes. */
  static String quote(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  /** A type in messages, nullability aside. */
  static String describe(LogicalType type) {
    return type.copy(true).asSummaryString();
  }

  /** A cast to a type, nullability aside. */
  static String cast(String expression, LogicalType type) {
    return "CAST(" + expression + " AS " + type.copy(true).asSerializableString() + ")";
  }
}
