package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;

/** Builds the bodies of flows. */
final class FlowBuilder {

  private static final Set<String> QUERY_WORDS = Set.of("SELECT", "WITH", "VALUES", "TABLE");

  private final Fragments fragments;

  FlowBuilder(Fragments fragments) {
    this.fragments = fragments;
  }

  FlowBody inline(StatementParser.InlineFlowContext context) {
    boolean once = context.ONCE() != null;
    if (context.changeBody() != null) {
      return change(fragments.at(context), once, context.changeBody());
    }
    return writing(
        context,
        once,
        context.BY() != null,
        context.replaceWhere(),
        context.replaceUsing(),
        context.query());
  }

  FlowBody insert(StatementParser.InsertFlowContext context) {
    return writing(
        context,
        context.ONCE() != null,
        context.BY() != null,
        context.replaceWhere(),
        context.replaceUsing(),
        context.query());
  }

  FlowBody change(StatementParser.ChangeFlowContext context) {
    return change(fragments.at(context), context.ONCE() != null, context.changeBody());
  }

  private FlowBody writing(
      ParserRuleContext context,
      boolean once,
      boolean byName,
      StatementParser.ReplaceWhereContext where,
      StatementParser.ReplaceUsingContext using,
      StatementParser.QueryContext query) {
    SourceLocation at = fragments.at(context);
    if (where != null) {
      return new FlowBody.ReplaceWhere(
          at,
          once,
          byName || where.BY() != null,
          fragments.expression(where.replacePredicate()),
          fragments.query(where.query()));
    }
    if (using != null) {
      List<Identifier> keys = fragments.columns(using.columnNames());
      if (keys.isEmpty()) {
        fragments.syntax(
            fragments.at(using.columnNames()),
            "REPLACE USING () names no column",
            "List the key columns whose rows are replaced");
      }
      return new FlowBody.ReplaceUsing(
          at,
          once,
          byName || using.BY().size() > 1,
          keys,
          fragments.column(using.columnName()),
          fragments.query(using.query()));
    }
    return new FlowBody.Append(at, once, byName, fragments.query(query));
  }

  private FlowBody change(
      SourceLocation at, boolean once, StatementParser.ChangeBodyContext context) {
    int before = fragments.problems().size();
    ChangeClauses clauses = new ChangeClauses(fragments);
    context.changeClause().forEach(clauses::read);
    List<SqlToken> source = fragments.tokens(context.source());
    boolean snapshot =
        source.size() > 1
            && source.get(0).is("SNAPSHOT")
            && (source.get(1).isSymbol("(") || source.get(1).isName() && !source.get(1).is("AS"));
    return snapshot
        ? snapshot(at, once, context, source, clauses, before)
        : changes(at, once, context, source, clauses, before);
  }

  private FlowBody changes(
      SourceLocation at,
      boolean once,
      StatementParser.ChangeBodyContext context,
      List<SqlToken> sourceTokens,
      ChangeClauses clauses,
      int problemsBefore) {
    CdcSource source = source(sourceTokens);
    if (context.WITH() != null) {
      fragments.syntax(
          fragments.at(context.WITH()),
          "WITH VERSION belongs to FROM SNAPSHOT (..)",
          "Remove it, or write FROM SNAPSHOT (query) WITH VERSION (query)");
    }
    if (fragments.problems().size() == problemsBefore) {
      clauses.refuseMissing(at, true);
    }
    return new FlowBody.AutoCdc(
        at,
        once,
        source,
        clauses.keys().orElse(List.of()),
        clauses.nullUpdates(),
        clauses.deleteWhen(),
        clauses.truncateWhen(),
        clauses.sequenceBy().orElse(null),
        clauses.systemSequenceBy(),
        clauses.columns(),
        clauses.storedAs(),
        clauses.trackHistory(),
        clauses.columnsToUpdate());
  }

