package io.sluice.sequencing;

import java.io.Serializable;
import java.util.List;

/**
 * What one subtask found of an expectation.
 *
 * @param expectation the expectation
 * @param passed rows that satisfy it
 * @param failed rows that do not
 * @param samples for FAIL the first of these as text with their places, a handful at most
 */
public record ExpectationCount(
    Expectation expectation, long passed, long failed, List<String> samples)
    implements Serializable {

  public ExpectationCount {
    samples = List.copyOf(samples);
  }
}
