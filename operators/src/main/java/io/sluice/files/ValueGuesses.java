package io.sluice.files;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.regex.Pattern;

/** The type of a single value: JSON, a CSV field, the value of a folder. */
final class ValueGuesses {

  private static final Pattern DECIMAL_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern FOLDER_NUMBER = Pattern.compile("-?[0-9]{1,18}");
  private static final int SHORTEST_TIMESTAMP = "2025-01-01T00:00".length();
  private static final int LONGEST_NUMBER = 40;

  /** What is nested deeper is a STRING of JSON; planners go through types recursively. */
  private static final int MAX_DEPTH = 32;

  private ValueGuesses() {}

  /** The value at the parser's current token; leaves the parser at its last token. */
  static Guess ofJson(JsonParser parser, boolean typed) throws IOException {
    return ofJson(parser, typed ? MAX_DEPTH : 0);
  }

  private static Guess ofJson(JsonParser parser, int depth) throws IOException {
    if (depth == 0) {
      parser.skipChildren();
      return parser.currentToken() == JsonToken.VALUE_NULL ? Guess.NOTHING : Guess.Scalar.TEXT;
    }
    return switch (parser.currentToken()) {
      case VALUE_NULL -> Guess.NOTHING;
      case VALUE_TRUE, VALUE_FALSE -> Guess.Scalar.BOOLEAN;
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? Guess.Scalar.TEXT
              : Guess.Scalar.BIGINT;
      case VALUE_NUMBER_FLOAT ->
          Double.isInfinite(parser.getDoubleValue()) ? Guess.Scalar.TEXT : Guess.Scalar.DOUBLE;
      case START_ARRAY -> {
        Guess element = Guess.NOTHING;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          element = element.merge(ofJson(parser, depth - 1));
        }
        yield new Guess.Elements(element);
      }
      case START_OBJECT -> {
        Guess.Fields fields = new Guess.Fields();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          fields.add(name, ofJson(parser, depth - 1));
        }
        yield fields;
      }
      default -> time(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    };
  }

  /**
   * A CSV field. A number that a number column would not give back as it was written, such as
   * {@code 007}, is a text.
   */
  static Guess ofText(String text, boolean typed) {
    if (text == null) {
      return Guess.NOTHING;
    }
    if (!typed || text.isEmpty()) {
      return Guess.Scalar.TEXT;
    }
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Guess.Scalar.BOOLEAN;
    }
    if (text.length() <= LONGEST_NUMBER && DECIMAL_NUMBER.matcher(text).matches()) {
      return number(text);
    }
    return time(text.toCharArray(), 0, text.length());
  }

  private static Guess number(String text) {
    if (WHOLE_NUMBER.matcher(text).matches()) {
      try {
        Long.parseLong(text);
        return Guess.Scalar.BIGINT;
      } catch (NumberFormatException e) {
        return Guess.Scalar.TEXT;
      }
    }
    return Double.isInfinite(Double.parseDouble(text)) ? Guess.Scalar.TEXT : Guess.Scalar.DOUBLE;
  }

  /** The value of a folder: BIGINT ({@code month=01} too), DATE or text. */
  static Guess ofFolder(String text) {
    if (text == null) {
      return Guess.NOTHING;
    }
    if (FOLDER_NUMBER.matcher(text).matches()) {
      return Guess.Scalar.BIGINT;
    }
    boolean date =
        text.length() == 10
            && TimestampText.date(text.toCharArray(), 0, 10) != TimestampText.NO_DATE;
    return date ? Guess.Scalar.DATE : Guess.Scalar.TEXT;
  }

  private static Guess time(char[] text, int from, int length) {
    if (length == 10 && TimestampText.date(text, from, length) != TimestampText.NO_DATE) {
      return Guess.Scalar.DATE;
    }
    boolean timestamp =
        length >= SHORTEST_TIMESTAMP
            && TimestampText.parse(text, from, length, TimestampText.Zone.UTC, 6) != null;
    return timestamp ? Guess.Scalar.TIMESTAMP : Guess.Scalar.TEXT;
  }
}
