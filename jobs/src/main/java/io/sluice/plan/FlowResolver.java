package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.CdcDefinition;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SqlExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/** Finds the sources and columns of one flow without reading data, samples of files aside. */
final class FlowResolver {

  private final CatalogConnection connection;
  private final FlinkSession session;
  private final Pipeline pipeline;
  private final TemporaryNames names;
  private final SourceResolver sources;
  private final SnapshotResolver snapshots;
  private final List<String> notices;

  FlowResolver(
      CatalogConnection connection,
      FlinkSession session,
      Pipeline pipeline,
      TemporaryNames names,
      Map<QualifiedName, RowType> targets,
      List<String> notices) {
    this.connection = connection;
    this.session = session;
    this.pipeline = pipeline;
    this.names = names;
    this.sources = new SourceResolver(connection, session, pipeline, targets);
    this.snapshots =
        new SnapshotResolver(session, pipeline, names, sources, connection.config().name());
    this.notices = notices;
  }

  /**
   * Resolves a flow.
   *
   * @param history what it has read
   * @throws SluiceException with every problem found
   */
  ResolvedFlow resolve(Flow flow, FlowHistory history) {
    if (flow.snapshot().isPresent()) {
      ResolvedFlow resolved = snapshots.resolve(flow, history.version(flow));
      if (!resolved.idle()) {
        warnOfText(flow, flow.at(), "has a text as version", resolved.sequence());
      }
      return resolved;
    }
    FlowPosition position = history.position(flow);
    Map<SourceReference, ResolvedSource> found = sources.resolve(flow, position);
    requireStream(flow, found);
    TopicStreams topics = new TopicStreams(session, names);
    for (ResolvedSource source : found.values()) {
      if (source instanceof ResolvedSource.KafkaTable table) {
        topics.check(table);
      }
    }
    ResolvedFlow bare = ResolvedFlow.of(flow, found, RowType.of(), null, false);
    JobSources binder =
        new JobSources(session, names, bare, Map.of(), connection.config().name(), true);
    ExpectationTypes expectations = new ExpectationTypes(session, names, flow);
    PlannedQuery query =
        expectations.bind(
            flow.target().toString(),
            pipeline.table(flow.target()).orElseThrow().expectations(),
            new FlowQueryPlanner(session, pipeline, binder, names, expectations)
                .plan(flow.query(), flow.scope()));
    if (query.positionedBy().isEmpty()) {
      session.requireExecutable(query.table(), flow.at());
    }
    RowType visible = query.visibleType();
    if (flow.cdc().isEmpty()) {
      return ResolvedFlow.of(flow, found, visible, null, query.positioned());
    }
    return resolveChanges(flow, found, query, visible);
  }

  private ResolvedFlow resolveChanges(
      Flow flow, Map<SourceReference, ResolvedSource> found, PlannedQuery query, RowType visible) {
    List<Problem> problems = new ArrayList<>();
    CdcColumns columns = new CdcColumns(flow, problems);
    RowType delivered = columns.delivered(visible);
    Set<String> ignoringNull = columns.ignoringNull(visible);
    FlowProjection projection = new FlowProjection(session, names, flow, query);
    CdcDefinition cdc = flow.cdc().orElseThrow();
    LogicalType sequence =
        sequence(flow, projection, "SEQUENCE BY", cdc.sequenceBy().orElseThrow(), problems);
    LogicalType systemSequence =
        cdc.systemSequenceBy()
            .map(each -> sequence(flow, projection, "SYSTEM SEQUENCE BY", each, problems))
            .orElse(null);
    try {
      projection.checkConditions();
    } catch (SluiceException e) {
      problems.addAll(e.problems());
    }
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
    return ResolvedFlow.of(flow, found, delivered, sequence, query.positioned())
        .systemSequence(systemSequence)
        .ignoringNull(ignoringNull);
  }

  private LogicalType sequence(
      Flow flow,
      FlowProjection projection,
      String clause,
      SqlExpression expression,
      List<Problem> problems) {
    try {
      LogicalType type = projection.sequenceType(clause, expression);
      if (!expression.isPreset()) {
        warnOfText(flow, expression.at(), "is sequenced by text", type);
      }
      return type;
    } catch (SluiceException e) {
      problems.addAll(e.problems());
      return null;
    }
  }

  private void warnOfText(Flow flow, SourceLocation at, String what, LogicalType sequence) {
    boolean text =
        sequence.is(LogicalTypeRoot.VARCHAR)
            || sequence.getChildren().stream().anyMatch(f -> f.is(LogicalTypeRoot.VARCHAR));
    if (text) {
      notices.add(
          at
              + ": flow '"
              + flow.name()
              + "' "
              + what
              + ", where '10' sorts before '9'; CAST it if it is a number");
    }
  }

  private static void requireStream(Flow flow, Map<SourceReference, ResolvedSource> found) {
    if (flow.once() || found.values().stream().anyMatch(ResolvedSource::streaming)) {
      return;
    }
    Optional<SourceReference> first = flow.query().sources().stream().findFirst();
    throw new SluiceException(
        Problem.at(
            first.map(SourceReference::at).orElse(flow.at()),
            flow.cdc().isPresent() ? ErrorCode.AUTOCDC_BATCH_SOURCE : ErrorCode.BATCH_SOURCE,
            "flow '" + flow.name() + "' reads no source incrementally",
            "Write STREAM in front of the source that brings the new rows, or ONCE to read it all"
                + " one time"));
  }
}
