package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.Flow;
import io.sluice.sql.Constraint;
import io.sluice.sql.RenderedSql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** Lets Flink's planner check the conditions of expectations; the rows stay what they are. */
final class ExpectationTypes implements ExpectationBinder {

  private final FlinkSession session;
  private final TemporaryNames names;
  private final Flow flow;

  /**
   * @param flow the flow that reads the rows, for messages
   */
  ExpectationTypes(FlinkSession session, TemporaryNames names, Flow flow) {
    this.session = session;
    this.names = names;
    this.flow = flow;
  }

  @Override
  public PlannedQuery bind(String dataset, List<Constraint> expectations, PlannedQuery rows) {
    if (expectations.isEmpty()) {
      return rows;
    }
    String view = visible(rows);
    List<Problem> problems = new ArrayList<>();
    for (Constraint each : expectations) {
      try {
        check(each, view, rows.columns());
      } catch (SluiceException e) {
        e.problems().stream().map(problem -> named(problem, dataset, each)).forEach(problems::add);
      }
    }
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
    return rows;
  }

  /** The rows as a view without their hidden columns. */
  private String visible(PlannedQuery rows) {
    String all = names.next("expecting");
    session.tables().createTemporaryView(all, rows.table());
    String list = rows.columns().stream().map(Sql::quote).collect(Collectors.joining(", "));
    String view = names.next("expected");
    session
        .tables()
        .createTemporaryView(view, session.tables().sqlQuery("SELECT " + list + " FROM " + all));
    return view;
  }

  private void check(Constraint expectation, String view, List<String> columns) {
    RenderedSql condition = expectation.condition().render();
    // Behind WHERE the planner knows no aggregates; they would make one row of all.
    try {
      session.query(condition.surroundedBy("SELECT 1 FROM " + view + " WHERE (", ")"), columns);
    } catch (SluiceException e) {
      if (e.getMessage().contains("ggregate expression is illegal")) {
        throw refused(e.problems().get(0).where(), expectation, "holds an aggregate");
      }
      if (!e.getMessage().contains("must be a condition")) {
        throw e;
      }
    }
    Table value =
        session.query(condition.surroundedBy("SELECT (", ") AS `value` FROM " + view), columns);
    LogicalType type = FlinkSession.rowType(value).getTypeAt(0);
    if (!type.is(LogicalTypeRoot.BOOLEAN)) {
      throw refused(
          expectation.condition().at(),
          expectation,
          "has type " + Sql.describe(type) + " instead of BOOLEAN");
    }
    session.requireExecutable(value, expectation.condition().at());
  }

  private static SluiceException refused(SourceLocation at, Constraint expectation, String what) {
    return new SluiceException(
        Problem.at(
            at,
            ErrorCode.INVALID_EXPECTATION,
            "the condition " + expectation.condition() + " " + what,
            "Write a condition on the columns of one row"));
  }

  private Problem named(Problem problem, String dataset, Constraint expectation) {
    return new Problem(
        problem.code(),
        problem.where(),
        "expectation '"
            + expectation.name()
            + "' of "
            + dataset
            + ", for flow '"
            + flow.name()
            + "': "
            + problem.message(),
        problem.remedy());
  }
}
