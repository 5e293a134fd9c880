package io.sluice.run;

import io.sluice.sequencing.Expectation.Action;

/**
 * What an update found of one expectation for one flow.
 *
 * @param dataset full name of the table or view that has the expectation
 * @param name name of the expectation
 * @param action what becomes of rows that violate it
 * @param passed rows that satisfy it
 * @param failed rows that do not
 */
public record ExpectationResult(
    String dataset, String name, Action action, long passed, long failed) {

  /** Rows that it has left out; a row that violates two expectations counts for both. */
  public long dropped() {
    return action == Action.DROP ? failed : 0;
  }

  /** Adds what was found of the same expectation elsewhere. */
  ExpectationResult plus(ExpectationResult more) {
    return new ExpectationResult(dataset, name, action, passed + more.passed, failed + more.failed);
  }

  boolean isSameAs(ExpectationResult other) {
    return dataset.equals(other.dataset) && name.equals(other.name);
  }
}
