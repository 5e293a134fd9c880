package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sql.Query;
import io.sluice.sql.RenderedSql;
import io.sluice.sql.SourceReference;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.types.logical.LogicalType;
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
   * @throws SluiceException INVALID_QUERY, NOT_SUPPORTED_YET for source functions
   */
  public static AdHocQuery plan(
      CatalogConnection connection,
      StreamExecutionEnvironment environment,
      Map<String, String> settings,
      String text) {
    FlinkSession session = FlinkSession.open(environment, connection, settings, List.of());
    RenderedSql sql = Query.parse(text).render(AdHocQuery::name);
    return new AdHocQuery(session, session.query(sql, List.of()));
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
      throw new SluiceException(
          List.of(
              Problem.of(
                  ErrorCode.UPDATE_FAILED,
                  "the query failed: " + PlannerErrors.innermost(e),
                  "The log file has the details")),
          e);
    }
  }
}
