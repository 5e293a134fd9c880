package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One token of a query or expression.
 *
 * @param kind what it is
 * @param text its text as written, variables replaced
 * @param at its place in the original text
 * @param gap the white space or comment in front of it
 */
record SqlToken(Kind kind, String text, SourceLocation at, Gap gap) {

  enum Kind {
    WORD,
    QUOTED_NAME,
    STRING,
    DOUBLE_QUOTED,
    NUMBER,
    HINT,
    SYMBOL
  }

  enum Gap {
    NONE(""),
    SPACE(" "),
    NEWLINE("\n");

    private final String text;

    Gap(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{M}\\p{N}_$]*");

  static boolean isPlainName(String text) {
    return PLAIN_NAME.matcher(text).matches();
  }

  static String backQuote(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  static String singleQuote(String content) {
    return '\'' + content.replace("'", "''") + '\'';
  }

  /** Whether it is this word, unquoted, in any case. */
  boolean is(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }

  /** Whether it is one of these words, given in upper case. */
  boolean isOneOf(Set<String> words) {
    return kind == Kind.WORD && words.contains(upper());
  }

  String upper() {
    return text.toUpperCase(Locale.ROOT);
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
  }

  boolean isText() {
    return kind == Kind.STRING || kind == Kind.DOUBLE_QUOTED;
  }

  /** The name without back-quotes. */
  String name() {
    return kind == Kind.QUOTED_NAME
        ? text.substring(1, text.length() - 1).replace("``", "`")
        : text;
  }

  /** As error messages show it: in quotes of its own or in single ones. */
  String shown() {
    return kind == Kind.QUOTED_NAME || isText() ? text : '\'' + text + '\'';
  }

  Identifier identifier() {
    return new Identifier(at, name(), kind == Kind.QUOTED_NAME);
  }

  /** The content of a string: quotes taken off; escapes resolved in a double-quoted one. */
  String content() {
    String inside = text.substring(1, text.length() - 1);
    return kind == Kind.STRING ? inside.replace("''", "'") : unescape(inside);
  }

  private static String unescape(String inside) {
    StringBuilder content = new StringBuilder(inside.length());
    for (int i = 0; i < inside.length(); i++) {
      char c = inside.charAt(i);
      if (c == '"') {
        i++;
      } else if (c == '\\') {
        i++;
        char escaped = inside.charAt(i);
        switch (escaped) {
          case 'n' -> content.append('\n');
          case 't' -> content.append('\t');
          case '"', '\'', '\\' -> content.append(escaped);
          default -> content.append(c).append(escaped);
        }
        continue;
      }
      content.append(c);
    }
    return content.toString();
  }
}
