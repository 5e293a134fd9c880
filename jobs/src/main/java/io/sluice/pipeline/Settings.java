package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import io.sluice.kafka.LostOffsets;
import io.sluice.sql.Names;
import io.sluice.sql.SetStatement;
import io.sluice.sql.Statement;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.util.TimeUtils;

/** The settings of Sluice: keys of SET statements and {@code --set} that begin with sluice. */
public final class Settings {

  /** Name of the pipeline in the ledgers; the file's base name if not set. */
  public static final String PIPELINE = "sluice.pipeline";

  /** What two different events with one key and sequence are: {@code RESOLVE} or {@code FAIL}. */
  public static final String TIES = "sluice.ties";

  /** What becomes of events that cannot be applied: an {@link InvalidEventRule}. */
  public static final String INVALID_EVENTS = "sluice.invalid-events";

  /** What a live event that is not behind the seed is: {@code WARN}, {@code FAIL}, {@code OFF}. */
  public static final String CUTOVER = "sluice.cutover";

  /** How long tombstones and absorbed events are remembered; {@code 0}: for ever. */
  public static final String TOMBSTONE_RETENTION = "sluice.tombstone-retention";

  /** What sources write for a value that they do not send. */
  public static final String UNAVAILABLE_VALUE = "sluice.unavailable-value";

  /** {@code sluice.renamed-from.<flow>}: the name the flow had before. */
  public static final String RENAMED_FROM = "sluice.renamed-from.";

  /** {@code sluice.reread.<flow>} = true: the flow is new and reads everything. */
  public static final String REREAD = "sluice.reread.";

  /** Largest share of the live keys of a target that a snapshot may delete; 1 allows all. */
  public static final String MAX_DELETE_RATIO = "sluice.snapshot.max-delete-ratio";

  /** What happens where messages are gone before they were read: {@code FAIL}, {@code EARLIEST}. */
  public static final String ON_LOST_OFFSETS = "sluice.kafka.on-lost-offsets";

  /** Subtasks per operator. */
  public static final String PARALLELISM = "sluice.parallelism";

  /** How long the events of a key wait for earlier ones in a continuous run. */
  public static final String REORDER_WINDOW = "sluice.reorder-window";

  /** Pause between two looks at a folder or table in a continuous run. */
  public static final String DISCOVERY_INTERVAL = "sluice.discovery-interval";

  /** Pause between two looks for a new snapshot in a continuous run. */
  public static final String SNAPSHOT_INTERVAL = "sluice.snapshot.interval";

  private static final Map<String, String> DURATIONS =
      Map.of(REORDER_WINDOW, "1 s", DISCOVERY_INTERVAL, "1 s", SNAPSHOT_INTERVAL, "1 min");

  private static final Map<String, Set<String>> VALUES =
      Map.of(
          TIES, Set.of("RESOLVE", "FAIL"),
          INVALID_EVENTS, names(InvalidEventRule.values()),
          CUTOVER, Set.of("WARN", "FAIL", "OFF"),
          ON_LOST_OFFSETS, names(LostOffsets.values()));

  private Settings() {}

  /** Problems of the settings: unknown keys with the nearest name, and values that cannot be. */
  static List<Problem> check(Map<String, String> settings, List<Statement> statements) {
    List<Problem> problems = new ArrayList<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith("sluice.")) {
            check(key, value, placeOf(key, statements), problems);
          } else {
            checkFlink(key, value)
                .ifPresent(
                    remedy ->
                        problems.add(
                            Problem.at(
                                placeOf(key, statements),
                                ErrorCode.INVALID_OPTION,
                                key + " cannot be '" + value + "'",
                                remedy)));
          }
        });
    return problems;
  }

  /** What to do about a setting of Flink's that decides what queries mean; empty if it may be. */
  private static Optional<String> checkFlink(String key, String value) {
    return switch (key) {
      case "table.local-time-zone" ->
          isZone(value)
              ? Optional.empty()
              : Optional.of("Use a name such as 'Europe/Berlin', 'UTC' or 'GMT+03:00'");
      case "execution.runtime-mode" ->
          value.equalsIgnoreCase("batch")
              ? Optional.empty()
              : Optional.of("Leave it out: an update is a bounded job");
      case "table.sql-dialect" ->
          value.equalsIgnoreCase("default")
              ? Optional.empty()
              : Optional.of("Leave it out: pipelines have one dialect");
      default -> Optional.empty();
    };
  }

  private static boolean isZone(String value) {
    if (!value.contains("/")
        && !value.equals("UTC")
        && !value.matches("GMT[+-][0-9]{2}:[0-9]{2}")) {
      return false;
    }
    try {
      ZoneId.of(value);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static void check(
      String key, String value, SourceLocation where, List<Problem> problems) {
    Set<String> known =
        Set.of(
            PIPELINE,
            TIES,
            INVALID_EVENTS,
            CUTOVER,
            PARALLELISM,
            TOMBSTONE_RETENTION,
            UNAVAILABLE_VALUE,
            MAX_DELETE_RATIO,
            ON_LOST_OFFSETS,
            REORDER_WINDOW,
            DISCOVERY_INTERVAL,
            SNAPSHOT_INTERVAL);
    if (key.startsWith(RENAMED_FROM) || key.startsWith(REREAD)) {
      return;
    } else if (!known.contains(key)) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.UNKNOWN_OPTION,
              "there is no setting " + key,
              Names.nearest(key, known)
                  .map(name -> "Did you mean " + name + "?")
                  .orElse(
                      "Known settings: " + String.join(", ", known.stream().sorted().toList()))));
    } else if (VALUES.containsKey(key) && !VALUES.get(key).contains(value)) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be '" + value + "'",
              "Use one of " + VALUES.get(key).stream().sorted().toList()));
    } else if (DURATIONS.containsKey(key) && duration(value).isEmpty()) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be '" + value + "'",
              "Write '500 ms', '1 s', '2 min' or the like"));
    } else if (key.equals(MAX_DELETE_RATIO) && !value.matches("0|1|0?\\.[0-9]+|[01]\\.0*")) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be '" + value + "'",
              "Use a number from 0 to 1"));
    } else if (key.equals(TOMBSTONE_RETENTION) && TombstoneRetention.parse(value).isEmpty()) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be '" + value + "'",
              "Write '2 days', '36 hours' or the like, or '0' to forget nothing"));
    } else if (key.equals(UNAVAILABLE_VALUE) && value.isEmpty()) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be empty",
              "Write the text that the source sends instead of a value"));
    } else if (key.equals(PARALLELISM) && !value.matches("[1-9][0-9]{0,4}")) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be '" + value + "'",
              "Use a number from 1 on"));
    }
  }

  /** A duration in Flink's own form; empty if the text is none. */
  static Optional<Duration> duration(String text) {
    try {
      return Optional.of(TimeUtils.parseDuration(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** What a duration is where the pipeline does not set it. */
  static String defaultDuration(String key) {
    return DURATIONS.get(key);
  }

  private static Set<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).collect(Collectors.toUnmodifiableSet());
  }

  private static SourceLocation placeOf(String key, List<Statement> statements) {
    return statements.stream()
        .filter(each -> each instanceof SetStatement set && set.key().equals(key))
        .map(Statement::at)
        .findFirst()
        .orElse(null);
  }
}
