package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Hadoop's globs: {@code *} and {@code ?} (never across a slash), {@code [abc]}, {@code [a-z]},
 * {@code [^a]}, {@code {a,b}} (also across slashes), {@code \} before a character that means
 * itself.
 */
final class Glob {

  private static final String SPECIAL = "*?[]{}\\";
  private static final int MAX_ALTERNATIVES = 10_000;

  private Glob() {}

  static boolean isGlob(String text) {
    return text.chars().anyMatch(character -> SPECIAL.indexOf(character) >= 0);
  }

  /**
   * Resolves {@code {a,b}}: the paths that a path with alternatives stands for.
   *
   * @throws SluiceException INVALID_OPTION for unbalanced braces
   */
  static List<String> expand(String path) {
    List<String> done = new ArrayList<>();
    List<String> open = new ArrayList<>(List.of(path));
    while (!open.isEmpty()) {
      String next = open.remove(0);
      int start = find(next, '{', 0);
      if (start < 0) {
        done.add(next);
        continue;
      }
      int end = closing(next, start, path);
      String before = next.substring(0, start);
      String after = next.substring(end + 1);
      List<String> expanded = new ArrayList<>();
      for (String alternative : alternatives(next.substring(start + 1, end))) {
        expanded.add(before + alternative + after);
      }
      open.addAll(0, expanded);
      if (open.size() + done.size() > MAX_ALTERNATIVES) {
        throw invalid(path, "it stands for more than " + MAX_ALTERNATIVES + " paths");
      }
    }
    return done;
  }

  /**
   * A pattern for one name, without braces across slashes.
   *
   * @param origin what the error names as the place of the glob
   * @throws SluiceException INVALID_OPTION for an unclosed bracket or brace
   */
  static Pattern compile(String glob, String origin) {
    StringBuilder regex = new StringBuilder();
    List<String> expanded = expand(glob);
    for (String single : expanded) {
      regex.append(regex.isEmpty() ? "" : "|").append("(?:");
      appendRegex(regex, single, origin);
      regex.append(')');
    }
    try {
      return Pattern.compile(regex.toString(), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw invalid(glob, e.getDescription() + " in " + origin);
    }
  }

  private static void appendRegex(StringBuilder regex, String glob, String origin) {
    for (int at = 0; at < glob.length(); at++) {
      char character = glob.charAt(at);
      switch (character) {
        case '*' -> regex.append("[^/]*");
        case '?' -> regex.append("[^/]");
        case '\\' -> {
          at++;
          if (at == glob.length()) {
            throw invalid(glob, "nothing follows the last \\ in " + origin);
          }
          regex.append(Pattern.quote(glob.substring(at, at + 1)));
        }
        case '[' -> {
          int end = glob.indexOf(']', at + 2);
          if (end < 0) {
            throw invalid(glob, "a [ is not closed in " + origin);
          }
          String set = glob.substring(at + 1, end);
          boolean negated = set.startsWith("^") || set.startsWith("!");
          String members = negated ? set.substring(1) : set;
          regex.append(negated ? "[^/" : "[");
          regex.append(members.replaceAll("[\\[\\]\\\\&^]", "\\\\$0")).append(']');
          at = end;
        }
        case '}' -> throw invalid(glob, "a } has no { in " + origin);
        default -> regex.append(Pattern.quote(String.valueOf(character)));
      }
    }
  }

  /** Takes the backslashes out of a path component that is no glob otherwise. */
  static String literal(String component) {
    return component.replaceAll("\\\\(.)", "$1");
  }

  private static int find(String text, char wanted, int from) {
    for (int at = from; at < text.length(); at++) {
      if (text.charAt(at) == '\\') {
        at++;
      } else if (text.charAt(at) == wanted) {
        return at;
      }
    }
    return -1;
  }

  private static int closing(String text, int start, String path) {
    int depth = 0;
    for (int at = start; at < text.length(); at++) {
      switch (text.charAt(at)) {
        case '\\' -> at++;
        case '{' -> depth++;
        case '}' -> {
          depth--;
          if (depth == 0) {
            return at;
          }
        }
        default -> {}
      }
    }
    throw invalid(path, "a { is not closed");
  }

  private static List<String> alternatives(String inside) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int at = 0; at < inside.length(); at++) {
      char character = inside.charAt(at);
      if (character == '\\') {
        at++;
      } else if (character == '{') {
        depth++;
      } else if (character == '}') {
        depth--;
      } else if (character == ',' && depth == 0) {
        parts.add(inside.substring(from, at));
        from = at + 1;
      }
    }
    parts.add(inside.substring(from));
    return parts;
  }

  private static SluiceException invalid(String glob, String why) {
    return new SluiceException(
        ErrorCode.INVALID_OPTION,
        "the glob '" + glob + "' cannot be read: " + why,
        "Write \\ before a character that shall mean itself.");
  }
}
