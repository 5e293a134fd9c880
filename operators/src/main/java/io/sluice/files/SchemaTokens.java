package io.sluice.files;

import java.util.ArrayList;
import java.util.List;

/** The words, numbers and signs of a declared schema. */
final class SchemaTokens {

  /**
   * One token.
   *
   * @param text without the backquotes or quotes
   * @param column place in the schema text, from 1
   */
  record Token(Kind kind, String text, int column) {
    boolean is(String sign) {
      return kind != Kind.QUOTED && kind != Kind.LITERAL && text.equalsIgnoreCase(sign);
    }
  }

  enum Kind {
    WORD,
    QUOTED,
    LITERAL,
    SIGN,
    END
  }

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int next;

  SchemaTokens(String text) {
    this.text = text;
    int at = 0;
    while (at < text.length()) {
      char character = text.charAt(at);
      if (Character.isWhitespace(character)) {
        at++;
      } else if (character == '`' || character == '\'') {
        at = quoted(at, character);
      } else if (isWordPart(character)) {
        int end = at;
        while (end < text.length() && isWordPart(text.charAt(end))) {
          end++;
        }
        tokens.add(new Token(Kind.WORD, text.substring(at, end), at + 1));
        at = end;
      } else {
        tokens.add(new Token(Kind.SIGN, String.valueOf(character), at + 1));
        at++;
      }
    }
    tokens.add(new Token(Kind.END, "", text.length() + 1));
  }

  private int quoted(int start, char quote) {
    StringBuilder content = new StringBuilder();
    for (int at = start + 1; at < text.length(); at++) {
      char character = text.charAt(at);
      if (character != quote) {
        content.append(character);
      } else if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
        content.append(quote);
        at++;
      } else {
        Kind kind = quote == '`' ? Kind.QUOTED : Kind.LITERAL;
        tokens.add(new Token(kind, content.toString(), start + 1));
        return at + 1;
      }
    }
    tokens.add(new Token(Kind.SIGN, text.substring(start), start + 1));
    return text.length();
  }

  private static boolean isWordPart(char character) {
    return Character.isLetterOrDigit(character) || character == '_' || character == '$';
  }

  Token peek() {
    return tokens.get(next);
  }

  Token take() {
    Token token = tokens.get(next);
    if (token.kind() != Kind.END) {
      next++;
    }
    return token;
  }

  /** Takes the next token if it is this word or sign. */
  boolean takeIf(String sign) {
    if (!peek().is(sign)) {
      return false;
    }
    take();
    return true;
  }

  /** Takes the words if all of them come next, else nothing. */
  boolean takeAll(String... words) {
    for (int index = 0; index < words.length; index++) {
      int at = Math.min(next + index, tokens.size() - 1);
      if (!tokens.get(at).is(words[index])) {
        return false;
      }
    }
    next += words.length;
    return true;
  }
}
