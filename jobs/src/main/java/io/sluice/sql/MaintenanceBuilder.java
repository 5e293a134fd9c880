package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds the statements that change or refresh existing tables and views. */
final class MaintenanceBuilder {

  private final Fragments fragments;
  private final TableBuilder tables;

  MaintenanceBuilder(Fragments fragments, TableBuilder tables) {
    this.fragments = fragments;
    this.tables = tables;
  }

  Statement alter(SourceLocation at, StatementParser.AlterStatementContext context) {
    AlterSchedule.Action action =
        context.DROP() != null
            ? AlterSchedule.Action.DROP
            : context.ADD() != null ? AlterSchedule.Action.ADD : AlterSchedule.Action.ALTER;
    return new AlterSchedule(
        at,
        context.STREAMING() != null ? ObjectKind.STREAMING_TABLE : ObjectKind.MATERIALIZED_VIEW,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        action,
        Optional.ofNullable(context.schedule()).map(tables::schedule));
  }

  Statement refresh(SourceLocation at, StatementParser.RefreshStatementContext context) {
    Set<String> seen = new HashSet<>();
    Optional<SqlExpression> where = Optional.empty();
    for (StatementParser.RefreshOptionContext option : context.refreshOption()) {
      String word = fragments.token(option).upper();
      boolean waits = word.endsWith("SYNC");
      if (!seen.add(word) || waits && seen.contains("SYNC") && seen.contains("ASYNC")) {
        fragments.duplicate(fragments.at(option), waits ? "SYNC or ASYNC" : word);
      }
      if (option.WHERE() != null) {
        where = Optional.of(fragments.expression(option.refreshPredicate()));
      }
    }
    return new Refresh(
        at,
        context.MATERIALIZED() != null
            ? ObjectKind.MATERIALIZED_VIEW
            : context.STREAMING() != null ? ObjectKind.STREAMING_TABLE : ObjectKind.TABLE,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        seen.contains("FULL"),
        where,
        seen.contains("ASYNC"));
  }

  Statement drop(SourceLocation at, StatementParser.DropStatementContext context) {
    ObjectKind object =
        context.VIEW() != null
            ? context.MATERIALIZED() != null ? ObjectKind.MATERIALIZED_VIEW : ObjectKind.VIEW
            : context.STREAMING() != null ? ObjectKind.STREAMING_TABLE : ObjectKind.TABLE;
    return new Drop(
        at,
        object,
        context.EXISTS() != null,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()));
  }

  Statement insert(SourceLocation at, StatementParser.InsertStatementContext context) {
    return new InsertRows(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        context.BY() != null,
        context.columnName().stream().map(fragments::column).toList(),
        fragments.query(context.query()));
  }

  Statement update(SourceLocation at, StatementParser.UpdateStatementContext context) {
    List<UpdateRows.Assignment> assignments =
        context.assignment().stream()
            .map(
                assignment ->
                    new UpdateRows.Assignment(
                        fragments.column(assignment.columnName()),
                        fragments.expression(assignment.assignedExpression())))
            .toList();
    return new UpdateRows(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        assignments,
        Optional.ofNullable(context.lastExpression()).map(fragments::expression));
  }

  Statement delete(SourceLocation at, StatementParser.DeleteStatementContext context) {
    return new DeleteRows(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        Optional.ofNullable(context.lastExpression()).map(fragments::expression));
  }
}
