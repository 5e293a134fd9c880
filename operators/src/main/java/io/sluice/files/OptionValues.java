package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.flink.table.data.TimestampData;

/** Typed access to option values; a bad one is an INVALID_OPTION that says what is possible. */
final class OptionValues {

  private final Map<String, String> values;

  OptionValues(Map<String, String> values) {
    this.values = values;
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  boolean bool(String name, boolean otherwise) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, value, "it must be true or false");
    };
  }

  Optional<Format> format() {
    return text("format")
        .map(
            value ->
                Arrays.stream(Format.values())
                    .filter(format -> format.name().equalsIgnoreCase(value))
                    .findFirst()
                    .orElseThrow(
                        () -> invalid("format", value, "it must be json, csv, parquet or avro")));
  }

  SchemaEvolutionMode mode(boolean declaredSchema) {
    String value = values.get("schemaEvolutionMode");
    if (value == null) {
      return declaredSchema ? SchemaEvolutionMode.NONE : SchemaEvolutionMode.ADD_NEW_COLUMNS;
    }
    List<SchemaEvolutionMode> modes = List.of(SchemaEvolutionMode.values());
    return modes.stream()
        .filter(mode -> mode.optionValue().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(
                    "schemaEvolutionMode",
                    value,
                    modes.stream()
                        .map(SchemaEvolutionMode::optionValue)
                        .collect(Collectors.joining(", ", "it must be one of ", ""))));
  }

  Optional<Instant> instant(String name) {
    return text(name)
        .map(
            value -> {
              TimestampData parsed = TimestampText.parse(value.strip(), TimestampText.Zone.UTC, 9);
              if (parsed == null) {
                throw invalid(
                    name,
                    value,
                    "it must be an ISO-8601 instant such as 2025-01-31T12:00:00Z or"
                        + " 2025-01-31T12:00:00+01:00, or a date (without a zone it is UTC)");
              }
              return parsed.toInstant();
            });
  }

  OptionalInt positive(String name) {
    String value = values.get(name);
    if (value == null) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(value.strip());
      if (number > 0) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      throw invalid(name, value, "it must be a whole number above 0");
    }
    throw invalid(name, value, "it must be a whole number above 0");
  }

  char character(String name, char otherwise) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    String plain = value.equals("\\t") ? "\t" : value;
    if (plain.length() != 1 || plain.charAt(0) > 127 || "\"\r\n".contains(plain)) {
      throw invalid(name, value, "it must be one ASCII character, not a quote or a line break");
    }
    return plain.charAt(0);
  }

  /** An option that the format does not read would be ignored silently, so it is refused. */
  void requireUsed(Format format) {
    for (String name : List.of("header", "delimiter")) {
      if (format != Format.CSV && values.containsKey(name)) {
        throw invalid(name, values.get(name), "only format => 'csv' knows it");
      }
    }
  }

  static SluiceException invalid(String name, String value, String why) {
    return new SluiceException(
        ErrorCode.INVALID_OPTION,
        "read_files option '" + name + "' has the value '" + value + "'",
        Character.toUpperCase(why.charAt(0)) + why.substring(1) + ".");
  }
}
