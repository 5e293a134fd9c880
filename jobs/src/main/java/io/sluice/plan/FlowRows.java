package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.UpdateOutput;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.data.RowData;

/**
 * The rows of one flow in one job, in the columns of its target.
 *
 * @param rows for AUTO CDC in the layout of {@link io.sluice.sequencing.EventLayout}
 * @param sources what the flow reads
 * @param position how the rows tell the place of their record
 * @param malformed records that could not be parsed, one stream per source
 * @param expectations what was found of expectations, one stream per table or view with some
 */
record FlowRows(
    DataStream<RowData> rows,
    FlowSources sources,
    EventLayout.Position position,
    List<DataStream<InvalidEvent>> malformed,
    List<DataStream<UpdateOutput>> expectations) {

  /** Plans the rows of a flow in a step of an update. */
  static FlowRows of(
      CatalogConnection connection,
      Pipeline pipeline,
      FlinkSession session,
      TemporaryNames names,
      ResolvedTarget target,
      FlowStep step) {
    JobSources sources =
        new JobSources(
            session, names, step.flow(), step.inputs(), connection.config().name(), false);
    return of(pipeline, session, names, target, step.flow(), sources);
  }

  /** Plans the rows of a flow. */
  static FlowRows of(
      Pipeline pipeline,
      FlinkSession session,
      TemporaryNames names,
      ResolvedTarget target,
      ResolvedFlow flow,
      SourceStreams sources) {
    ExpectationStreams expectations = new ExpectationStreams(session, names, flow.flow(), sources);
    PlannedQuery query =
        expectations.bind(
            target.table().name().toString(),
            target.table().expectations(),
            new FlowQueryPlanner(session, pipeline, sources, names, expectations)
                .plan(flow.flow().query(), flow.flow().scope()));
    FlowProjection projection = new FlowProjection(session, names, flow.flow(), query);
    DataStream<RowData> rows =
        target.layout().isPresent()
            ? projection.changeRows(target.userColumns(), flow.columns(), target.layout().get())
            : projection.appendRows(target.userColumns());
    return new FlowRows(
        rows,
        sources.flowSources(query.positionedBy()),
        query.positioned() ? sources.position() : EventLayout.Position.NONE,
        List.copyOf(sources.malformed()),
        List.copyOf(expectations.found()));
  }
}
