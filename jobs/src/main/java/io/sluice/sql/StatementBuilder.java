package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.antlr.v4.runtime.ParserRuleContext;

/** Builds statements of parse trees. What it finds wrong goes to the list of problems. */
final class StatementBuilder {

  private final Fragments fragments;
  private final TableBuilder tables;
  private final FlowBuilder flows;

  StatementBuilder(Fragments fragments) {
    this.fragments = fragments;
    this.tables = new TableBuilder(fragments);
    this.flows = new FlowBuilder(fragments);
  }

  Statement build(StatementParser.StatementContext context) {
    SourceLocation at = fragments.at(context);
    if (context.createStatement() != null) {
      return create(at, context.createStatement());
    }
    if (context.changeFlow() != null) {
      return oldChangeFlow(at, context.changeFlow());
    }
    if (context.setStatement() != null) {
      return set(at, context.setStatement());
    }
    if (context.useStatement() != null) {
      return use(at, context.useStatement());
    }
    if (context.query() != null) {
      return new QueryStatement(at, fragments.query(context.query()));
    }
    return maintenance(at, context);
  }

  private Statement maintenance(SourceLocation at, StatementParser.StatementContext context) {
    MaintenanceBuilder builder = new MaintenanceBuilder(fragments, tables);
    if (context.alterStatement() != null) {
      return builder.alter(at, context.alterStatement());
    }
    if (context.refreshStatement() != null) {
      return builder.refresh(at, context.refreshStatement());
    }
    if (context.dropStatement() != null) {
      return builder.drop(at, context.dropStatement());
    }
    if (context.insertStatement() != null) {
      return builder.insert(at, context.insertStatement());
    }
    return context.updateStatement() != null
        ? builder.update(at, context.updateStatement())
        : builder.delete(at, context.deleteStatement());
  }

  Statement build(StatementParser.OwnTableStatementContext context) {
    TableParts parts = tables.parts(context.columnList(), context.tableOption(), true);
    refuse(context.orWord(), Set.of("REPLACE"), "TABLE");
    parts
        .schedule()
        .ifPresent(
            schedule ->
                fragments.syntax(
                    schedule.at(),
                    "a plain table has no schedule: no flow writes it",
                    "Declare a STREAMING TABLE or a MATERIALIZED VIEW"));
    return new CreateTable(
        fragments.at(context),
        fragments.at(context.name),
        fragments.name(context.name),
        context.orWord() != null,
        context.ifNotExists() != null,
        parts,
        Optional.ofNullable(context.query()).map(fragments::query));
  }

  private Statement create(SourceLocation at, StatementParser.CreateStatementContext context) {
    if (context.TEMPORARY() != null && context.view() == null && context.flinkObject() == null) {
      fragments.syntax(
          fragments.at(context.TEMPORARY()), "only views can be TEMPORARY", "Remove TEMPORARY");
    }
    StatementParser.OrWordContext or = context.orWord();
    if (context.streamingTable() != null) {
      refuse(or, Set.of("REFRESH"), "STREAMING TABLE");
      return streamingTable(at, or != null, context.streamingTable());
    }
    if (context.materializedView() != null) {
      return materializedView(at, or != null, context.materializedView());
    }
    if (context.view() != null) {
      refuse(or, Set.of("REPLACE"), "VIEW");
      return view(at, context.TEMPORARY() != null, context.view());
    }
    if (context.flow() != null) {
      refuse(or, Set.of("REFRESH"), "FLOW");
      return flow(at, or != null, context.flow());
    }
    return flinkObject(at, context);
  }

  private void refuse(StatementParser.OrWordContext or, Set<String> allowed, String object) {
    if (or == null || allowed.contains(or.getStop().getText().toUpperCase(Locale.ROOT))) {
      return;
    }
    String instead = allowed.iterator().next();
    fragments.syntax(
        fragments.at(or),
        "a " + object + " is not created with OR " + or.getStop().getText(),
        "Write CREATE OR " + instead + " " + object);
  }

  private Statement streamingTable(
      SourceLocation at, boolean orRefresh, StatementParser.StreamingTableContext context) {
    return new CreateStreamingTable(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        orRefresh,
        context.ifNotExists() != null,
        tables.parts(context.columnList(), context.tableOption(), true),
        Optional.ofNullable(context.query()).map(fragments::query),
        Optional.ofNullable(context.inlineFlow()).map(flows::inline));
  }

  private Statement materializedView(
      SourceLocation at, boolean orReplace, StatementParser.MaterializedViewContext context) {
    return new CreateMaterializedView(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        orReplace,
        context.ifNotExists() != null,
        tables.parts(context.columnList(), context.tableOption(), false),
        fragments.query(context.query()));
  }

