package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.sql.Names;
import io.sluice.sql.RenderedSql;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Flink's planner says, at the place where the user wrote it. */
final class PlannerErrors {

  private static final Pattern FROM_TO =
      Pattern.compile(
          "From line (\\d+), column (\\d+) to line \\d+, column \\d+: *(.*)", Pattern.DOTALL);
  private static final Pattern AT =
      Pattern.compile("[Aa]t line (\\d+), column (\\d+)[:.]? *(.*)", Pattern.DOTALL);
  private static final Pattern ENCOUNTERED =
      Pattern.compile("Encountered \"([^\"]*)\" at line (\\d+), column (\\d+)");
  private static final Pattern COLUMN = Pattern.compile("Column '([^']+)' not found");

  private static final Pattern NO_QUERY =
      Pattern.compile("Non-query expression encountered|Unsupported SQL query!");

  private PlannerErrors() {}

  /**
   * The problem behind an exception of the planner for rendered text.
   *
   * @param fallback where it is if the planner names no place
   * @param columns the columns that there are, for "did you mean"
   */
  static Problem problem(
      RenderedSql sql, SourceLocation fallback, Throwable thrown, Collection<String> columns) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      Matcher word = ENCOUNTERED.matcher(text);
      if (word.find()) {
        return misplaced(sql, word);
      }
      for (Pattern pattern : new Pattern[] {FROM_TO, AT}) {
        Matcher matcher = pattern.matcher(text);
        if (matcher.find()) {
          SourceLocation where =
              sql.originalPlace(
                  Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
          return invalid(where, matcher.group(3).isBlank() ? text : matcher.group(3), columns);
        }
      }
    }
    return invalid(fallback, innermost(thrown), columns);
  }

  private static Problem misplaced(RenderedSql sql, Matcher word) {
    boolean ended = word.group(1).equals("<EOF>");
    return Problem.at(
        sql.originalPlace(Integer.parseInt(word.group(2)), Integer.parseInt(word.group(3))),
        ErrorCode.INVALID_QUERY,
        ended
            ? "the query or expression ends before it is complete"
            : "'" + word.group(1).strip() + "' cannot stand here in a query or expression",
        ended
            ? "Complete it"
            : "Correct it; a column with a name that SQL reserves is written in back-quotes");
  }

  private static Problem invalid(SourceLocation where, String text, Collection<String> columns) {
    if (NO_QUERY.matcher(text).find()) {
      return Problem.at(
          where,
          ErrorCode.INVALID_QUERY,
          "this is no query",
          "Begin it with SELECT, WITH or VALUES; tables are changed by the flows of a pipeline");
    }
    Matcher column = COLUMN.matcher(text);
    String remedy = "Correct the query; everything but the documented extensions is Flink SQL";
    if (column.find()) {
      String name = column.group(1);
      remedy =
          Names.nearest(name, columns)
              .map(near -> "Did you mean '" + near + "'?")
              .orElse("Check the name '" + name + "' against the columns of the source");
    }
    return Problem.at(where, ErrorCode.INVALID_QUERY, oneLine(text), remedy);
  }

  /**
   * Whether a stack that ended is behind an exception. Flink's parser catches that, and then
   * stumbles over the message that it does not have.
   */
  static boolean isTooDeep(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StackOverflowError
          || cause instanceof NullPointerException
              && String.valueOf(cause.getMessage()).contains("SqlParseException.getMessage()")) {
        return true;
      }
    }
    return false;
  }

  /** A query that Flink's planner, which calls itself for every part, has no stack for. */
  static SluiceException tooDeep(SourceLocation where, Throwable thrown) {
    return new SluiceException(
        List.of(
            Problem.at(
                where,
                ErrorCode.INVALID_QUERY,
                "the query is nested too deep for Flink's planner",
                "Write chains of operators as a list, for example IN (..), or split the query into"
                    + " tables")),
        thrown);
  }

  static String innermost(Throwable thrown) {
    Throwable last = thrown;
    while (last.getCause() != null && last.getCause().getMessage() != null) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
  }

  static String oneLine(String text) {
    String line = text.strip().replaceAll("\\s*\\R\\s*", " ");
    return line.length() > 500 ? line.substring(0, 500) + "..." : line;
  }
}
