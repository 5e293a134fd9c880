package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.NameScope;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.View;
import io.sluice.pipeline.ViewFunction;
import io.sluice.pipeline.ViewInputs;
import io.sluice.sql.PlainSelect;
import io.sluice.sql.Query;
import io.sluice.sql.RenderedSql;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SourceReference.FunctionReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.table.api.Table;

/**
 * Plans the query of one flow, views included. A query that only projects and filters one source
 * keeps the position of each record in hidden columns (semantics 0.2); any other has none. Views
 * are planned once per flow, because each flow has its own position in their sources.
 */
final class FlowQueryPlanner {

  private static final String METADATA = "_metadata";

  private final FlinkSession session;
  private final Pipeline pipeline;
  private final SourceBinder binder;
  private final TemporaryNames names;
  private final ExpectationBinder expectations;

  /** A planner for snapshots, which have no expectations. */
  FlowQueryPlanner(
      FlinkSession session, Pipeline pipeline, SourceBinder binder, TemporaryNames names) {
    this(session, pipeline, binder, names, ExpectationBinder.REFUSED);
  }

  /**
   * @param expectations what becomes of the rows of views with expectations
   */
  FlowQueryPlanner(
      FlinkSession session,
      Pipeline pipeline,
      SourceBinder binder,
      TemporaryNames names,
      ExpectationBinder expectations) {
    this.session = session;
    this.pipeline = pipeline;
    this.binder = binder;
    this.names = names;
    this.expectations = expectations;
  }

  /**
   * Plans a query.
   *
   * @throws SluiceException INVALID_QUERY at the place in the user's text
   */
  PlannedQuery plan(Query query, NameScope scope) {
    Map<SourceReference, BoundSource> bound = new IdentityHashMap<>();
    for (SourceReference reference : query.sources()) {
      bound.put(reference, bind(reference, scope, query));
    }
    Optional<PlainSelect> plain =
        query.plain().filter(select -> bound.get(select.source()).positionedBy().isPresent());
    if (plain.isPresent()) {
      try {
        return planPositioned(plain.get(), bound.get(plain.get().source()));
      } catch (SluiceException e) {
        // An aggregate, or an error that planning without positions reports in the user's words.
      }
    }
    return planHidden(query, bound);
  }

  private BoundSource bind(SourceReference reference, NameScope scope, Query query) {
    if (HistoryChanges.isCall(reference)) {
      return bindHistory(HistoryChanges.of((FunctionReference) reference), scope, query);
    }
    Optional<View> view = viewOf(reference, scope);
    if (view.isEmpty()) {
      return binder.bind(binder.resolved(reference), query.mentions(METADATA));
    }
    if (view.get().function().isPresent()) {
      return bindFunction(view.get(), view.get().function().get());
    }
    return named(view.get(), plan(view.get().query(), view.get().scope()));
  }

  /** The rows of a view under a name, those that its expectations leave out excepted. */
  private BoundSource named(View view, PlannedQuery planned) {
    PlannedQuery rows = expectations.bind(view.name().toString(), view.expectations(), planned);
    String name = names.next(view.name().last());
    session.tables().createTemporaryView(name, rows.table());
    return new BoundSource(name, rows.columns(), rows.positionedBy(), false, rows.rowByRow());
  }

  /** A view that Java computes; its rows have no position. */
  private BoundSource bindFunction(View view, ViewFunction function) {
    List<Table> sources = new ArrayList<>();
    for (SourceReference reference : view.query().sources()) {
      BoundSource source = bind(reference, view.scope(), view.query());
      sources.add(session.tables().from(withoutPosition(source)));
    }
    try {
      Table rows = function.apply(new ViewInputs(sources, session.tables(), session.environment()));
      List<String> columns = rows.getResolvedSchema().getColumnNames();
      return named(view, new PlannedQuery(rows, columns));
    } catch (SluiceException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new SluiceException(
          List.of(
              Problem.at(
                  view.at(),
                  ErrorCode.INVALID_QUERY,
                  "the view '"
                      + view.name().last()
                      + "' cannot be computed: "
                      + PlannerErrors.oneLine(PlannerErrors.innermost(e)),
                  "Correct the function that makes its rows")),
          e);
    }
  }

  /** A history table as its change events. */
  private BoundSource bindHistory(HistoryChanges changes, NameScope scope, Query query) {
    String source = withoutPosition(bind(changes.table(), scope, query));
    String sql = changes.sql(source, FlinkSession.rowType(session.tables().from(source)));
    Table events = session.tables().sqlQuery(sql);
    String name = names.next(HistoryChanges.NAME);
    session.tables().createTemporaryView(name, events);
    return new BoundSource(
        name, events.getResolvedSchema().getColumnNames(), Optional.empty(), false, false);
  }

  private Optional<View> viewOf(SourceReference reference, NameScope scope) {
    return reference instanceof SourceReference.TableReference table
        ? pipeline.view(scope.full(table.name()))
        : Optional.empty();
  }

  private PlannedQuery planPositioned(PlainSelect select, BoundSource source) {
    RenderedSql sql =
        select.renderWith(reference -> source.sqlName(), source.columns(), hidden(source));
    Table table = session.query(sql, source.columns());
    List<String> columns = table.getResolvedSchema().getColumnNames();
    int visible = columns.size() - hidden(source).size();
    return new PlannedQuery(
        table,
        columns.subList(0, visible),
        source.positionedBy(),
        source.rowByRow() && select.isRowByRow());
  }

  private static List<String> hidden(BoundSource source) {
    return source.positionedBy().orElseThrow().hiddenColumns();
  }

  private PlannedQuery planHidden(Query query, Map<SourceReference, BoundSource> bound) {
    Map<BoundSource, String> visible = new HashMap<>();
    RenderedSql sql =
        query.render(
            reference -> visible.computeIfAbsent(bound.get(reference), this::withoutPosition));
    List<String> known =
        bound.values().stream().flatMap(source -> source.columns().stream()).distinct().toList();
    Table table = session.query(sql, known);
    bound.values().forEach(source -> requireNoChangelog(query, source));
    return new PlannedQuery(table, table.getResolvedSchema().getColumnNames());
  }

  /** What an aggregate or a join makes of rows loses which of them are deletes. */
  private static void requireNoChangelog(Query query, BoundSource source) {
    if (source.positionedBy().filter(ResolvedSource::changelog).isPresent()) {
      throw new SluiceException(
          Problem.at(
              query.at(),
              ErrorCode.INVALID_QUERY,
              "a query over a source with deletes does more than choose rows and columns",
              "Write SELECT columns FROM source WHERE condition, and aggregate or join the target"));
    }
  }

  /** The source under a name that shows only what the user may see. */
  private String withoutPosition(BoundSource source) {
    if (source.positionedBy().isEmpty()) {
      return source.sqlName();
    }
    String columns = source.columns().stream().map(Sql::quote).collect(Collectors.joining(", "));
    String name = names.next("visible");
    session
        .tables()
        .createTemporaryView(
            name,
            session
                .tables()
                .sqlQuery(
                    "SELECT "
                        + columns
                        + (source.metadata() ? ", " + Sql.quote(METADATA) : "")
                        + " FROM "
                        + source.sqlName()));
    return name;
  }
}
