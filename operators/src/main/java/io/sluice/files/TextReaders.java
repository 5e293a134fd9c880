package io.sluice.files;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Optional;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/** The text forms of the scalar types: numbers as digits, ISO-8601 times, base64 for bytes. */
final class TextReaders {

  /** No number is longer; a longer text would only cost time. */
  private static final int MAX_NUMBER_CHARACTERS = 1_000;

  private TextReaders() {}

  /** The reader for a type; empty for a type that is no scalar. */
  static Optional<TextReader> of(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> Optional.of((text, from, length) -> bool(text, from, length));
      case TINYINT -> Optional.of(integer(type, Byte.MIN_VALUE, Byte.MAX_VALUE));
      case SMALLINT -> Optional.of(integer(type, Short.MIN_VALUE, Short.MAX_VALUE));
      case INTEGER -> Optional.of(integer(type, Integer.MIN_VALUE, Integer.MAX_VALUE));
      case BIGINT -> Optional.of(integer(type, Long.MIN_VALUE, Long.MAX_VALUE));
      case FLOAT ->
          Optional.of(
              (text, from, length) -> {
                Double value = floating(text, from, length);
                return value == null ? null : toFloat(value);
              });
      case DOUBLE -> Optional.of(TextReaders::floating);
      case DECIMAL -> Optional.of(decimal((DecimalType) type));
      default -> ofQuoted(type);
    };
  }

  /** The reader for a type whose values are texts in JSON too; empty for other types. */
  static Optional<TextReader> ofQuoted(LogicalType type) {
    LogicalTypeRoot root = type.getTypeRoot();
    return switch (root) {
      case CHAR, VARCHAR -> Optional.of(string(LogicalTypeChecks.getLength(type)));
      case BINARY, VARBINARY ->
          Optional.of(bytes(LogicalTypeChecks.getLength(type), root == LogicalTypeRoot.BINARY));
      case DATE ->
          Optional.of(
              (text, from, length) -> {
                long day = TimestampText.date(text, from, withoutUtc(text, from, length));
                return day == (int) day ? (Object) (int) day : null;
              });
      case TIME_WITHOUT_TIME_ZONE -> Optional.of(TextReaders::time);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> Optional.of(timestamp(type, TimestampText.Zone.NONE));
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Optional.of(timestamp(type, TimestampText.Zone.UTC));
      default -> Optional.empty();
    };
  }

  private static Boolean bool(char[] text, int from, int length) {
    String word = new String(text, from, length);
    if (word.equalsIgnoreCase("true")) {
      return true;
    }
    return word.equalsIgnoreCase("false") ? Boolean.FALSE : null;
  }

  private static TextReader integer(LogicalType type, long min, long max) {
    return (text, from, length) -> {
      try {
        long value = Long.parseLong(number(text, from, length));
        return value < min || value > max ? null : narrow(type.getTypeRoot(), value);
      } catch (NumberFormatException e) {
        return null;
      }
    };
  }

  /** A whole number as Flink's internal class of an integer type that is wide enough for it. */
  static Object narrow(LogicalTypeRoot root, long value) {
    return switch (root) {
      case TINYINT -> (Object) (byte) value;
      case SMALLINT -> (short) value;
      case INTEGER -> (int) value;
      default -> value;
    };
  }

  private static Double floating(char[] text, int from, int length) {
    String word = number(text, from, length);
    boolean named = word.equals("NaN") || word.equals("Infinity") || word.equals("-Infinity");
    // Java's own syntax also knows "1d", "0x1p3" and more.
    if (!named && !word.chars().allMatch(character -> "0123456789+-.eE".indexOf(character) >= 0)) {
      return null;
    }
    try {
      double value = Double.parseDouble(word);
      return named || !Double.isInfinite(value) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The nearest float; null where a finite number has none. */
  static Float toFloat(double value) {
    float narrow = (float) value;
    return Float.isInfinite(narrow) && !Double.isInfinite(value) ? null : narrow;
  }

  private static TextReader decimal(DecimalType type) {
    return (text, from, length) -> {
      try {
        return decimal(new BigDecimal(number(text, from, length)), type);
      } catch (NumberFormatException e) {
        return null;
      }
    };
  }

  /** The exact value; null where the type would have to round it or is too small. */
  static DecimalData decimal(BigDecimal value, DecimalType type) {
    int scale = type.getScale();
    // Checked before rescaling: 1e999999999 would be written out in memory.
    boolean tooLarge = (long) value.precision() - value.scale() > type.getPrecision() - scale;
    boolean tooFine = (long) value.scale() - scale >= value.precision();
    if (value.signum() != 0 && (tooLarge || tooFine)) {
      return null;
    }
    try {
      BigDecimal exact =
          value.signum() == 0
              ? BigDecimal.valueOf(0, scale)
              : value.setScale(scale, java.math.RoundingMode.UNNECESSARY);
      return DecimalData.fromBigDecimal(exact, type.getPrecision(), scale);
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private static String number(char[] text, int from, int length) {
    if (length > MAX_NUMBER_CHARACTERS) {
      throw new NumberFormatException("too long");
    }
    return new String(text, from, length).strip();
  }

  private static TextReader string(int maxLength) {
    return (text, from, length) ->
        length > maxLength && Character.codePointCount(text, from, length) > maxLength
            ? null
            : utf8(text, from, length);
  }

  /**
   * UTF-8 bytes at once, without a String between, where the text is ASCII. Null where a half of a
   * surrogate pair stands alone, which JSON can write and UTF-8 cannot: texts that differ would
   * become the same.
   */
  private static BinaryStringData utf8(char[] text, int from, int length) {
    byte[] bytes = new byte[length];
    for (int index = 0; index < length; index++) {
      char character = text[from + index];
      if (character >= 128) {
        return hasHalfPair(text, from + index, from + length)
            ? null
            : BinaryStringData.fromBytes(
                new String(text, from, length).getBytes(StandardCharsets.UTF_8));
      }
      bytes[index] = (byte) character;
    }
    return BinaryStringData.fromBytes(bytes);
  }

  private static boolean hasHalfPair(char[] text, int from, int to) {
    for (int index = from; index < to; index++) {
      if (Character.isSurrogate(text[index])) {
        if (index + 1 == to || !Character.isSurrogatePair(text[index], text[index + 1])) {
          return true;
        }
        index++;
      }
    }
    return false;
  }

  private static TextReader bytes(int length, boolean exactLength) {
    return (text, from, count) -> {
      try {
        byte[] decoded = Base64.getDecoder().decode(new String(text, from, count));
        return decoded.length > length || (exactLength && decoded.length < length) ? null : decoded;
      } catch (IllegalArgumentException e) {
        return null;
      }
    };
  }

  /** The length without a Z at the end, which ISO-8601 allows behind dates and times of day. */
  private static int withoutUtc(char[] text, int from, int length) {
    return length > 1 && text[from + length - 1] == 'Z' ? length - 1 : length;
  }

  private static Integer time(char[] text, int from, int length) {
    try {
      String time = new String(text, from, withoutUtc(text, from, length));
      return (int) (LocalTime.parse(time).toNanoOfDay() / 1_000_000);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static TextReader timestamp(LogicalType type, TimestampText.Zone zone) {
    int precision = LogicalTypeChecks.getPrecision(type);
    return (text, from, length) -> TimestampText.parse(text, from, length, zone, precision);
  }
}
