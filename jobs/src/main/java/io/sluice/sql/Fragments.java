package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.TerminalNode;

/** Turns the small parts of a parse tree (names, texts, lists, islands) into values. */
final class Fragments {

  private final StatementTokens statement;
  private final List<Problem> problems;

  Fragments(StatementTokens statement, List<Problem> problems) {
    this.statement = statement;
    this.problems = problems;
  }

  StatementTokens statement() {
    return statement;
  }

  List<Problem> problems() {
    return problems;
  }

  SourceLocation at(ParserRuleContext context) {
    return statement.at(context.getStart().getTokenIndex());
  }

  SourceLocation at(TerminalNode node) {
    return statement.at(node.getSymbol().getTokenIndex());
  }

  List<SqlToken> tokens(ParserRuleContext context) {
    return statement.range(
        context.getStart().getTokenIndex(), context.getStop().getTokenIndex() + 1);
  }

  SqlToken token(ParserRuleContext context) {
    return statement.tokens().get(context.getStart().getTokenIndex());
  }

  Query query(ParserRuleContext context) {
    return Query.of(tokens(context), problems);
  }

  SqlExpression expression(ParserRuleContext context) {
    List<SqlToken> tokens = tokens(context);
    StrayWords.check(tokens, problems);
    return SqlExpression.of(tokens, problems);
  }

  /** The tokens of an island as text, white space reduced. */
  String text(ParserRuleContext context) {
    TokenTree tree = TokenTree.of(tokens(context), problems);
    return tree.text(tree.all());
  }

  String text(StatementParser.TextContext context) {
    return token(context).content();
  }

  Optional<String> optionalText(StatementParser.TextContext context) {
    return Optional.ofNullable(context).map(this::text);
  }

  Identifier identifier(StatementParser.IdentifierContext context) {
    return token(context).identifier();
  }

  /** Without the LIVE that old pipelines put before their own tables. */
  QualifiedName name(StatementParser.QualifiedNameContext context) {
    List<String> parts = new ArrayList<>();
    context.identifier().forEach(part -> parts.add(identifier(part).text()));
    boolean live = parts.size() > 1 && token(context).is("LIVE");
    return new QualifiedName(live ? parts.subList(1, parts.size()) : parts);
  }

  /** A simple column name; a qualified one is reported and gives its last part. */
  Identifier column(StatementParser.ColumnNameContext context) {
    List<StatementParser.IdentifierContext> parts = context.identifier();
    if (parts.size() > 1) {
      problems.add(
          Problem.at(
              at(context),
              ErrorCode.AUTOCDC_MULTIPART_COLUMN_IDENTIFIER,
              "'"
                  + text((ParserRuleContext) context)
                  + "' is a qualified name where a column is"
                  + " listed",
              "Write the column's name alone; back-quote a name that contains a dot"));
    }
    return identifier(parts.get(parts.size() - 1));
  }

  List<Identifier> columns(StatementParser.ColumnNamesContext context) {
    return context.columnName().stream().map(this::column).toList();
  }

  String key(StatementParser.SettingKeyContext context) {
    if (context.text() != null) {
      return text(context.text());
    }
    StringBuilder key = new StringBuilder();
    tokens(context).forEach(token -> key.append(token.name()));
    return key.toString();
  }

  Map<String, String> properties(StatementParser.PropertiesContext context) {
    Map<String, String> properties = new LinkedHashMap<>();
    for (StatementParser.PropertyContext property : context.property()) {
      StatementParser.PropertyValueContext value = property.propertyValue();
      StringBuilder content = new StringBuilder();
      for (SqlToken token : tokens(value)) {
        content.append(token.isText() ? token.content() : token.name());
      }
      String key = key(property.settingKey());
      if (properties.put(key, content.toString()) != null) {
        duplicate(at(property), "the property '" + key + "'");
      }
    }
    return properties;
  }

  void duplicate(SourceLocation at, String what) {
    problems.add(
        Problem.at(at, ErrorCode.DUPLICATE_CLAUSE, what + " is written twice", "Keep one of them"));
  }

  void syntax(SourceLocation at, String message, String remedy) {
    problems.add(Problem.at(at, ErrorCode.SYNTAX, message, remedy));
  }
}
