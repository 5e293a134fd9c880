package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;

/** Makes tokens of a segment and splits them into statements. */
final class Tokenizer {

  /** Words that, behind CREATE, can only begin a new statement. */
  private static final Set<String> CREATED =
      Set.of("OR", "STREAMING", "MATERIALIZED", "FLOW", "VIEW", "TABLE", "TEMPORARY", "CATALOG");

  private final Segment segment;
  private final List<Problem> problems;
  private final List<StatementTokens> statements = new ArrayList<>();
  private List<Token> antlr = new ArrayList<>();
  private List<SqlToken> tokens = new ArrayList<>();

  private Tokenizer(Segment segment, List<Problem> problems) {
    this.segment = segment;
    this.problems = problems;
  }

  /** Statements without their ';', empty ones left out. */
  static List<StatementTokens> statements(Segment segment, List<Problem> problems) {
    return new Tokenizer(segment, problems).read();
  }

  private List<StatementTokens> read() {
    StatementLexer lexer = new StatementLexer(CharStreams.fromString(segment.text()));
    lexer.removeErrorListeners();
    int previousStop = 0;
    int offset = 0;
    for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
      SourceLocation at = segment.locate(token.getStartIndex());
      if (token.getType() == StatementLexer.SEMICOLON) {
        endStatement(at);
      } else if (token.getType() == StatementLexer.UNCLOSED) {
        reportUnclosed(token, at);
      } else {
        int end = segment.text().offsetByCodePoints(offset, token.getStartIndex() - previousStop);
        SqlToken.Gap gap = gap(segment.text(), offset, end);
        separateMissingSemicolon(token, at);
        antlr.add(token);
        tokens.add(new SqlToken(kind(token), token.getText(), at, gap));
      }
      int behind = token.getStopIndex() + 1;
      offset = segment.text().offsetByCodePoints(offset, behind - previousStop);
      previousStop = behind;
    }
    endStatement(segment.locate(Integer.MAX_VALUE));
    return statements;
  }

  private static SqlToken.Gap gap(String text, int from, int to) {
    if (from == to) {
      return SqlToken.Gap.NONE;
    }
    int newline = text.indexOf('\n', from);
    return newline >= 0 && newline < to ? SqlToken.Gap.NEWLINE : SqlToken.Gap.SPACE;
  }

  private static SqlToken.Kind kind(Token token) {
    return switch (token.getType()) {
      case StatementLexer.QUOTED_NAME -> SqlToken.Kind.QUOTED_NAME;
      case StatementLexer.STRING -> SqlToken.Kind.STRING;
      case StatementLexer.DOUBLE_QUOTED -> SqlToken.Kind.DOUBLE_QUOTED;
      case StatementLexer.NUMBER -> SqlToken.Kind.NUMBER;
      case StatementLexer.HINT -> SqlToken.Kind.HINT;
      case StatementLexer.OPEN,
          StatementLexer.CLOSE,
          StatementLexer.COMMA,
          StatementLexer.DOT,
          StatementLexer.EQUAL,
          StatementLexer.STAR,
          StatementLexer.MINUS,
          StatementLexer.SYMBOL ->
          SqlToken.Kind.SYMBOL;
      default -> SqlToken.Kind.WORD;
    };
  }

  private void endStatement(SourceLocation at) {
    if (!tokens.isEmpty()) {
      statements.add(new StatementTokens(antlr, List.copyOf(tokens), segment, at));
      antlr = new ArrayList<>();
      tokens = new ArrayList<>();
    }
  }

  private void reportUnclosed(Token token, SourceLocation at) {
    String what =
        switch (token.getText().charAt(0)) {
          case '\'' -> "string, opened by a single quote,";
          case '"' -> "string, opened by a double quote,";
          case '`' -> "back-quoted name";
          default -> "comment";
        };
    String remedy =
        token.getText().startsWith("/*")
            ? "Close it with */; a path that holds /* must stand in quotes"
            : "Close it with the character that opened it";
    antlr.clear();
    tokens.clear();
    problems.add(
        Problem.at(at, ErrorCode.SYNTAX, "the " + what + " that begins here never ends", remedy));
  }

  /** CREATE inside a statement: the ';' before it was forgotten. */
  private void separateMissingSemicolon(Token token, SourceLocation at) {
    int last = antlr.size() - 1;
    if (last < 1
        || antlr.get(last).getType() != StatementLexer.CREATE
        || !CREATED.contains(token.getText().toUpperCase(Locale.ROOT))) {
      return;
    }
    Token create = antlr.remove(last);
    SqlToken createToken = tokens.remove(last);
    problems.add(
        Problem.at(
            createToken.at(),
            ErrorCode.SYNTAX,
            "found CREATE " + token.getText() + " where the statement before it has no end",
            "End the statement before it with ';'"));
    endStatement(createToken.at());
    antlr.add(create);
    tokens.add(createToken);
  }
}