  private Statement view(
      SourceLocation at, boolean temporary, StatementParser.ViewContext context) {
    List<ColumnDefinition> columns = tables.columns(context.columnList());
    for (ColumnDefinition column : columns) {
      if (!column.typeText().isEmpty() || column.notNull() || column.comment().isPresent()) {
        fragments.syntax(
            column.at(),
            "the column '" + column.name() + "' of a view is more than a name",
            "Write the name alone and CAST in the query");
      }
    }
    return new CreateView(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        temporary,
        columns.stream().map(column -> new Identifier(column.at(), column.name(), false)).toList(),
        tables.constraints(context.columnList()),
        fragments.optionalText(context.text()),
        fragments.query(context.query()));
  }

  private Statement flow(
      SourceLocation at, boolean orRefresh, StatementParser.FlowContext context) {
    if (orRefresh && context.ifNotExists() != null) {
      fragments.syntax(
          fragments.at(context.ifNotExists()),
          "OR REFRESH and IF NOT EXISTS exclude each other in CREATE FLOW",
          "Keep one of them");
    }
    StatementParser.QualifiedNameContext target =
        context.changeFlow() != null
            ? context.changeFlow().qualifiedName()
            : context.insertFlow().qualifiedName();
    return new CreateFlow(
        at,
        fragments.at(context.qualifiedName()),
        fragments.name(context.qualifiedName()),
        fragments.optionalText(context.text()),
        orRefresh,
        context.ifNotExists() != null,
        fragments.at(target),
        fragments.name(target),
        context.changeFlow() != null
            ? flows.change(context.changeFlow())
            : flows.insert(context.insertFlow()));
  }

  private Statement oldChangeFlow(SourceLocation at, StatementParser.ChangeFlowContext context) {
    QualifiedName target = fragments.name(context.qualifiedName());
    SourceLocation targetAt = fragments.at(context.qualifiedName());
    return new CreateFlow(
        at,
        targetAt,
        QualifiedName.of(target.last()),
        Optional.empty(),
        false,
        false,
        targetAt,
        target,
        flows.change(context));
  }

  private Statement flinkObject(SourceLocation at, StatementParser.CreateStatementContext context) {
    StatementParser.FlinkObjectContext object = context.flinkObject();
    PassThrough.Kind kind =
        object.CATALOG() != null
            ? PassThrough.Kind.CREATE_CATALOG
            : object.DATABASE() != null
                ? PassThrough.Kind.CREATE_DATABASE
                : object.TABLE() != null
                    ? PassThrough.Kind.CREATE_TABLE
                    : PassThrough.Kind.CREATE_FUNCTION;
    QualifiedName name = fragments.name(object.qualifiedName());
    List<SqlToken> tokens = fragments.tokens(context);
    return new PassThrough(
        at, kind, Optional.of(name), ConnectorOptions.of(tokens), forFlink(tokens));
  }

  private Statement use(SourceLocation at, StatementParser.UseStatementContext context) {
    QualifiedName name = fragments.name(context.qualifiedName());
    List<SqlToken> tokens = fragments.tokens(context);
    if (context.SCHEMA() != null || context.DATABASE() != null) {
      tokens = Stream.concat(tokens.stream().limit(1), tokens.stream().skip(2)).toList();
    }
    return new PassThrough(at, PassThrough.Kind.USE, Optional.of(name), Map.of(), forFlink(tokens));
  }

  /** Flink's own statement: only double-quoted strings become single-quoted ones. */
  private static RenderedSql forFlink(List<SqlToken> tokens) {
    RenderedSql.Builder sql = new RenderedSql.Builder();
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      boolean text = token.kind() == SqlToken.Kind.DOUBLE_QUOTED;
      sql.append(i == 0 ? "" : token.gap().text());
      sql.append(text ? SqlToken.singleQuote(token.content()) : token.text(), token.at());
    }
    return sql.build();
  }

  private Statement set(SourceLocation at, StatementParser.SetStatementContext context) {
    ParserRuleContext value = context.settingValue();
    List<SqlToken> tokens = fragments.tokens(value);
    boolean quoted = tokens.stream().anyMatch(SqlToken::isText);
    if (quoted && tokens.size() > 1) {
      fragments.syntax(
          tokens.get(1).at(),
          "found " + tokens.get(1).shown() + " where the value of SET should end",
          "Put the whole value in one pair of quotes");
    }
    String content =
        quoted
            ? tokens.get(0).isText() ? tokens.get(0).content() : ""
            : fragments
                .statement()
                .rawText(value.getStart().getTokenIndex(), value.getStop().getTokenIndex());
    return new SetStatement(at, fragments.key(context.settingKey()), content);
  }
}
