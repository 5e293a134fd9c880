package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds a word that cannot continue an expression: mostly a misspelled clause, which the search for
 * the end of the expression has run over.
 */
final class StrayWords {

  /** First words of what may follow an expression, and the words that go with them. */
  private static final Map<String, String> CLAUSE_WORDS =
      Map.ofEntries(
          Map.entry("KEYS", ""),
          Map.entry("IGNORE", "NULL"),
          Map.entry("APPLY", "AS"),
          Map.entry("SEQUENCE", "BY"),
          Map.entry("SYSTEM", "SEQUENCE"),
          Map.entry("COLUMNS", ""),
          Map.entry("STORED", "AS"),
          Map.entry("TRACK", "HISTORY"),
          Map.entry("SELECT", ""),
          Map.entry("WHERE", ""),
          Map.entry("SYNC", ""),
          Map.entry("ASYNC", ""),
          Map.entry("FULL", ""),
          Map.entry("BY", "NAME"));

  /** Words that Flink's expressions put between or behind operands. */
  private static final Set<String> CONTINUES =
      Words.of(
          """
          AND OR IS IN NOT LIKE ILIKE BETWEEN SIMILAR RLIKE ESCAPE WHEN THEN ELSE END OVER
          FILTER WITHIN COLLATE AT TO YEAR YEARS QUARTER MONTH MONTHS WEEK WEEKS DAY DAYS
          HOUR HOURS MINUTE MINUTES SECOND SECONDS MULTISET MEMBER SUBMULTISET CONTAINS
          OVERLAPS PRECEDES SUCCEEDS EQUALS IMMEDIATELY DISTINCT RESPECT IGNORE ZONE AS
          FORMAT JSON UESCAPE SET DIV
          """);

  /** Words behind which an operand follows. */
  private static final Set<String> NO_OPERAND =
      Words.of(
          """
          UNION INTERSECT EXCEPT
          AND OR IS IN NOT LIKE ILIKE BETWEEN SIMILAR RLIKE ESCAPE WHEN THEN ELSE CASE
          COLLATE AT TO TIME ZONE MULTISET MEMBER OF SUBMULTISET CONTAINS OVERLAPS PRECEDES
          SUCCEEDS EQUALS IMMEDIATELY DISTINCT FROM RESPECT IGNORE SYMMETRIC ASYMMETRIC OVER
          WITHIN FILTER DIV INTERVAL JSON FORMAT LOCAL EXISTS UNIQUE ARRAY MAP ROW NEXT
          VALUE FOR ALL ANY SOME
          """);

  /** Words that may stand behind the first word of a type. */
  private static final Set<String> CONTINUES_TYPE =
      Words.of(
          """
          WITH WITHOUT LOCAL TIME ZONE PRECISION VARYING LARGE OBJECT ARRAY MULTISET TO YEAR
          MONTH DAY HOUR MINUTE SECOND
          """);

  private static final List<String> BEHIND_TYPE =
      List.of("NOT", "NULL", "COMMENT", "CONSTRAINT", "EXPECT");

  private StrayWords() {}

  static void check(List<SqlToken> tokens, List<Problem> problems) {
    int depth = 0;
    if (beginsClause(tokens)) {
      problems.add(
          Problem.at(
              tokens.get(0).at(),
              ErrorCode.SYNTAX,
              "found the clause "
                  + tokens.get(0).text()
                  + " "
                  + tokens.get(1).text()
                  + " where an expression was expected",
              "Write the expression of the clause before it"));
      return;
    }
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      depth -= token.isSymbol(")") || token.isSymbol("]") ? 1 : 0;
      if (depth == 0 && i > 0 && isStray(tokens.get(i - 1), token)) {
        report(tokens, i, problems);
        return;
      }
      depth += token.isSymbol("(") || token.isSymbol("[") ? 1 : 0;
    }
  }

  /** Finds what does not belong to a column's type, for example a misspelled COMMENT. */
  static void checkType(List<SqlToken> tokens, List<Problem> problems) {
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      depth += token.isSymbol("(") || token.isSymbol("<") ? 1 : 0;
      depth -= token.isSymbol(")") || token.isSymbol(">") ? 1 : 0;
      boolean stray =
          i > 0
              && depth == 0
              && !token.isOneOf(CONTINUES_TYPE)
              && token.kind() != SqlToken.Kind.SYMBOL;
      if (stray) {
        problems.add(
            Problem.at(
                token.at(),
                ErrorCode.SYNTAX,
                "found " + token.shown() + " behind the type '" + tokens.get(0).text() + "'",
                Names.nearest(token.text(), BEHIND_TYPE)
                    .map(word -> "Did you mean " + word + "?")
                    .orElse("Only NOT NULL and COMMENT '..' may follow the type of a column")));
        return;
      }
    }
  }

  private static boolean beginsClause(List<SqlToken> tokens) {
    if (tokens.size() < 2) {
      return false;
    }
    String pair = tokens.get(0).upper() + " " + tokens.get(1).upper();
    return Set.of(
            "STORED AS",
            "SEQUENCE BY",
            "SYSTEM SEQUENCE",
            "APPLY AS",
            "TRACK HISTORY",
            "IGNORE NULL",
            "KEYS (")
        .contains(pair);
  }

  private static boolean isStray(SqlToken previous, SqlToken token) {
    return token.kind() == SqlToken.Kind.WORD && !token.isOneOf(CONTINUES) && endsOperand(previous);
  }

  private static boolean endsOperand(SqlToken token) {
    return switch (token.kind()) {
      case WORD -> !token.isOneOf(NO_OPERAND);
      case SYMBOL -> token.isSymbol(")") || token.isSymbol("]");
      case QUOTED_NAME, STRING, DOUBLE_QUOTED, NUMBER -> true;
      case HINT -> false;
    };
  }

  private static void report(List<SqlToken> tokens, int index, List<Problem> problems) {
    SqlToken token = tokens.get(index);
    String second = CLAUSE_WORDS.get(token.upper());
    if (second != null && !second.isEmpty() && index + 1 < tokens.size()) {
      SqlToken next = tokens.get(index + 1);
      problems.add(
          Problem.at(
              next.at(),
              ErrorCode.SYNTAX,
              "found "
                  + next.shown()
                  + " behind "
                  + token.text()
                  + " where "
                  + second
                  + " was expected",
              "Did you mean " + token.upper() + " " + second + "?"));
      return;
    }
    problems.add(
        Problem.at(
            token.at(),
            ErrorCode.SYNTAX,
            "found "
                + token.shown()
                + " behind "
                + tokens.get(index - 1).shown()
                + " where an operator, the next clause or the end of the statement was expected",
            Names.nearest(token.text(), CLAUSE_WORDS.keySet())
                .map(word -> "Did you mean " + word + "?")
                .orElse("Complete the expression, or begin the next clause")));
  }
}
