package io.sluice.sql;

import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/**
 * Base of the generated parser: consumes the tokens of queries, expressions, sources and types. An
 * island ends where, outside of its own parentheses, a word pair follows that no expression can
 * hold. Every action runs when the first token of its island has been matched.
 */
abstract class IslandParser extends Parser {

  /** Words behind which an expression goes on, so that the next word cannot begin a clause. */
  private static final Set<String> UNFINISHED =
      Words.of(
          """
          AND OR NOT IS IN LIKE ILIKE BETWEEN CASE WHEN THEN ELSE ESCAPE DISTINCT FROM BY TO
          RLIKE
          """);

  protected IslandParser(TokenStream input) {
    super(input);
  }

  /** The rest of the statement. */
  protected void takeRest() {
    take(() -> false, false);
  }

  /** Up to the ')' that closes the parenthesis around the island. */
  protected void takeToClose() {
    take(() -> false, true);
  }

  protected void takeListItem() {
    take(() -> next(1).equals(","), true);
  }

  protected void takeType() {
    int[] angles = {previous().equals("<") ? 1 : 0};
    take(
        () -> {
          String next = next(1);
          boolean ends =
              angles[0] <= 0 && (next.equals(",") || next.equals("NOT") || next.equals("COMMENT"));
          angles[0] += next.equals("<") ? 1 : next.equals(">") ? -1 : 0;
          return ends;
        },
        true);
  }

  protected void takeClauseExpression() {
    take(this::clauseFollows, false);
  }

  protected void takeSource() {
    take(
        () ->
            clauseFollows() && !previous().equals(".")
                || next(1).equals("WITH") && next(2).equals("VERSION"),
        false);
  }

  protected void takeReplacePredicate() {
    take(
        () ->
            Set.of("SELECT", "WITH", "VALUES", "TABLE").contains(next(1))
                || next(1).equals("BY") && next(2).equals("NAME"),
        false);
  }

  protected void takeRefreshPredicate() {
    take(() -> Set.of("FULL", "SYNC", "ASYNC").contains(next(1)) && operandEnded(), false);
  }

  protected void takeAssignedExpression() {
    take(() -> next(1).equals(",") || next(1).equals("WHERE"), false);
  }

  /**
   * @param ends whether the island ends before the next token; asked outside of parentheses only
   * @param enclosed whether a ')' that the island did not open ends it
   */
  private void take(BooleanSupplier ends, boolean enclosed) {
    int depth = Set.of("(", "[").contains(previous()) ? 1 : 0;
    while (_input.LA(1) != Token.EOF) {
      if (depth <= 0 && ends.getAsBoolean()) {
        return;
      }
      String next = next(1);
      if (enclosed && depth == 0 && next.equals(")")) {
        return;
      }
      depth += Set.of("(", "[").contains(next) ? 1 : 0;
      depth -= Set.of(")", "]").contains(next) ? 1 : 0;
      consume();
    }
  }

  private boolean clauseFollows() {
    String second = next(2);
    return switch (next(1)) {
      case "IGNORE" -> second.equals("NULL");
      case "APPLY" -> second.equals("AS");
      case "SEQUENCE" -> second.equals("BY");
      case "SYSTEM" -> second.equals("SEQUENCE");
      case "STORED" -> second.equals("AS");
      case "TRACK" -> second.equals("HISTORY");
      case "COLUMNS", "KEYS" -> operandEnded() && !second.equals(".") && !isStreamed(second);
      default -> false;
    };
  }

  /** Whether the next word is a table behind STREAM, as in FROM STREAM keys KEYS (id). */
  private boolean isStreamed(String second) {
    return previous().equals("STREAM") && Set.of("KEYS", "WITH").contains(second);
  }

  private boolean operandEnded() {
    String previous = previous();
    return !previous.isEmpty()
        && (previous.equals(")") || previous.equals("]") || isOperand(previous));
  }

  private static boolean isOperand(String text) {
    char last = text.charAt(text.length() - 1);
    boolean symbol =
        !Character.isLetterOrDigit(last) && "_$'\"`".indexOf(last) < 0 && !text.endsWith(".");
    return !symbol && !text.equals(".") && !UNFINISHED.contains(text);
  }

  private String previous() {
    return text(_input.LT(-1));
  }

  private String next(int ahead) {
    return text(_input.LT(ahead));
  }

  private static String text(Token token) {
    return token == null ? "" : token.getText().toUpperCase(Locale.ROOT);
  }
}
