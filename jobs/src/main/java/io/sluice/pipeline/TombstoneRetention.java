package io.sluice.pipeline;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long what no row shows is remembered (semantics 0.5, 0.16); zero means for ever. */
public final class TombstoneRetention {

  /** Two days, as the model system has it. */
  static final Duration DEFAULT = Duration.ofDays(2);

  /** Table property of the model system: whole seconds. */
  static final String SECONDS_PROPERTY = "pipelines.cdc.tombstoneGCThresholdInSeconds";

  private static final Pattern WORDS =
      Pattern.compile("(\\d{1,9})\\s*(day|hour|minute|second)s?", Pattern.CASE_INSENSITIVE);

  private TombstoneRetention() {}

  /** {@code 2 days}, {@code 36 hours}, {@code PT36H} or {@code 0}; empty if it is none of them. */
  static Optional<Duration> parse(String text) {
    String value = text.strip();
    if (value.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher words = WORDS.matcher(value);
    if (words.matches()) {
      long number = Long.parseLong(words.group(1));
      return Optional.of(
          switch (words.group(2).toLowerCase(Locale.ROOT)) {
            case "day" -> Duration.ofDays(number);
            case "hour" -> Duration.ofHours(number);
            case "minute" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
          });
    }
    try {
      return Optional.of(Duration.parse(value)).filter(duration -> !duration.isNegative());
    } catch (DateTimeParseException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Whole seconds; empty if the text is none. */
  static Optional<Duration> parseSeconds(String text) {
    return text.strip().matches("\\d{1,12}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(text.strip())))
        : Optional.empty();
  }

  /** The retention of a table: its own property, else the setting, else the default. */
  static Duration of(Map<String, String> properties, Optional<String> setting) {
    for (Map.Entry<String, String> property : properties.entrySet()) {
      if (property.getKey().equalsIgnoreCase(Settings.TOMBSTONE_RETENTION)) {
        return parse(property.getValue()).orElse(DEFAULT);
      }
    }
    for (Map.Entry<String, String> property : properties.entrySet()) {
      if (property.getKey().equalsIgnoreCase(SECONDS_PROPERTY)) {
        return parseSeconds(property.getValue()).orElse(DEFAULT);
      }
    }
    return setting.flatMap(TombstoneRetention::parse).orElse(DEFAULT);
  }
}
