package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.List;
import org.antlr.v4.runtime.Token;

/**
 * The tokens of one statement, twice: for the grammar and, index by index, for what is passed on.
 *
 * @param antlr tokens as the lexer made them
 * @param tokens the same tokens with their places
 * @param segment where they come from
 * @param end place of the ';' or of the end of the text
 */
record StatementTokens(
    List<Token> antlr, List<SqlToken> tokens, Segment segment, SourceLocation end) {

  SourceLocation at() {
    return tokens.get(0).at();
  }

  /** Place of a token, or of the end of the statement behind the last one. */
  SourceLocation at(int index) {
    return index < tokens.size() ? tokens.get(index).at() : end;
  }

  /** Tokens from an index up to another, exclusive. */
  List<SqlToken> range(int from, int to) {
    return List.copyOf(tokens.subList(from, to));
  }

  /** The text between two tokens, both inclusive, as it was written. */
  String rawText(int first, int last) {
    String text = segment.text();
    int from = text.offsetByCodePoints(0, antlr.get(first).getStartIndex());
    int to = text.offsetByCodePoints(from, length(first, last));
    return text.substring(from, to);
  }

  private int length(int first, int last) {
    return antlr.get(last).getStopIndex() + 1 - antlr.get(first).getStartIndex();
  }
}