  private FlowBody snapshot(
      SourceLocation at,
      boolean once,
      StatementParser.ChangeBodyContext context,
      List<SqlToken> source,
      ChangeClauses clauses,
      int problemsBefore) {
    boolean byName = source.get(1).isName();
    List<SqlToken> tokens = source.subList(1, source.size());
    Query query = byName ? bare(tokens) : parenthesised(tokens);
    Optional<Query> version = Optional.ofNullable(context.innerQuery()).map(fragments::query);
    clauses.refuseOnSnapshot();
    if (fragments.problems().size() == problemsBefore) {
      clauses.refuseMissing(at, false);
    }
    return new FlowBody.SnapshotCdc(
        at,
        once,
        query,
        byName,
        version,
        clauses.keys().orElse(List.of()),
        clauses.storedAs(),
        clauses.trackHistory());
  }

  private CdcSource source(List<SqlToken> tokens) {
    SourceLocation at = tokens.get(0).at();
    if (tokens.get(0).isSymbol("(")) {
      return new CdcSource(at, parenthesised(tokens), false);
    }
    Query query = bare(tokens);
    boolean batch = query.sources().stream().noneMatch(SourceReference::stream);
    return new CdcSource(at, query, batch);
  }

  /** The query in parentheses; nothing may follow it. */
  private Query parenthesised(List<SqlToken> tokens) {
    List<Problem> problems = fragments.problems();
    int before = problems.size();
    TokenTree tree = TokenTree.of(tokens, problems);
    if (problems.size() > before) {
      return Query.of(List.of(), problems);
    }
    int close = tree.match(0);
    if (close < tokens.size() - 1) {
      refuseRest(tokens.get(close + 1));
    }
    if (close == 1 || !tree.keyword(1, QUERY_WORDS)) {
      if (!tree.symbol(1, "(")) {
        fragments.syntax(
            tree.token(1).at(),
            "found " + tree.token(1).shown() + " where a query was expected",
            Names.nearest(tree.token(1).text(), QUERY_WORDS)
                .map(word -> "Did you mean " + word + "?")
                .orElse("Write FROM STREAM table, or FROM (SELECT .. FROM STREAM table)"));
      }
    }
    return Query.of(tokens.subList(1, close), problems);
  }

  /** SELECT * FROM the reference, which must be the only thing there. */
  private Query bare(List<SqlToken> tokens) {
    List<Problem> problems = fragments.problems();
    int before = problems.size();
    List<SqlToken> query = new ArrayList<>();
    SourceLocation at = tokens.get(0).at();
    query.add(new SqlToken(SqlToken.Kind.WORD, "SELECT", at, SqlToken.Gap.NONE));
    query.add(new SqlToken(SqlToken.Kind.SYMBOL, "*", at, SqlToken.Gap.SPACE));
    query.add(new SqlToken(SqlToken.Kind.WORD, "FROM", at, SqlToken.Gap.SPACE));
    SqlToken first = tokens.get(0);
    query.add(new SqlToken(first.kind(), first.text(), at, SqlToken.Gap.SPACE));
    query.addAll(tokens.subList(1, tokens.size()));
    TokenTree tree = TokenTree.of(query, problems);
    if (problems.size() > before) {
      return Query.of(List.of(), problems);
    }
    List<Problem> own = new ArrayList<>();
    SourceReader reader = new SourceReader(tree, own);
    boolean named = reader.canBegin(3) && !(first.is("KEYS") && tree.symbol(4, "("));
    Optional<FoundSource> found = named ? reader.read(3) : Optional.empty();
    if (found.isEmpty() && own.isEmpty()) {
      fragments.syntax(
          at,
          first.shown() + " is no source of a change flow",
          "Write FROM STREAM table, FROM STREAM read_files(..), or FROM (SELECT .. FROM STREAM"
              + " table)");
    } else if (own.isEmpty() && found.get().to() < tree.size()) {
      refuseRest(tree.token(found.get().to()));
    }
    return Query.of(query, problems);
  }

  private void refuseRest(SqlToken token) {
    Optional<String> near =
        Names.nearest(
            token.text(), List.of("KEYS", "APPLY", "SEQUENCE", "WITH", "COLUMNS", "STORED"));
    fragments
        .problems()
        .add(
            Problem.at(
                token.at(),
                ErrorCode.SYNTAX,
                "found "
                    + token.shown()
                    + " behind the source of a change flow, where KEYS (..)"
                    + " was expected",
                near.map(word -> "Did you mean " + word + "?")
                    .orElse("Filter and project in a query: FROM (SELECT ..)")));
  }
}
