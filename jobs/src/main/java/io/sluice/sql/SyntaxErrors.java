package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Words for what the grammar found and expected. */
final class SyntaxErrors {

  private static final int MOST_LISTED = 20;

  /** Keywords that begin a longer phrase. */
  private static final Map<Integer, String> PHRASES =
      Map.ofEntries(
          Map.entry(StatementLexer.SEQUENCE, "SEQUENCE BY"),
          Map.entry(StatementLexer.SYSTEM, "SYSTEM SEQUENCE BY"),
          Map.entry(StatementLexer.IGNORE, "IGNORE NULL UPDATES"),
          Map.entry(StatementLexer.TRACK, "TRACK HISTORY ON"),
          Map.entry(StatementLexer.STORED, "STORED AS"),
          Map.entry(StatementLexer.PARTITIONED, "PARTITIONED BY"),
          Map.entry(StatementLexer.AUTO, "AUTO CDC"));

  /** Form of a statement, by the words it begins with, longest first. */
  private static final List<Map.Entry<String, String>> FORMS =
      List.of(
          Map.entry(
              "CREATE STREAMING",
              "CREATE [OR REFRESH] STREAMING TABLE [IF NOT EXISTS] name [(columns)] [PARTITIONED"
                  + " BY (..)] [COMMENT '..'] [TBLPROPERTIES (..)] [SCHEDULE ..] [AS query | FLOW"
                  + " ..]"),
          Map.entry(
              "CREATE MATERIALIZED",
              "CREATE [OR REPLACE] MATERIALIZED VIEW name [(columns)] [SCHEDULE ..] [TBLPROPERTIES"
                  + " (..)] AS query"),
          Map.entry(
              "CREATE FLOW",
              "CREATE FLOW name AS AUTO CDC INTO target FROM source KEYS (..) SEQUENCE BY .., or"
                  + " CREATE FLOW name AS INSERT INTO target BY NAME query"),
          Map.entry("CREATE VIEW", "CREATE [TEMPORARY] VIEW name AS query"),
          Map.entry("SET", "SET 'key' = 'value'"),
          Map.entry(
              "REFRESH",
              "REFRESH {STREAMING TABLE | MATERIALIZED VIEW} name [FULL] [WHERE ..] [SYNC |"
                  + " ASYNC]"),
          Map.entry(
              "ALTER",
              "ALTER {STREAMING TABLE | MATERIALIZED VIEW} name {ADD | ALTER} {SCHEDULE .. |"
                  + " TRIGGER ..}, or .. DROP SCHEDULE"));

  private SyntaxErrors() {}

  static Problem describe(StatementTokens statement, FirstError error) {
    Token token = error.found();
    boolean ended = token.getType() == Token.EOF;
    List<Problem> stray = new ArrayList<>();
    if (ended) {
      StrayWords.check(lastExpression(statement.tokens()), stray);
    }
    if (!stray.isEmpty()) {
      return stray.get(0);
    }
    Expectation expectation = Expectation.of(error.expected());
    String found =
        ended ? "the end of the statement" : statement.tokens().get(token.getTokenIndex()).shown();
    SourceLocation at = ended ? statement.end() : statement.at(Math.max(0, token.getTokenIndex()));
    String message =
        "found " + found + " where " + expectation.text() + " was expected" + in(statement);
    return Problem.at(at, ErrorCode.SYNTAX, message, remedy(statement, token, expectation));
  }

  private static String remedy(StatementTokens statement, Token token, Expectation expectation) {
    Set<String> words = new LinkedHashSet<>(expectation.words());
    if (follows(statement, token, "IF")) {
      words.addAll(List.of("NOT", "EXISTS"));
    } else if (follows(statement, token, "TO")) {
      words.add("UPDATE");
    }
    Optional<String> near = Names.nearest(token.getText(), words);
    if (near.isPresent()) {
      return "Did you mean " + near.get() + "?";
    }
    String first = leadingWords(statement, 6);
    for (Map.Entry<String, String> form : FORMS) {
      if (withoutModifiers(first).startsWith(form.getKey())) {
        return "The form is: " + form.getValue();
      }
    }
    return expectation.onlyEnd()
        ? "End the statement with ';' before it"
        : "Write what is expected, or remove it";
  }

  private static boolean follows(StatementTokens statement, Token token, String word) {
    int previous = token.getTokenIndex() - 1;
    return previous >= 0 && statement.tokens().get(previous).is(word);
  }

