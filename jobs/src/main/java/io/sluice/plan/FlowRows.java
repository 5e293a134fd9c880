package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.InvalidEvent;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.data.RowData;

/**
 * The rows of one flow in one job, in the columns of its target.
 *
 * @param rows for AUTO CDC in the layout of {@link io.sluice.sequencing.EventLayout}
 * @param sources what the flow reads
 * @param positioned whether the rows carry the place of their record
 * @param malformed records that could not be parsed, one stream per source
 */
record FlowRows(
    DataStream<RowData> rows,
    FlowSources sources,
    boolean positioned,
    List<DataStream<InvalidEvent>> malformed) {

  /** Plans the rows of a flow. */
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
    PlannedQuery query =
        new FlowQueryPlanner(session, pipeline, sources, names)
            .plan(step.flow().flow().query(), step.flow().flow().scope());
    FlowProjection projection = new FlowProjection(session, names, step.flow().flow(), query);
    Table table =
        target.layout().isPresent()
            ? projection.changeRows(
                target.userColumns(),
                step.flow().columns(),
                target.layout().get().sequence().type())
            : projection.appendRows(target.userColumns());
    return new FlowRows(
        session.rows(table, step.flow().flow().at()),
        sources.flowSources(query.positionedBy()),
        query.positioned(),
        List.copyOf(sources.malformed()));
  }
}
