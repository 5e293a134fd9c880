package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import io.sluice.sql.Constraint;
import io.sluice.sql.QualifiedName;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rules of expectations that need no schema (semantics 2.7, 12 and 16). */
final class ExpectationChecks {

  private final Pipeline pipeline;
  private final List<Problem> problems;

  private ExpectationChecks(Pipeline pipeline, List<Problem> problems) {
    this.pipeline = pipeline;
    this.problems = problems;
  }

  /**
   * Checks all expectations of a pipeline.
   *
   * @param problems where problems are added
   */
  static void check(Pipeline pipeline, List<Problem> problems) {
    ExpectationChecks checks = new ExpectationChecks(pipeline, problems);
    pipeline.tables().forEach(table -> checks.alone("table", table.name(), table.expectations()));
    pipeline.views().forEach(view -> checks.alone("view", view.name(), view.expectations()));
    pipeline.tables().stream()
        .filter(table -> !table.expectations().isEmpty())
        .forEach(checks::noSnapshots);
    pipeline.flows().stream()
        .filter(flow -> flow.snapshot().isPresent())
        .forEach(checks::noExpectingViews);
  }

  private void alone(String what, QualifiedName dataset, List<Constraint> expectations) {
    Map<String, SourceLocation> seen = new HashMap<>();
    for (Constraint each : expectations) {
      String name = each.name().text();
      SourceLocation first = seen.putIfAbsent(name.toLowerCase(Locale.ROOT), each.at());
      if (first != null) {
        problem(
            each.at(),
            ErrorCode.DUPLICATE_NAME,
            what + " " + dataset + " has another expectation '" + name + "' at " + first,
            "Give one of them another name");
      }
      each.condition()
          .queryAt()
          .ifPresent(
              at ->
                  problem(
                      at,
                      ErrorCode.INVALID_EXPECTATION,
                      "expectation '" + name + "' of " + what + " " + dataset + " holds a query",
                      "Name the columns of one row only; join other tables in the query of the"
                          + " flow or in a view"));
    }
  }

  /** What is left out of a snapshot would count as deleted. */
  private void noSnapshots(TargetTable table) {
    List<Flow> flows = pipeline.flowsInto(table);
    boolean snapshot = flows.stream().anyMatch(flow -> flow.snapshot().isPresent());
    boolean feed = flows.stream().anyMatch(Flow::isCdcFeed);
    if (snapshot) {
      problem(
          table.expectations().get(0).at(),
          feed
              ? ErrorCode.INTEROP_EXPECTATIONS_NOT_SUPPORTED
              : ErrorCode.EXPECTATIONS_NOT_SUPPORTED,
          "table "
              + table.name()
              + " has expectations and "
              + (feed ? "flows of snapshots and of changes" : "a snapshot flow"),
          "Leave the expectations out; filter the snapshot in its query");
    }
  }

  private void noExpectingViews(Flow flow) {
    flow.queries().stream()
        .flatMap(query -> Graph.viewsOf(pipeline, query, flow.scope()).stream())
        .distinct()
        .filter(view -> !view.expectations().isEmpty())
        .forEach(
            view ->
                problem(
                    flow.at(),
                    ErrorCode.EXPECTATIONS_NOT_SUPPORTED,
                    "the snapshot flow '"
                        + flow.name()
                        + "' reads view "
                        + view.name()
                        + ", which has expectations",
                    "Read a view without expectations; filter the snapshot in its query"));
  }

  private void problem(SourceLocation at, ErrorCode code, String message, String remedy) {
    problems.add(Problem.at(at, code, message, remedy));
  }
}
