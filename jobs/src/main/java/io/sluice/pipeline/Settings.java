package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import io.sluice.sql.Names;
import io.sluice.sql.SetStatement;
import io.sluice.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The settings of Sluice: keys of SET statements and {@code --set} that begin with sluice. */
public final class Settings {

  /** Name of the pipeline in the ledgers; the file's base name if not set. */
  public static final String PIPELINE = "sluice.pipeline";

  /** What two different events with one key and sequence are: {@code RESOLVE} or {@code FAIL}. */
  public static final String TIES = "sluice.ties";

  /** What becomes of events that cannot be applied: an {@link InvalidEventRule}. */
  public static final String INVALID_EVENTS = "sluice.invalid-events";

  /** {@code sluice.renamed-from.<flow>}: the name the flow had before. */
  public static final String RENAMED_FROM = "sluice.renamed-from.";

  /** {@code sluice.reread.<flow>} = true: the flow is new and reads everything. */
  public static final String REREAD = "sluice.reread.";

  /** Subtasks per operator. */
  public static final String PARALLELISM = "sluice.parallelism";

  private static final Map<String, Set<String>> VALUES =
      Map.of(TIES, Set.of("RESOLVE", "FAIL"), INVALID_EVENTS, names(InvalidEventRule.values()));

  private static final Set<String> LATER =
      Set.of(
          "sluice.cutover",
          "sluice.tombstone-retention",
          "sluice.snapshot.max-delete-ratio",
          "sluice.unavailable-value",
          "sluice.reorder-window");

  private Settings() {}

  /** Problems of the settings: unknown keys with the nearest name, and values that cannot be. */
  static List<Problem> check(Map<String, String> settings, List<Statement> statements) {
    List<Problem> problems = new ArrayList<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith("sluice.")) {
            check(key, value, placeOf(key, statements), problems);
          }
        });
    return problems;
  }

  private static void check(
      String key, String value, SourceLocation where, List<Problem> problems) {
    Set<String> known = Set.of(PIPELINE, TIES, INVALID_EVENTS, PARALLELISM);
    if (LATER.contains(key)) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.NOT_SUPPORTED_YET,
              "the setting " + key + " is not supported yet",
              "Leave it out until a later version of Sluice runs it"));
    } else if (key.startsWith(RENAMED_FROM) || key.startsWith(REREAD)) {
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
    } else if (key.equals(PARALLELISM) && !value.matches("[1-9][0-9]{0,4}")) {
      problems.add(
          Problem.at(
              where,
              ErrorCode.INVALID_OPTION,
              key + " cannot be '" + value + "'",
              "Use a number from 1 on"));
    }
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
