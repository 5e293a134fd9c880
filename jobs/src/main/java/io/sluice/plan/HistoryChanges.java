package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sql.Names;
import io.sluice.sql.OptionValue;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SourceReference.Argument;
import io.sluice.sql.SourceReference.FunctionReference;
import io.sluice.sql.SourceReference.TableReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * {@code scd2_changes(TABLE t, valid_from, valid_to, key, ..)}: the change events of a history
 * table (semantics 0.14). Every row is an upsert at its {@code valid_from}, and a delete at its
 * {@code valid_to} where no row of the key begins up to then. Behind the columns of the table stand
 * {@code _change_type} ({@code upsert} or {@code delete}) and {@code _sequence}.
 *
 * <p>A row with equal bounds was never valid and gives nothing. One that ends before it begins has
 * no sequence, so that it is an invalid event (semantics 0.3).
 *
 * @param call the call
 * @param table the history: a table or a view
 * @param validFrom column with the begin of a row, included
 * @param validTo column with its end, excluded; NULL for an open row
 * @param keys the columns that identify what the history is about
 */
record HistoryChanges(
    FunctionReference call,
    TableReference table,
    OptionValue validFrom,
    OptionValue validTo,
    List<OptionValue> keys) {

  static final String NAME = "scd2_changes";
  static final String CHANGE_TYPE = "_change_type";
  static final String SEQUENCE = "_sequence";

  private static final String NEXT = "__next";

  static boolean isCall(SourceReference reference) {
    return reference instanceof FunctionReference function && function.name().equals(NAME);
  }

  /**
   * The parts of a call.
   *
   * @throws SluiceException SYNTAX if it has not the right arguments
   */
  static HistoryChanges of(FunctionReference call) {
    List<Argument> arguments = call.arguments();
    boolean table = !arguments.isEmpty() && arguments.get(0).table().isPresent();
    boolean named = arguments.stream().anyMatch(argument -> argument.name().isPresent());
    if (!table || named || arguments.size() < 4) {
      throw problem(
          call.at(),
          ErrorCode.SYNTAX,
          NAME + " has not the arguments it needs",
          "Write " + NAME + "(TABLE history, valid_from, valid_to, key, ..)");
    }
    List<OptionValue> columns = arguments.stream().skip(1).map(Argument::value).toList();
    return new HistoryChanges(
        call,
        arguments.get(0).table().get(),
        columns.get(0),
        columns.get(1),
        List.copyOf(columns.subList(2, columns.size())));
  }

  /**
   * The events as Flink SQL.
   *
   * @param source quoted name of the history
   * @param type its columns
   * @throws SluiceException with every column that is missing or has a type that does not fit
   */
  String sql(String source, RowType type) {
    check(type);
    String columns =
        type.getFieldNames().stream().map(Sql::quote).collect(Collectors.joining(", "));
    String from = quoted(validFrom, type);
    String to = quoted(validTo, type);
    String partition =
        keys.stream().map(key -> quoted(key, type)).collect(Collectors.joining(", "));
    String upserts =
        "SELECT %s, CAST('upsert' AS STRING) AS `%s`, CASE WHEN %s < %s THEN NULL ELSE %s END AS `%s`"
                .formatted(columns, CHANGE_TYPE, to, from, from, SEQUENCE)
            + " FROM %s WHERE %s IS NULL OR %s IS NULL OR %s <> %s"
                .formatted(source, from, to, from, to);
    // LEAD knows no zoned timestamps.
    String successors =
        "SELECT %s, MIN(%s) OVER (PARTITION BY %s ORDER BY %s ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING) AS `%s`"
                .formatted(columns, from, partition, from, NEXT)
            + " FROM %s WHERE %s IS NOT NULL AND (%s IS NULL OR %s > %s)"
                .formatted(source, from, to, to, from);
    String deletes =
        "SELECT %s, CAST('delete' AS STRING), %s FROM (%s)".formatted(columns, to, successors)
            + " WHERE %s IS NOT NULL AND (`%s` IS NULL OR `%s` > %s)".formatted(to, NEXT, NEXT, to);
    return upserts + " UNION ALL " + deletes;
  }

  private void check(RowType type) {
    List<Problem> problems = new ArrayList<>();
    List<OptionValue> named = new ArrayList<>(List.of(validFrom, validTo));
    named.addAll(keys);
    for (OptionValue column : named) {
      if (indexOf(column, type) < 0) {
        problems.add(
            Problem.at(
                column.at(),
                ErrorCode.INVALID_QUERY,
                NAME + ": " + table.name() + " has no column '" + column.text() + "'",
                Names.nearest(column.text(), type.getFieldNames())
                    .map(name -> "Did you mean '" + name + "'?")
                    .orElse("Its columns are " + String.join(", ", type.getFieldNames()))));
      }
    }
    for (String generated : List.of(CHANGE_TYPE, SEQUENCE)) {
      if (type.getFieldNames().stream().anyMatch(generated::equalsIgnoreCase)) {
        problems.add(
            Problem.at(
                table.at(),
                ErrorCode.INVALID_QUERY,
                NAME + ": " + table.name() + " has a column '" + generated + "' of its own",
                "Rename it in a view, and write TABLE and the name of the view"));
      }
    }
    if (problems.isEmpty()) {
      checkBounds(type, problems);
    }
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
  }

  private void checkBounds(RowType type, List<Problem> problems) {
    LogicalType from = type.getTypeAt(indexOf(validFrom, type)).copy(true);
    LogicalType to = type.getTypeAt(indexOf(validTo, type)).copy(true);
    if (!from.equals(to)) {
      problems.add(
          Problem.at(
              validTo.at(),
              ErrorCode.INVALID_QUERY,
              "%s: '%s' is %s and '%s' is %s"
                  .formatted(
                      NAME, validFrom.text(), Sql.describe(from), validTo.text(), Sql.describe(to)),
              "CAST one of them in a view, and write TABLE and the name of the view"));
    } else if (!OrderedColumn.isOrderable(from) || from instanceof RowType) {
      problems.add(
          Problem.at(
              validFrom.at(),
              ErrorCode.AUTOCDC_NON_ORDERABLE_SEQUENCE,
              NAME
                  + ": '"
                  + validFrom.text()
                  + "' is "
                  + Sql.describe(from)
                  + ", which has no order",
              "Name columns with numbers, dates or timestamps"));
    }
  }

  private static int indexOf(OptionValue column, RowType type) {
    for (int i = 0; i < type.getFieldCount(); i++) {
      if (type.getFieldNames().get(i).equalsIgnoreCase(column.text())) {
        return i;
      }
    }
    return -1;
  }

  private static String quoted(OptionValue column, RowType type) {
    return Sql.quote(type.getFieldNames().get(indexOf(column, type)));
  }

  /** The error for a history that is to be read incrementally. */
  SluiceException notIncremental(boolean changes) {
    return problem(
        call.at(),
        changes ? ErrorCode.AUTOCDC_BATCH_SOURCE : ErrorCode.BATCH_SOURCE,
        NAME + " reads a whole history and cannot be read incrementally",
        changes ? "Write AUTO CDC ONCE" : "Write INSERT INTO ONCE");
  }

  private static SluiceException problem(
      SourceLocation at, ErrorCode code, String message, String remedy) {
    return new SluiceException(Problem.at(at, code, message, remedy));
  }
}
