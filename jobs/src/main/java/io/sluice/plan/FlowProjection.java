package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.CdcDefinition;
import io.sluice.pipeline.Flow;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.Identifier;
import io.sluice.sql.RenderedSql;
import io.sluice.sql.SqlExpression;
import io.sluice.sql.StructField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/**
 * From the rows of a flow's query to the rows of its target: columns by name, in the target's order
 * and types, missing ones NULL; for AUTO CDC the sequence and the delete flag behind them. Clauses
 * are evaluated on the whole source row (semantics 4.1).
 */
final class FlowProjection {

  /** What every call of a window function has; also found where it is something else. */
  private static final Pattern WINDOW = Pattern.compile("\\bOVER\\b", Pattern.CASE_INSENSITIVE);

  private final FlinkSession session;
  private final TemporaryNames names;
  private final Flow flow;
  private final PlannedQuery query;
  private final String view;

  FlowProjection(FlinkSession session, TemporaryNames names, Flow flow, PlannedQuery query) {
    this.session = session;
    this.names = names;
    this.flow = flow;
    this.query = query;
    this.view = names.next("flow");
    session.tables().createTemporaryView(view, query.table());
  }

  /**
   * The type of a sequence as tables keep it.
   *
   * @param clause SEQUENCE BY or SYSTEM SEQUENCE BY
   * @throws SluiceException AUTOCDC_NON_ORDERABLE_SEQUENCE, or INVALID_QUERY at the expression
   */
  LogicalType sequenceType(String clause, SqlExpression expression) {
    Optional<List<StructField>> struct = expression.structFields();
    LogicalType type;
    if (struct.isPresent()) {
      List<RowType.RowField> fields = new ArrayList<>();
      for (StructField field : struct.get()) {
        fields.add(
            new RowType.RowField(field.name(), scalarType(clause, field.expression()).copy(true)));
      }
      type = new RowType(true, fields);
    } else {
      type = scalarType(clause, expression);
    }
    return type;
  }

  private LogicalType scalarType(String clause, SqlExpression expression) {
    LogicalType type = typeOf(expression.render(), expression.at());
    Optional<LogicalType> stored = TableTypes.stored(type);
    if (stored.isEmpty() || !OrderedColumn.isOrderable(stored.get())) {
      throw new SluiceException(
          Problem.at(
              expression.at(),
              ErrorCode.AUTOCDC_NON_ORDERABLE_SEQUENCE,
              "flow '"
                  + flow.name()
                  + "': "
                  + clause
                  + " "
                  + expression
                  + " has type "
                  + Sql.describe(type)
                  + ", which has no order",
              "Sequence by a number, a timestamp, a text or a struct of these"));
    }
    return stored.get();
  }

  /** Checks APPLY AS DELETE WHEN and APPLY AS TRUNCATE WHEN. */
  void checkConditions() {
    CdcDefinition cdc = flow.cdc().orElseThrow();
    checkCondition(cdc.deleteWhen(), "APPLY AS DELETE WHEN");
    checkCondition(cdc.truncateWhen(), "APPLY AS TRUNCATE WHEN");
  }

  private void checkCondition(Optional<SqlExpression> condition, String clause) {
    if (condition.isEmpty()) {
      return;
    }
    LogicalType type = typeOf(condition.get().render(), condition.get().at());
    if (!type.is(LogicalTypeRoot.BOOLEAN)) {
      throw new SluiceException(
          Problem.at(
              condition.get().at(),
              ErrorCode.INVALID_QUERY,
              "flow '"
                  + flow.name()
                  + "': "
                  + clause
                  + " has type "
                  + Sql.describe(type)
                  + " instead of BOOLEAN",
              "Write a condition"));
    }
  }

  private LogicalType typeOf(RenderedSql expression, SourceLocation at) {
    RenderedSql sql = expression.surroundedBy("SELECT (", ") AS `value` FROM " + view);
    try {
      return FlinkSession.rowType(session.tables().sqlQuery(sql.text())).getTypeAt(0);
    } catch (RuntimeException e) {
      throw new SluiceException(List.of(PlannerErrors.problem(sql, at, e, query.columns())), e);
    }
  }

  /** The rows of an append flow as rows of the target. */
  DataStream<RowData> appendRows(RowType target) {
    return rows(columns(target, query.visibleType()));
  }

  /**
   * The rows of a CDC flow in the layout of {@link io.sluice.sequencing.EventLayout}.
   *
   * @param delivered the columns that the flow delivers
   * @param layout the target's, for the types of its sequences
   */
  DataStream<RowData> changeRows(RowType target, RowType delivered, TargetLayout layout) {
    CdcDefinition cdc = flow.cdc().orElseThrow();
    List<String> list = columns(target, delivered);
    list.add(sequence(cdc.sequenceBy().orElseThrow(), layout.sequence(), "__sequence"));
    cdc.systemSequenceBy()
        .ifPresent(each -> list.add(sequence(each, layout.systemSequence(), "__system_sequence")));
    list.add(deletes(cdc) + " AS `__delete`");
    cdc.truncateWhen()
        .ifPresent(condition -> list.add("(" + condition.render().text() + ") AS `__truncate`"));
    cdc.columnsToUpdate()
        .ifPresent(
            column ->
                list.add("CAST(" + Sql.quote(nameOf(column)) + " AS ARRAY<STRING>) AS `__update`"));
    if (query.positioned()) {
      ResolvedSource.POSITION_COLUMNS.forEach(column -> list.add(Sql.quote(column)));
    }
    return rows(list);
  }

  private DataStream<RowData> rows(List<String> list) {
    Table table = session.tables().sqlQuery("SELECT " + String.join(", ", list) + " FROM " + view);
    boolean rowByRow = query.rowByRow() && list.stream().noneMatch(WINDOW.asPredicate());
    return rowByRow ? session.rowByRow(table, flow.at()) : session.rows(table, flow.at());
  }

  /** A row that its source deletes is a delete whatever the condition says (semantics 4.1). */
  private String deletes(CdcDefinition cdc) {
    String condition =
        cdc.deleteWhen().map(each -> "(" + each.render().text() + ")").orElse("FALSE");
    boolean changelog = query.positionedBy().filter(ResolvedSource::changelog).isPresent();
    return changelog ? Sql.quote(ResolvedSource.ROW_DELETE) + " OR " + condition : condition;
  }

  private static String sequence(SqlExpression expression, OrderedColumn column, String name) {
    return Sql.cast(expression.render().text(), column.type()) + " AS " + Sql.quote(name);
  }

  /** A column as the query spells it. */
  private String nameOf(Identifier column) {
    return query.columns().stream()
        .filter(column.text()::equalsIgnoreCase)
        .findFirst()
        .orElse(column.text());
  }

  private static List<String> columns(RowType target, RowType delivered) {
    List<String> list = new ArrayList<>();
    for (RowType.RowField wanted : target.getFields()) {
      String name = Sql.quote(wanted.getName());
      Optional<RowType.RowField> given =
          delivered.getFields().stream()
              .filter(field -> field.getName().equalsIgnoreCase(wanted.getName()))
              .findFirst();
      if (given.isEmpty()) {
        list.add(Sql.cast("NULL", wanted.getType()) + " AS " + name);
      } else if (given.get().getType().copy(true).equals(wanted.getType().copy(true))) {
        list.add(Sql.quote(given.get().getName()) + " AS " + name);
      } else {
        list.add(Sql.cast(Sql.quote(given.get().getName()), wanted.getType()) + " AS " + name);
      }
    }
    return list;
  }
}
