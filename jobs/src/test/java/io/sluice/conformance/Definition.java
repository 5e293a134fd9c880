package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.util.List;

/**
 * A pipeline that is refused.
 *
 * @param name what is wrong with it
 * @param sql the file; {@code §} stands before the place of the problem
 * @param code the error
 * @param message how the message begins
 */
record Definition(String name, String sql, ErrorCode code, String message) {

  /** Tables and a feed that the definitions of tests are made of. */
  static final String FEED =
      "STREAM read_files('${dir}/in', format => 'json',"
          + " schema => 'id INT, val STRING, op STRING, seq INT, tags ARRAY<STRING>')";

  static Definition of(String name, String sql, ErrorCode code, String message) {
    return new Definition(name, sql, code, message);
  }

  /** One change flow f into table t with the given clauses behind its source. */
  static Definition flow(String clauses, ErrorCode code, String message) {
    return of(clauses.replace("§", "").strip(), changes("f", "t", clauses), code, message);
  }

  static String changes(String flow, String table, String clauses) {
    return "CREATE STREAMING TABLE %s;\n".formatted(table) + joining(flow, table, clauses);
  }

  static String joining(String flow, String table, String clauses) {
    String sql = "CREATE FLOW %s AS AUTO CDC INTO %s FROM %s\n%s;\n";
    boolean marked = clauses.startsWith("^");
    return (marked ? "§" : "")
        + sql.formatted(flow, table, FEED, marked ? clauses.substring(1) : clauses);
  }

  /** Requires that the file has this problem and, what later versions run aside, no other. */
  void check(Scene scene) {
    List<Problem> problems = scene.refused(sql.replace("§", ""));
    assertThat(problems.get(0).toString()).startsWith(place() + "[" + code + "] " + message);
    assertThat(problems)
        .as(sql)
        .extracting(Problem::code)
        .containsAnyOf(code)
        .isSubsetOf(code, ErrorCode.NOT_SUPPORTED_YET);
  }

  private String place() {
    int at = sql.indexOf('§');
    if (at < 0) {
      return "";
    }
    String before = sql.substring(0, at);
    long line = before.chars().filter(c -> c == '\n').count() + 1;
    return "test.sql:" + line + ":" + (at - before.lastIndexOf('\n')) + ": ";
  }
}
