package io.sluice.plan;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.SnapshotVersions;
import io.sluice.sql.SourceReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.RowType;

/** Finds the version, the sources and the columns of a snapshot flow without reading data. */
final class SnapshotResolver {

  /** The version where no query gives one: when the snapshot is taken. */
  private static final VersionColumn TIME =
      new VersionColumn(Optional.empty(), new LocalZonedTimestampType(6));

  private final FlinkSession session;
  private final Pipeline pipeline;
  private final TemporaryNames names;
  private final SourceResolver sources;
  private final String ownCatalog;

  SnapshotResolver(
      FlinkSession session,
      Pipeline pipeline,
      TemporaryNames names,
      SourceResolver sources,
      String ownCatalog) {
    this.session = session;
    this.pipeline = pipeline;
    this.names = names;
    this.sources = sources;
    this.ownCatalog = ownCatalog;
  }

  /**
   * Resolves a snapshot flow.
   *
   * @param last the version that was committed last
   * @throws SluiceException with the problems found
   */
  ResolvedFlow resolve(Flow flow, Optional<SnapshotVersion> last) {
    if (flow.snapshot().orElseThrow() instanceof SnapshotVersions.ByFunction) {
      return FunctionSnapshot.next(flow, last)
          .map(next -> next.requireSuccessorOf(last).resolve(sources))
          .map(next -> resolved(next.flow(), next.sources(), next.snapshot()))
          .orElseGet(() -> ResolvedFlow.idle(flow));
    }
    ResolvedSnapshot snapshot =
        flow.snapshot().orElseThrow() instanceof SnapshotVersions.ByQuery
            ? versions(flow, last.map(SnapshotVersion::column))
            : ResolvedSnapshot.timed(TIME);
    Map<String, RowType> functions =
        flow.snapshot().orElseThrow() instanceof SnapshotVersions.ByQuery
            ? Map.of(FunctionSources.CURRENT_VERSION, snapshot.column().relation())
            : Map.of();
    Map<SourceReference, ResolvedSource> found =
        sources.resolveWhole(flow, flow.query(), functions);
    return resolved(flow, found, snapshot);
  }

  private ResolvedFlow resolved(
      Flow flow, Map<SourceReference, ResolvedSource> found, ResolvedSnapshot snapshot) {
    JobSources binder =
        new JobSources(
            session,
            names,
            ResolvedFlow.of(flow, found, RowType.of(), null, false),
            Map.of(),
            ownCatalog,
            true);
    PlannedQuery query =
        new FlowQueryPlanner(session, pipeline, binder, names).plan(flow.query(), flow.scope());
    session.requireExecutable(query.table(), flow.at());
    List<Problem> problems = new ArrayList<>();
    RowType delivered = new CdcColumns(flow, problems).delivered(query.visibleType());
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
    return new ResolvedFlow(
        flow,
        found,
        delivered,
        snapshot.column().type(),
        Set.of(),
        false,
        Optional.of(snapshot),
        false);
  }

  private ResolvedSnapshot versions(Flow flow, Optional<VersionColumn> before) {
    VersionQuery query = new VersionQuery(session, pipeline, names, ownCatalog, flow);
    RowType unknown = new VersionColumn(Optional.empty(), new IntType()).relation();
    Map<SourceReference, ResolvedSource> found =
        sources.resolveWhole(flow, query.query(), Map.of(FunctionSources.LAST_VERSION, unknown));
    return new ResolvedSnapshot(query.column(found, before), found);
  }
}
