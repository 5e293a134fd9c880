package io.sluice.plan;

import io.sluice.errors.SluiceException;
import io.sluice.pipeline.NameScope;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.View;
import io.sluice.sql.PlainSelect;
import io.sluice.sql.Query;
import io.sluice.sql.RenderedSql;
import io.sluice.sql.SourceReference;
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

  FlowQueryPlanner(
      FlinkSession session, Pipeline pipeline, SourceBinder binder, TemporaryNames names) {
    this.session = session;
    this.pipeline = pipeline;
    this.binder = binder;
    this.names = names;
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
    Optional<View> view = viewOf(reference, scope);
    if (view.isEmpty()) {
      return binder.bind(binder.resolved(reference), query.mentions(METADATA));
    }
    PlannedQuery inner = plan(view.get().query(), view.get().scope());
    String name = names.next(view.get().name().last());
    session.tables().createTemporaryView(name, inner.table());
    return new BoundSource(name, inner.columns(), inner.positionedBy(), false);
  }

  private Optional<View> viewOf(SourceReference reference, NameScope scope) {
    return reference instanceof SourceReference.TableReference table
        ? pipeline.view(scope.full(table.name()))
        : Optional.empty();
  }

  private PlannedQuery planPositioned(PlainSelect select, BoundSource source) {
    RenderedSql sql =
        select.renderWith(
            reference -> source.sqlName(), source.columns(), ResolvedSource.POSITION_COLUMNS);
    Table table = session.query(sql, source.columns());
    List<String> columns = table.getResolvedSchema().getColumnNames();
    int visible = columns.size() - ResolvedSource.POSITION_COLUMNS.size();
    return new PlannedQuery(table, columns.subList(0, visible), source.positionedBy());
  }

  private PlannedQuery planHidden(Query query, Map<SourceReference, BoundSource> bound) {
    Map<BoundSource, String> visible = new HashMap<>();
    RenderedSql sql =
        query.render(
            reference -> visible.computeIfAbsent(bound.get(reference), this::withoutPosition));
    List<String> known =
        bound.values().stream().flatMap(source -> source.columns().stream()).distinct().toList();
    Table table = session.query(sql, known);
    return new PlannedQuery(table, table.getResolvedSchema().getColumnNames(), Optional.empty());
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
