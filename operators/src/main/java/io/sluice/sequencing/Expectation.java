package io.sluice.sequencing;

import io.sluice.errors.SourceLocation;
import java.io.Serializable;

/**
 * What every row of a table or view should satisfy (semantics 2.7).
 *
 * @param name unique in its table or view
 * @param condition as the user wrote it, for messages
 * @param action what becomes of a row for which it is FALSE or NULL
 * @param at its declaration
 */
public record Expectation(String name, String condition, Action action, SourceLocation at)
    implements Serializable {

  /** Answer to a violation. */
  public enum Action {
    /** The row is kept and the violation counted. */
    KEEP,
    /** The row is left out, as if its source had never sent it. */
    DROP,
    /** Nothing of the update is committed. */
    FAIL
  }
}
