package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.history.InvalidSequenceException;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.SnapshotVersions;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sql.Query;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SourceReference.FunctionReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.CloseableIterator;

/** The query of WITH VERSION (semantics 11.2) in one session. */
final class VersionQuery {

  /** What the last version may be before there was one; the query decides which of them it is. */
  private static final List<LogicalType> SEEDS =
      List.of(
          new IntType(),
          new BigIntType(),
          new LocalZonedTimestampType(6),
          VarCharType.STRING_TYPE,
          new DateType(),
          new TimestampType(6),
          new DoubleType());

  private static final int ROUNDS = 5;

  private final FlinkSession session;
  private final Pipeline pipeline;
  private final TemporaryNames names;
  private final String ownCatalog;
  private final Flow flow;
  private final Query query;

  /**
   * @param flow a snapshot flow with a version query
   * @param ownCatalog name of the catalog in Flink
   */
  VersionQuery(
      FlinkSession session, Pipeline pipeline, TemporaryNames names, String ownCatalog, Flow flow) {
    this.session = session;
    this.pipeline = pipeline;
    this.names = names;
    this.ownCatalog = ownCatalog;
    this.flow = flow;
    this.query = ((SnapshotVersions.ByQuery) flow.snapshot().orElseThrow()).query();
  }

  Query query() {
    return query;
  }

  /**
   * The column of the version. What {@code last_snapshot_version()} returns has the name and type
   * of the query's own result, so the type is tried until both agree.
   *
   * @param sources the sources of the query
   * @param before the column of the last committed version
   * @throws SluiceException INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY for more than one column,
   *     INVALID_SNAPSHOT_VERSION_TYPE, AUTO_CDC_FROM_SNAPSHOT_VERSION_SCHEMA_CHANGED, or
   *     INVALID_QUERY
   */
  VersionColumn column(
      Map<SourceReference, ResolvedSource> sources, Optional<VersionColumn> before) {
    VersionColumn column = infer(sources, before);
    if (before.isPresent() && !before.get().goesOnWith(column)) {
      throw problem(
          ErrorCode.AUTO_CDC_FROM_SNAPSHOT_VERSION_SCHEMA_CHANGED,
          "the version was " + before.get() + " and is " + column + " now",
          "Name and type it as before, or run with --full-refresh " + flow.target().last());
    }
    return column;
  }

  private VersionColumn infer(
      Map<SourceReference, ResolvedSource> sources, Optional<VersionColumn> before) {
    boolean asksForLast =
        query.sources().stream()
            .anyMatch(
                source ->
                    source instanceof FunctionReference function
                        && function.name().equals(FunctionSources.LAST_VERSION));
    if (!asksForLast) {
      return columnOf(plan(sources, Map.of(), true));
    }
    List<LogicalType> seeds = new ArrayList<>();
    before.ifPresent(column -> seeds.add(column.type()));
    query.outputCast().flatMap(this::typeOf).ifPresent(seeds::add);
    seeds.addAll(SEEDS);
    SluiceException first = null;
    for (LogicalType seed : seeds) {
      VersionColumn assumed = new VersionColumn(query.outputColumn(), seed);
      try {
        for (int round = 0; round < ROUNDS; round++) {
          VersionColumn found =
              columnOf(plan(withLast(sources, assumed, Optional.empty()), Map.of(), true));
          if (found.equals(assumed)) {
            return found;
          }
          assumed = found;
        }
      } catch (SluiceException e) {
        if (e.code() != ErrorCode.INVALID_QUERY) {
          throw e;
        }
        first = first == null ? e : first;
      }
    }
    throw first != null
        ? first
        : problem(
            ErrorCode.INVALID_SNAPSHOT_VERSION_TYPE,
            "the type of the version cannot be told",
            "CAST it to the type that it has");
  }