  /** What stands behind the last WHERE, WHEN or BY: it may have run over a misspelled word. */
  private static List<SqlToken> lastExpression(List<SqlToken> tokens) {
    int start = tokens.size();
    while (start > 0 && !tokens.get(start - 1).isOneOf(Set.of("WHERE", "WHEN", "BY"))) {
      start--;
    }
    return start == 0 ? List.of() : tokens.subList(start, tokens.size());
  }

  private static String in(StatementTokens statement) {
    String words = leadingWords(statement, 6);
    return words.isEmpty() ? "" : " in " + words;
  }

  private static String withoutModifiers(String words) {
    return words
        .replace(" OR REFRESH", "")
        .replace(" OR REPLACE", "")
        .replace(" TEMPORARY", "")
        .replace(" LIVE", "");
  }

  /** The keywords that a statement begins with, for example CREATE OR REFRESH STREAMING TABLE. */
  private static String leadingWords(StatementTokens statement, int most) {
    List<String> words = new ArrayList<>();
    for (Token token : statement.antlr()) {
      if (words.size() == most || !isKeyword(token.getType())) {
        break;
      }
      words.add(token.getText().toUpperCase(Locale.ROOT));
    }
    return String.join(" ", words);
  }

  private static boolean isKeyword(int type) {
    return type > 0 && type < StatementLexer.WORD;
  }

  /**
   * What could have stood at a place.
   *
   * @param text as a list for people
   * @param words the keywords among it, for "did you mean"
   * @param onlyEnd whether only the end of the statement was left
   */
  private record Expectation(String text, Set<String> words, boolean onlyEnd) {

    static Expectation of(List<IntervalSet> sets) {
      Set<String> phrases = new LinkedHashSet<>();
      Set<String> words = new LinkedHashSet<>();
      boolean end = false;
      for (IntervalSet set : sets) {
        end |= set.contains(Token.EOF);
        add(set, phrases, words);
      }
      boolean onlyEnd = phrases.isEmpty();
      List<String> listed = new ArrayList<>(phrases);
      if (listed.size() > MOST_LISTED) {
        listed = new ArrayList<>(listed.subList(0, MOST_LISTED));
        listed.add("..");
      }
      if (end) {
        listed.add("the end of the statement (';')");
      }
      return new Expectation(join(listed), words, onlyEnd);
    }

    private static void add(IntervalSet set, Set<String> phrases, Set<String> words) {
      if (set.contains(StatementLexer.SYMBOL)) {
        phrases.add("an expression");
        return;
      }
      boolean name = isName(set);
      for (int type : set.toList()) {
        if (type > 0 && isKeyword(type) && (!name || isReservedOption(type))) {
          String word = StatementLexer.VOCABULARY.getLiteralName(type).replace("'", "");
          boolean alone = type == StatementLexer.SYSTEM && !set.contains(StatementLexer.SEQUENCE);
          phrases.add(alone ? word : PHRASES.getOrDefault(type, word));
          words.add(word);
        }
      }
      if (name) {
        phrases.add("a name");
      }
      addSymbols(set, phrases);
    }

    /** Names may be any keyword that is not reserved, from the first to the last of the list. */
    private static boolean isName(IntervalSet set) {
      return set.contains(StatementLexer.WORD)
          || set.contains(StatementLexer.ADD) && set.contains(StatementLexer.ZONE);
    }

    private static void addSymbols(IntervalSet set, Set<String> phrases) {
      if (set.contains(StatementLexer.STRING)) {
        phrases.add("a text in quotes");
      }
      if (set.contains(StatementLexer.NUMBER)) {
        phrases.add("a number");
      }
      for (int type = StatementLexer.OPEN; type <= StatementLexer.MINUS; type++) {
        if (set.contains(type) && type != StatementLexer.DOT) {
          phrases.add(StatementLexer.VOCABULARY.getLiteralName(type));
        }
      }
    }

    /** Keywords that cannot be names say more than "a name" beside one. */
    private static boolean isReservedOption(int type) {
      return type == StatementLexer.SELECT || type == StatementLexer.NOT;
    }

    private static String join(List<String> phrases) {
      if (phrases.isEmpty()) {
        return "something else";
      }
      if (phrases.size() == 1) {
        return phrases.get(0);
      }
      return String.join(", ", phrases.subList(0, phrases.size() - 1))
          + " or "
          + phrases.get(phrases.size() - 1);
    }
  }
}
