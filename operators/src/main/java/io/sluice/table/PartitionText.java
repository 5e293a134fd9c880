package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;

/** Reads partition fields from text, in the spelling of {@link TargetDefinition#partitioning}. */
final class PartitionText {

  private static final Pattern CALL = Pattern.compile("\\s*(\\w+)\\s*\\(\\s*(.*?)\\s*\\)\\s*");
  private static final Pattern SIZED = Pattern.compile("(\\d+)\\s*,\\s*(.+)");

  private PartitionText() {}

  /**
   * The partition spec of a schema.
   *
   * @throws SluiceException INCOMPATIBLE_SCHEMA for an unknown column, transform or type
   */
  static PartitionSpec parse(Schema schema, List<String> fields) {
    PartitionSpec.Builder builder = PartitionSpec.builderFor(schema).caseSensitive(false);
    for (String field : fields) {
      try {
        // Alone first: only build() checks the type, and it cannot say which field is wrong.
        PartitionSpec.Builder alone = PartitionSpec.builderFor(schema).caseSensitive(false);
        add(alone, field);
        alone.build();
        add(builder, field);
      } catch (RuntimeException e) {
        throw new SluiceException(
            ErrorCode.INCOMPATIBLE_SCHEMA,
            "the table cannot be partitioned by " + field.strip() + ": " + e.getMessage(),
            "Use a column, bucket(n, column), truncate(n, column), years(column), "
                + "months(column), days(column) or hours(column)",
            e);
      }
    }
    return builder.build();
  }

  private static void add(PartitionSpec.Builder builder, String field) {
    Matcher call = CALL.matcher(field);
    if (!call.matches()) {
      builder.identity(name(field));
      return;
    }
    String argument = call.group(2);
    switch (call.group(1).toLowerCase(Locale.ROOT)) {
      case "bucket" -> builder.bucket(name(sized(argument).group(2)), size(argument));
      case "truncate" -> builder.truncate(name(sized(argument).group(2)), size(argument));
      case "year", "years" -> builder.year(name(argument));
      case "month", "months" -> builder.month(name(argument));
      case "day", "days" -> builder.day(name(argument));
      case "hour", "hours" -> builder.hour(name(argument));
      case "identity" -> builder.identity(name(argument));
      default -> throw new IllegalArgumentException("no such transform: " + call.group(1));
    }
  }

  private static Matcher sized(String argument) {
    Matcher sized = SIZED.matcher(argument);
    if (!sized.matches()) {
      throw new IllegalArgumentException("a number and a column are needed, in this order");
    }
    return sized;
  }

  private static int size(String argument) {
    return Integer.parseInt(sized(argument).group(1));
  }

  private static String name(String text) {
    String name = text.strip();
    return name.length() > 1 && name.startsWith("`") && name.endsWith("`")
        ? name.substring(1, name.length() - 1)
        : name;
  }
}
