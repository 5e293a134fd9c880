package io.sluice.sql;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class Names {

  private Names() {}

  /**
   * The known name with the smallest Damerau-Levenshtein distance to the wanted one; case is
   * ignored and a swap of two neighbours counts once. The first of several equally near ones. Empty
   * if none is near: at most a third of the wanted name may differ, so names of one or two
   * characters only match in another case.
   */
  public static Optional<String> nearest(String wanted, Collection<String> known) {
    String lower = wanted.toLowerCase(Locale.ROOT);
    int best = lower.length() / 3 + 1;
    String found = null;
    for (String candidate : known) {
      if (Math.abs(candidate.length() - lower.length()) >= best) {
        continue;
      }
      int distance = distance(lower, candidate.toLowerCase(Locale.ROOT));
      if (distance < best) {
        best = distance;
        found = candidate;
      }
    }
    return Optional.ofNullable(found);
  }

  /** Optimal string alignment: insert, delete, replace, swap of neighbours. */
  static int distance(String left, String right) {
    int[] twoBack = new int[right.length() + 1];
    int[] previous = new int[right.length() + 1];
    int[] current = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int change = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
        int cost = Math.min(previous[j - 1] + change, Math.min(previous[j], current[j - 1]) + 1);
        if (i > 1
            && j > 1
            && left.charAt(i - 1) == right.charAt(j - 2)
            && left.charAt(i - 2) == right.charAt(j - 1)) {
          cost = Math.min(cost, twoBack[j - 2] + 1);
        }
        current[j] = cost;
      }
      int[] recycled = twoBack;
      twoBack = previous;
      previous = current;
      current = recycled;
    }
    return previous[right.length()];
  }
}
