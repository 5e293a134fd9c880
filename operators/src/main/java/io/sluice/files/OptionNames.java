package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** The options of read_files, and the nearest name to a wrong one of any source function. */
public final class OptionNames {

  static final List<String> ALL =
      List.of(
          "format",
          "schema",
          "inferColumnTypes",
          "schemaEvolutionMode",
          "modifiedAfter",
          "modifiedBefore",
          "maxFilesPerTrigger",
          "pathGlobFilter",
          "header",
          "delimiter");

  private OptionNames() {}

  static void requireKnown(String name) {
    if (ALL.stream().noneMatch(known -> known.equalsIgnoreCase(name))) {
      throw new SluiceException(
          ErrorCode.UNKNOWN_OPTION,
          "read_files has no option '" + name + "'",
          didYouMean(name, ALL) + "The options are " + String.join(", ", ALL) + ".");
    }
  }

  /** The question whether the nearest of some names was meant; empty if none is near. */
  public static String didYouMean(String name, List<String> names) {
    return nearest(name, names).map(near -> "Did you mean '" + near + "'? ").orElse("");
  }

  /** The known name with the smallest distance, if at most a third of the wanted one differs. */
  private static Optional<String> nearest(String name, List<String> names) {
    String wanted = name.toLowerCase(Locale.ROOT);
    ToIntFunction<String> distance = known -> distance(wanted, known.toLowerCase(Locale.ROOT));
    return names.stream()
        .min(Comparator.comparingInt(distance))
        .filter(known -> distance.applyAsInt(known) <= Math.max(1, wanted.length() / 3));
  }

  /** Levenshtein distance. */
  private static int distance(String left, String right) {
    int[] above = new int[right.length() + 1];
    for (int column = 0; column <= right.length(); column++) {
      above[column] = column;
    }
    for (int line = 1; line <= left.length(); line++) {
      int[] current = new int[right.length() + 1];
      current[0] = line;
      for (int column = 1; column <= right.length(); column++) {
        int change = left.charAt(line - 1) == right.charAt(column - 1) ? 0 : 1;
        int step = Math.min(above[column], current[column - 1]) + 1;
        current[column] = Math.min(step, above[column - 1] + change);
      }
      above = current;
    }
    return above[right.length()];
  }
}
