package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The user columns of a target: those that the table has, then the declared ones, then those of its
 * flows by name (semantics 0.13). Names that differ in case only are one column.
 */
final class ColumnUnion {

  private final String table;
  private final List<Problem> problems;
  private final Map<String, Column> columns = new LinkedHashMap<>();

  private enum Source {
    TABLE,
    DECLARATION,
    FLOW
  }

  private record Column(String name, LogicalType type, Source source) {}

  /**
   * @param problems where problems are added
   */
  ColumnUnion(String table, List<Problem> problems) {
    this.table = table;
    this.problems = problems;
  }

  /** Columns that the table has. */
  void existing(RowType type) {
    for (RowType.RowField field : type.getFields()) {
      put(new Column(field.getName(), field.getType().copy(true), Source.TABLE));
    }
  }

  /** A column of the declaration. */
  void declared(String name, LogicalType type, SourceLocation at) {
    Column known = get(name);
    if (known == null) {
      put(new Column(name, type, Source.DECLARATION));
    } else if (!known.type().equals(type)) {
      if (known.source() == Source.TABLE && TableTypes.promotable(known.type(), type)) {
        put(new Column(known.name(), type, Source.DECLARATION));
      } else {
        incompatible(at, name, known, "is declared as " + Sql.describe(type));
      }
    }
  }

  /** The columns of a flow. */
  void flow(String flow, RowType type, SourceLocation at) {
    Map<String, String> names = new HashMap<>();
    for (RowType.RowField field : type.getFields()) {
      String other = names.put(field.getName().toLowerCase(Locale.ROOT), field.getName());
      if (other != null) {
        problems.add(
            Problem.at(
                at,
                ErrorCode.INCOMPATIBLE_SCHEMA,
                "flow '"
                    + flow
                    + "' delivers both '"
                    + other
                    + "' and '"
                    + field.getName()
                    + "', names that differ in case only and are one column of table "
                    + table,
                "Leave one out, or give it another name with AS"));
        continue;
      }
      Optional<LogicalType> stored = TableTypes.stored(field.getType());
      if (stored.isEmpty()) {
        problems.add(
            Problem.at(
                at,
                ErrorCode.INCOMPATIBLE_SCHEMA,
                "flow '"
                    + flow
                    + "' delivers column '"
                    + field.getName()
                    + "' as "
                    + Sql.describe(field.getType())
                    + ", which a table cannot hold",
                "CAST it in the query"));
        continue;
      }
      add(flow, field.getName(), stored.get(), at);
    }
  }

  private void add(String flow, String name, LogicalType type, SourceLocation at) {
    Column known = get(name);
    if (known == null) {
      put(new Column(name, type, Source.FLOW));
      return;
    }
    if (TableTypes.fits(type, known.type())) {
      return;
    }
    Optional<LogicalType> common = TableTypes.common(known.type(), type);
    boolean mayWiden =
        common.isPresent()
            && switch (known.source()) {
              case TABLE -> TableTypes.promotable(known.type(), common.get());
              case DECLARATION -> false;
              case FLOW -> true;
            };
    if (mayWiden) {
      put(new Column(known.name(), common.get(), known.source()));
    } else {
      incompatible(at, name, known, "comes from flow '" + flow + "' as " + Sql.describe(type));
    }
  }

  private void incompatible(SourceLocation at, String name, Column known, String other) {
    String is =
        switch (known.source()) {
          case TABLE -> " is " + Sql.describe(known.type()) + " in the existing table";
          case DECLARATION -> " is declared as " + Sql.describe(known.type());
          case FLOW -> " comes from another flow as " + Sql.describe(known.type());
        };
    problems.add(
        Problem.at(
            at,
            ErrorCode.INCOMPATIBLE_SCHEMA,
            "column '" + name + "' of table " + table + is + " and " + other,
            known.source() == Source.TABLE
                ? "CAST it in the query to "
                    + Sql.describe(known.type())
                    + ", or run with --full-refresh "
                    + table.substring(table.lastIndexOf('.') + 1)
                : "CAST it in the query to one type"));
  }

  private Column get(String name) {
    return columns.get(name.toLowerCase(Locale.ROOT));
  }

  private void put(Column column) {
    columns.put(column.name().toLowerCase(Locale.ROOT), column);
  }

  /** The union. */
  RowType type() {
    List<RowType.RowField> fields = new ArrayList<>();
    columns.values().forEach(c -> fields.add(new RowType.RowField(c.name(), c.type())));
    return new RowType(false, fields);
  }
}
