package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * {@code CONSTRAINT name EXPECT (condition) [ON VIOLATION ..]} (semantics 2.7).
 *
 * @param at place of CONSTRAINT
 * @param name unique per table
 * @param condition what every row should satisfy
 * @param onViolation what happens to a row that does not
 */
public record Constraint(
    SourceLocation at, Identifier name, SqlExpression condition, Violation onViolation) {

  /** Answer to a row that fails the condition or makes it NULL. */
  public enum Violation {
    /** Nothing written: keep the row and count it. */
    KEEP,
    DROP_ROW,
    FAIL_UPDATE
  }
}
