package io.sluice.plan;

import io.sluice.pipeline.Flow;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.Expectation;
import io.sluice.sequencing.ExpectationOperator;
import io.sluice.sequencing.ExpectedRows;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.sql.Constraint;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/**
 * Puts expectations into the job of a flow: the planner evaluates the conditions on all columns of
 * the rows, before any clause or cast of the flow sees them, and an operator counts and leaves out
 * (semantics 0.11).
 */
final class ExpectationStreams implements ExpectationBinder {

  private final FlinkSession session;
  private final TemporaryNames names;
  private final Flow flow;
  private final SourceStreams sources;
  private final List<DataStream<UpdateOutput>> found = new ArrayList<>();

  ExpectationStreams(FlinkSession session, TemporaryNames names, Flow flow, SourceStreams sources) {
    this.session = session;
    this.names = names;
    this.flow = flow;
    this.sources = sources;
  }

  /** What the operators find, for the driver; complete when the query is planned. */
  List<DataStream<UpdateOutput>> found() {
    return found;
  }

  @Override
  public PlannedQuery bind(String dataset, List<Constraint> expectations, PlannedQuery rows) {
    if (expectations.isEmpty()) {
      return rows;
    }
    RowType columns = FlinkSession.rowType(rows.table());
    DataStream<RowData> evaluated = evaluated(expectations, rows, columns);
    SingleOutputStreamOperator<RowData> going =
        evaluated
            .transform(
                "expectations of " + dataset + " for " + flow.name(),
                InternalTypeInfo.of(columns),
                new ExpectationOperator(expected(dataset, expectations, rows, columns)))
            .setParallelism(evaluated.getParallelism());
    found.add(going.getSideOutput(ExpectationOperator.FOUND));
    return new PlannedQuery(
        session.tables().fromDataStream(going),
        rows.columns(),
        rows.positionedBy(),
        rows.rowByRow());
  }

  private DataStream<RowData> evaluated(
      List<Constraint> expectations, PlannedQuery rows, RowType columns) {
    String view = names.next("expecting");
    session.tables().createTemporaryView(view, rows.table());
    List<String> list = new ArrayList<>(columns.getFieldNames().stream().map(Sql::quote).toList());
    for (int i = 0; i < expectations.size(); i++) {
      String condition = expectations.get(i).condition().render().text();
      list.add("(" + condition + ") AS " + Sql.quote("__expectation_" + i));
    }
    return session.rows(
        session.tables().sqlQuery("SELECT " + String.join(", ", list) + " FROM " + view),
        flow.at());
  }

  private ExpectedRows expected(
      String dataset, List<Constraint> expectations, PlannedQuery rows, RowType columns) {
    return new ExpectedRows(
        dataset,
        found.size(),
        expectations.stream().map(ExpectationStreams::expectation).toList(),
        columns,
        rows.columns().size(),
        rows.positioned() ? sources.position() : EventLayout.Position.NONE,
        columns.getFieldIndex(ResolvedSource.ORDINAL),
        columns.getFieldIndex(ResolvedSource.OFFSET),
        sources.flowSources(rows.positionedBy()));
  }

  private static Expectation expectation(Constraint constraint) {
    return new Expectation(
        constraint.name().text(),
        constraint.condition().toString(),
        switch (constraint.onViolation()) {
          case KEEP -> Expectation.Action.KEEP;
          case DROP_ROW -> Expectation.Action.DROP;
          case FAIL_UPDATE -> Expectation.Action.FAIL;
        },
        constraint.at());
  }
}
