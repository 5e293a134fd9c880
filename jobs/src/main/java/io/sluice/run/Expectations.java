package io.sluice.run;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.Expectation;
import io.sluice.sequencing.ExpectationCount;
import io.sluice.sequencing.InvalidEventOperator;
import io.sluice.sequencing.UpdateOutput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the tasks of a step found of expectations (semantics 0.11).
 *
 * @param found in the order of the tables and views on the way of the rows
 */
record Expectations(List<UpdateOutput.Expected> found) {

  static Expectations of(List<UpdateOutput> outputs) {
    return new Expectations(
        outputs.stream()
            .filter(UpdateOutput.Expected.class::isInstance)
            .map(UpdateOutput.Expected.class::cast)
            .sorted(Comparator.comparingInt(UpdateOutput.Expected::number))
            .toList());
  }

  /** The expectations that the rows of a flow have met, each once; those of views come first. */
  List<ExpectationResult> of(String flow) {
    List<ExpectationResult> all = new ArrayList<>();
    for (UpdateOutput.Expected each : found) {
      if (each.flow().equals(flow)) {
        for (ExpectationCount count : each.counts()) {
          Expectation expectation = count.expectation();
          all.add(
              new ExpectationResult(
                  each.dataset(),
                  expectation.name(),
                  expectation.action(),
                  count.passed(),
                  count.failed()));
        }
      }
    }
    return sum(all);
  }

  /** Adds up what was found of the same expectations. */
  static List<ExpectationResult> sum(List<ExpectationResult> results) {
    List<ExpectationResult> sums = new ArrayList<>();
    for (ExpectationResult more : results) {
      int known = 0;
      while (known < sums.size() && !sums.get(known).isSameAs(more)) {
        known++;
      }
      if (known == sums.size()) {
        sums.add(more);
      } else {
        sums.set(known, sums.get(known).plus(more));
      }
    }
    return List.copyOf(sums);
  }

  /** Rows of a flow that were left out. */
  long dropped(String flow) {
    return found.stream()
        .filter(each -> each.flow().equals(flow))
        .mapToLong(UpdateOutput.Expected::dropped)
        .sum();
  }

  /**
   * Fails the update if rows violate an expectation ON VIOLATION FAIL UPDATE.
   *
   * @param table name of the target
   * @throws SluiceException EXPECTATION_VIOLATED, a problem for each flow and expectation
   */
  void failIfViolated(String table) {
    List<Problem> problems = new ArrayList<>();
    for (String flow : new TreeSet<>(found.stream().map(UpdateOutput.Expected::flow).toList())) {
      of(flow).stream()
          .filter(each -> each.action() == Expectation.Action.FAIL && each.failed() > 0)
          .forEach(violated -> problems.add(problem(table, flow, violated)));
    }
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
  }

  private Problem problem(String table, String flow, ExpectationResult violated) {
    List<ExpectationCount> counts =
        found.stream()
            .filter(each -> each.flow().equals(flow))
            .filter(each -> each.dataset().equals(violated.dataset()))
            .flatMap(each -> each.counts().stream())
            .filter(count -> count.expectation().name().equals(violated.name()))
            .toList();
    Expectation expectation = counts.get(0).expectation();
    String shown =
        counts.stream()
            .flatMap(count -> count.samples().stream())
            .sorted()
            .limit(InvalidEventOperator.SAMPLES)
            .map(row -> "\n  " + row)
            .collect(Collectors.joining());
    return Problem.at(
        expectation.at(),
        ErrorCode.EXPECTATION_VIOLATED,
        "table "
            + table
            + ": expectation '"
            + expectation.name()
            + "'"
            + (violated.dataset().equals(table) ? "" : " of view " + violated.dataset())
            + " ("
            + expectation.condition()
            + ") is violated by "
            + (violated.failed() == 1 ? "1 row" : violated.failed() + " rows")
            + " of flow '"
            + flow
            + "', among them:"
            + shown
            + "\n",
        "Nothing was committed. Correct the source, or write ON VIOLATION DROP ROW");
  }
}
