package io.sluice.explain;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.types.Row;

/** Values in Flink's external form: their order and their text. */
public final class KeyValues {

  /** The order of values of one orderable type (semantics 0.12). */
  static final Comparator<Object> ORDER = KeyValues::compare;

  private KeyValues() {}

  @SuppressWarnings("unchecked")
  private static int compare(Object left, Object right) {
    if (left instanceof Row one && right instanceof Row other) {
      for (int i = 0; i < one.getArity(); i++) {
        int order = compare(one.getField(i), other.getField(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
    if (left instanceof byte[] one && right instanceof byte[] other) {
      return Arrays.compareUnsigned(one, other);
    }
    return ((Comparable<Object>) left).compareTo(right);
  }

  /** The text of a value as results show it. */
  public static String text(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof byte[] bytes) {
      return "X'" + HexFormat.of().formatHex(bytes) + "'";
    }
    if (value instanceof Row row) {
      return IntStream.range(0, row.getArity())
          .mapToObj(i -> text(row.getField(i)))
          .collect(Collectors.joining(", ", "(", ")"));
    }
    if (value instanceof Object[] elements) {
      return Arrays.stream(elements)
          .map(KeyValues::text)
          .collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    boolean fullMinute =
        value instanceof LocalTime time && time.toSecondOfDay() % 60 == 0 && time.getNano() == 0
            || value instanceof LocalDateTime local
                && local.getSecond() == 0
                && local.getNano() == 0;
    return fullMinute ? value + ":00" : String.valueOf(value);
  }
}
