package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** The tokens of a query or expression with their parentheses matched. */
final class TokenTree {

  /** Deeper nesting is refused, so that recursion over the tree is safe. */
  static final int DEEPEST = 200;

  /** A run of tokens, end exclusive. */
  record Range(int from, int to) {

    int size() {
      return to - from;
    }
  }

  private final List<SqlToken> tokens;
  private final int[] matches;
  private final int[] enclosing;

  private TokenTree(List<SqlToken> tokens) {
    this.tokens = List.copyOf(tokens);
    this.matches = new int[tokens.size()];
    this.enclosing = new int[tokens.size()];
    Arrays.fill(matches, -1);
  }

  /** Adds a problem for each parenthesis without partner; the tree is then of no use. */
  static TokenTree of(List<SqlToken> tokens, List<Problem> problems) {
    TokenTree tree = new TokenTree(tokens);
    tree.match(problems);
    return tree;
  }

  private void match(List<Problem> problems) {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (token.isSymbol(")") || token.isSymbol("]")) {
        if (open.isEmpty() || !isPair(open.peek(), i)) {
          enclosing[i] = open.isEmpty() ? -1 : open.peek();
          problems.add(
              Problem.at(
                  token.at(),
                  ErrorCode.SYNTAX,
                  "this '" + token.text() + "' closes nothing",
                  "Remove it, or open it"));
          continue;
        }
        matches[open.peek()] = i;
        matches[i] = open.pop();
      }
      enclosing[i] = open.isEmpty() ? -1 : open.peek();
      if (opens(i)) {
        open.push(i);
        if (open.size() == DEEPEST) {
          problems.add(
              Problem.at(
                  token.at(),
                  ErrorCode.SYNTAX,
                  "parentheses are nested more than " + DEEPEST + " deep",
                  "Split the query into views"));
          return;
        }
      }
    }
    for (int unclosed : open) {
      problems.add(
          Problem.at(
              tokens.get(unclosed).at(),
              ErrorCode.SYNTAX,
              "this '" + tokens.get(unclosed).text() + "' is never closed",
              tokens.get(unclosed).isSymbol("(") ? "Add the missing ')'" : "Add the missing ']'"));
    }
  }

  /** Whether a '(' or '[' stands there. */
  boolean opens(int index) {
    return symbol(index, "(") || symbol(index, "[");
  }

  private boolean isPair(int open, int close) {
    return symbol(open, "(") == symbol(close, ")");
  }

  int size() {
    return tokens.size();
  }

  SqlToken token(int index) {
    return tokens.get(index);
  }

  List<SqlToken> tokens() {
    return tokens;
  }

  List<SqlToken> tokens(Range range) {
    return tokens.subList(range.from(), range.to());
  }

  /** Index of the partner of a parenthesis. */
  int match(int index) {
    return matches[index];
  }

  /** Index of the '(' around a token, or -1. */
  int enclosing(int index) {
    return enclosing[index];
  }

  boolean symbol(int index, String symbol) {
    return has(index) && token(index).isSymbol(symbol);
  }

  /** Whether a keyword stands there: the unquoted word, and not as a part of a dotted name. */
  boolean keyword(int index, String word) {
    return has(index) && token(index).is(word) && !symbol(index - 1, ".");
  }

  boolean keyword(int index, Set<String> words) {
    return has(index) && token(index).isOneOf(words) && !symbol(index - 1, ".");
  }

  boolean name(int index) {
    return has(index) && token(index).isName();
  }

  boolean text(int index) {
    return has(index) && token(index).isText();
  }

  private boolean has(int index) {
    return index >= 0 && index < tokens.size();
  }

  /** Index behind the dotted name that begins at an index. */
  int endOfName(int start) {
    int end = start + 1;
    while (symbol(end, ".") && name(end + 1)) {
      end += 2;
    }
    return end;
  }

  List<String> parts(int from, int to) {
    List<String> parts = new ArrayList<>();
    for (int i = from; i < to; i += 2) {
      parts.add(token(i).name());
    }
    return parts;
  }

  /** The runs between the commas of a range that stand in no deeper parenthesis. */
  List<Range> split(Range range) {
    List<Range> runs = new ArrayList<>();
    int start = range.from();
    int i = start;
    while (i < range.to()) {
      if (opens(i)) {
        i = matches[i];
      } else if (symbol(i, ",")) {
        runs.add(new Range(start, i));
        start = i + 1;
      }
      i++;
    }
    if (start < range.to() || !runs.isEmpty()) {
      runs.add(new Range(start, range.to()));
    }
    return runs;
  }

  /** First keyword of a set in a range that stands in no deeper parenthesis, or -1. */
  int find(Range range, Set<String> words) {
    for (int i = range.from(); i < range.to(); i++) {
      if (opens(i)) {
        i = matches[i];
      } else if (keyword(i, words)) {
        return i;
      }
    }
    return -1;
  }

  /** The tokens as text, white space reduced to single spaces. */
  String text(Range range) {
    StringBuilder text = new StringBuilder();
    for (SqlToken token : tokens(range)) {
      if (!text.isEmpty() && token.gap() != SqlToken.Gap.NONE) {
        text.append(' ');
      }
      text.append(token.text());
    }
    return text.toString();
  }

  Range all() {
    return new Range(0, tokens.size());
  }
}