  /** A type that the query names; only so can it be a struct whose fields the query looks into. */
  private Optional<LogicalType> typeOf(String text) {
    try {
      Table probe = session.tables().sqlQuery("SELECT CAST(NULL AS " + text + ") AS probe");
      return TableTypes.stored(FlinkSession.rowType(probe).getTypeAt(0));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Map<SourceReference, ResolvedSource> withLast(
      Map<SourceReference, ResolvedSource> sources,
      VersionColumn column,
      Optional<SnapshotVersion> last) {
    return FunctionSources.with(
        sources,
        FunctionSources.LAST_VERSION,
        column.relation(),
        last.map(version -> List.of(version.row())).orElse(List.of()));
  }

  private VersionColumn columnOf(PlannedQuery planned) {
    RowType type = planned.visibleType();
    if (type.getFieldCount() != 1) {
      throw problem(
          ErrorCode.INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY,
          "WITH VERSION gives " + type.getFieldCount() + " columns " + type.getFieldNames(),
          "Let it give exactly one column, the version");
    }
    LogicalType given = type.getTypeAt(0);
    Optional<LogicalType> stored = TableTypes.stored(given);
    if (stored.isEmpty() || !OrderedColumn.isOrderable(stored.get())) {
      throw problem(
          ErrorCode.INVALID_SNAPSHOT_VERSION_TYPE,
          "the version has type " + Sql.describe(given) + ", which has no order",
          "Use a number, a timestamp, a text or a struct of these");
    }
    return new VersionColumn(Optional.of(type.getFieldNames().get(0)), stored.get().copy(true));
  }

  private PlannedQuery plan(
      Map<SourceReference, ResolvedSource> sources,
      Map<String, SourceInput> inputs,
      boolean placeholders) {
    PlannedQuery planned = plan(binder(sources, inputs, placeholders));
    if (placeholders) {
      session.requireExecutable(planned.table(), query.at());
    }
    return planned;
  }

  private PlannedQuery plan(JobSources binder) {
    return new FlowQueryPlanner(session, pipeline, binder, names).plan(query, flow.scope());
  }

  private JobSources binder(
      Map<SourceReference, ResolvedSource> sources,
      Map<String, SourceInput> inputs,
      boolean placeholders) {
    ResolvedFlow bare = ResolvedFlow.of(flow, sources, RowType.of(), null, false);
    return new JobSources(session, names, bare, inputs, ownCatalog, placeholders);
  }

  /**
   * Runs the query.
   *
   * @param snapshot what is known of the flow
   * @param last the version that was committed last
   * @return the next version; empty if there is none now
   * @throws SluiceException INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY for several rows or a NULL
   */
  Optional<SnapshotVersion> next(ResolvedSnapshot snapshot, Optional<SnapshotVersion> last) {
    VersionColumn column = snapshot.column();
    JobSources binder =
        binder(withLast(snapshot.sources(), column, last), wholeInputs(snapshot.sources()), false);
    PlannedQuery planned = plan(binder);
    String view = names.next("version");
    session.tables().createTemporaryView(view, planned.table());
    String name = Sql.quote(planned.columns().get(0));
    Table versions =
        session
            .tables()
            .sqlQuery("SELECT " + Sql.cast(name, column.type()) + " AS " + name + " FROM " + view);
    DataStream<RowData> rows = session.rows(versions, query.at());
    for (DataStream<InvalidEvent> malformed : binder.malformed()) {
      malformed.process(new RefuseFunction()).sinkTo(new DiscardingSink<>());
    }
    return only(column, rows);
  }

  private Optional<SnapshotVersion> only(VersionColumn column, DataStream<RowData> rows) {
    try (CloseableIterator<RowData> found = rows.executeAndCollect("version of " + flow.name())) {
      if (!found.hasNext()) {
        return Optional.empty();
      }
      SnapshotVersion version = SnapshotVersion.of(column, found.next());
      if (found.hasNext()) {
        throw problem(
            ErrorCode.INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY,
            "WITH VERSION gives more than one row, the first of them " + version,
            "Let it give one row, for example with MIN(..); the query is asked again for the next"
                + " version");
      }
      return Optional.of(version);
    } catch (InvalidSequenceException e) {
      throw problem(
          ErrorCode.INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY,
          "the version cannot be used: " + e.getMessage(),
          "Where there is no further version let the query give no row; behind an aggregate that"
              + " takes HAVING .. IS NOT NULL");
    } catch (Exception e) {
      throw failed(e);
    }
  }

  private SluiceException failed(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SluiceException known) {
        return known;
      }
    }
    return new SluiceException(
        List.of(
            Problem.at(
                query.at(),
                ErrorCode.UPDATE_FAILED,
                "flow '" + flow.name() + "': WITH VERSION failed: " + PlannerErrors.innermost(e),
                "The log file has the details")),
        e);
  }

  /** Everything that a snapshot or version query reads of files. */
  static Map<String, SourceInput> wholeInputs(Map<SourceReference, ResolvedSource> sources) {
    Map<String, SourceInput> inputs = new HashMap<>();
    sources
        .values()
        .forEach(
            source -> {
              if (source instanceof ResolvedSource.Files files) {
                inputs.put(source.id(), new SourceInput.OfFiles(files.files()));
              }
            });
    return inputs;
  }

  private SluiceException problem(ErrorCode code, String message, String remedy) {
    return new SluiceException(
        Problem.at(query.at(), code, "flow '" + flow.name() + "': " + message, remedy));
  }
}
