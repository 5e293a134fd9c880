package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.catalog.CatalogErrors;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sql.Names;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import io.sluice.sql.RenderedSql;
import io.sluice.sql.SourceReference;
import io.sluice.table.TargetTables;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A query of a user against the catalog, in the dialect of pipeline files. */
public final class AdHocQuery {

  private final FlinkSession session;
  private final Table table;

  private AdHocQuery(FlinkSession session, Table table) {
    this.session = session;
    this.table = table;
  }

  /**
   * Plans a query.
   *
   * @param asOf where it looks at tables with history
   * @throws SluiceException TABLE_OR_VIEW_NOT_FOUND, INVALID_QUERY, NOT_SUPPORTED_YET for source
   *     functions, INVALID_CALL for a place in time that cannot be or means nothing, STORAGE for a
   *     table with damaged metadata
   */
  public static AdHocQuery plan(
      CatalogConnection connection,
      StreamExecutionEnvironment environment,
      Map<String, String> settings,
      String text,
      AsOf asOf) {
    FlinkSession session = FlinkSession.open(environment, connection, settings, List.of());
    Query query = Query.parse(text);
    try {
      RenderedSql sql =
          query.render(asOf.isAll() ? AdHocQuery::name : restricted(session, query, asOf));
      return new AdHocQuery(session, session.query(sql, List.of()));
    } catch (RuntimeException e) {
      boolean missing =
          e instanceof SluiceException known && known.getMessage().contains("not found");
      for (SourceReference reference : query.sources()) {
        if (reference instanceof SourceReference.TableReference table) {
          TargetTables.open(connection.catalog(), connection.identifier(table.name().parts()));
          if (missing) {
            requireTable(connection, session, table);
          }
        }
      }
      throw e;
    }
  }

  private static void requireTable(
      CatalogConnection connection, FlinkSession session, SourceReference.TableReference table) {
    QualifiedName name = table.name();
    if (session.flinkTable(name).isPresent()) {
      return;
    }
    List<String> parts = name.parts();
    String namespace =
        parts.size() > 1 ? parts.get(parts.size() - 2) : connection.config().defaultNamespace();
    throw new SluiceException(
        Problem.at(
            table.at(),
            ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
            "there is no table '" + name + "'",
            Names.nearest(name.last(), session.tableNames(namespace))
                .map(near -> "Did you mean '" + near + "'?")
                .orElse("Name a table of the catalog; views of a pipeline file are not in it")));
  }

  /** Names of the query's tables, of views of those that have an axis. */
  private static Function<SourceReference, String> restricted(
      FlinkSession session, Query query, AsOf asOf) {
    Map<SourceReference, String> names = new IdentityHashMap<>();
    TemporaryNames views = new TemporaryNames();
    boolean systemAxis = false;
    boolean businessAxis = false;
    for (SourceReference reference : query.sources()) {
      String name = name(reference);
      QualifiedName table = ((SourceReference.TableReference) reference).name();
      Optional<RowType> columns = session.flinkTable(table);
      systemAxis |= columns.filter(AsOf::hasSystemAxis).isPresent();
      businessAxis |= columns.filter(AsOf::hasBusinessAxis).isPresent();
      if (columns.filter(asOf::restricts).isPresent()) {
        String view = views.next("as_of");
        Table rows = session.tables().from(name);
        session.tables().createTemporaryView(view, asOf.of(table.toString(), rows));
        names.put(reference, view);
      } else {
        names.put(reference, name);
      }
    }
    asOf.requireAxes(systemAxis, businessAxis);
    return names::get;
  }

  private static String name(SourceReference reference) {
    if (reference instanceof SourceReference.TableReference named) {
      return named.name().quoted();
    }
    if (reference instanceof SourceReference.FunctionReference function
        && FunctionSources.isVersionFunction(function)) {
      throw FunctionSources.misplaced(function);
    }
    throw new SluiceException(
        Problem.at(
            reference.at(),
            ErrorCode.NOT_SUPPORTED_YET,
            "a query reads tables of the catalog, source functions are not supported here yet",
            "Load the source into a table with a pipeline"));
  }

  /** Names of the columns. */
  public List<String> columns() {
    return table.getResolvedSchema().getColumnNames();
  }

  /** Types of the columns. */
  public List<LogicalType> types() {
    return FlinkSession.rowType(table).getChildren();
  }

  /** Runs the query and hands over its rows, values in Flink's external form. */
  public void forEach(Consumer<Row> consumer) {
    try (CloseableIterator<Row> rows = table.execute().collect()) {
      rows.forEachRemaining(consumer);
    } catch (SluiceException e) {
      throw e;
    } catch (Exception e) {
      throw CatalogErrors.known("the query failed", e)
          .orElseGet(
              () ->
                  new SluiceException(
                      ErrorCode.UPDATE_FAILED,
                      "the query failed: " + PlannerErrors.innermost(e),
                      "The log file has the details",
                      e));
    }
  }
}
