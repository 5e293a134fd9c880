package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.Pipeline;
import io.sluice.sql.PassThrough;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.RenderedSql;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.api.config.ExecutionConfigOptions.UidGeneration;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Flink's SQL planner with the catalog registered and the statements of the pipeline file executed
 * that are Flink's own. One per job.
 */
final class FlinkSession {

  /**
   * Characters in a method generated for a projection. One byte of its code comes of six to twelve
   * of them, and the JVM compiles methods of at most 8,000 bytes. Flink's own limit, 4000, is for
   * code of all kinds; some aggregations cannot be compiled in longer pieces.
   */
  private static final int PROJECTION_CODE_LENGTH = 32_000;

  /** Settings that the environment of the job has got already, or that are not the user's. */
  private static final Set<String> OF_THE_JOB =
      Set.of(ExecutionOptions.RUNTIME_MODE.key(), PipelineOptions.AUTO_GENERATE_UIDS.key());

  private final StreamExecutionEnvironment environment;
  private final StreamTableEnvironment tables;
  private final Supplier<FlinkSession> streaming;
  private FlinkSession twin;

  private FlinkSession(
      StreamExecutionEnvironment environment,
      StreamTableEnvironment tables,
      Supplier<FlinkSession> streaming) {
    this.environment = environment;
    this.tables = tables;
    this.streaming = streaming;
  }

  /** A session for bounded jobs. */
  static FlinkSession open(
      StreamExecutionEnvironment environment,
      CatalogConnection connection,
      Map<String, String> settings,
      List<PassThrough> setup) {
    EnvironmentSettings.Builder mode = EnvironmentSettings.newInstance();
    return open(environment, connection, settings, setup, mode.inBatchMode().build());
  }

  private static FlinkSession open(
      StreamExecutionEnvironment environment,
      CatalogConnection connection,
      Map<String, String> settings,
      List<PassThrough> setup,
      EnvironmentSettings mode) {
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment, mode);
    settings.forEach(
        (key, value) -> {
          if (!key.startsWith("sluice.") && !OF_THE_JOB.contains(key)) {
            tables.getConfig().set(key, value);
          }
        });
    if (!settings.containsKey("table.local-time-zone")) {
      tables.getConfig().set("table.local-time-zone", "UTC");
    }
    // The planner's own uids differ from start to start, or are the same for all tables.
    tables
        .getConfig()
        .set(ExecutionConfigOptions.TABLE_EXEC_UID_GENERATION, UidGeneration.DISABLED);
    tables.registerCatalog(connection.config().name(), connection.flinkCatalog());
    tables.useCatalog(connection.config().name());
    FlinkSession session =
        new FlinkSession(
            environment,
            tables,
            () ->
                open(
                    environment,
                    connection,
                    settings,
                    setup,
                    EnvironmentSettings.newInstance().inStreamingMode().build()));
    setup.forEach(session::execute);
    return session;
  }

  /**
   * The same tables for the planner's streaming mode, in the same job: only that mode plans sources
   * whose rows are changes. Whatever it plans has to be planned before the rows of this session are
   * asked for, which sets the mode of the job.
   */
  FlinkSession streaming() {
    if (twin == null) {
      twin = streaming.get();
    }
    return twin;
  }

  /** A session for the flows of a pipeline. */
  static FlinkSession open(
      StreamExecutionEnvironment environment, CatalogConnection connection, Pipeline pipeline) {
    return open(environment, connection, pipeline.settings(), pipeline.setup());
  }

  /** A session for an unbounded job of a pipeline. */
  static FlinkSession openStreaming(
      StreamExecutionEnvironment environment, CatalogConnection connection, Pipeline pipeline) {
    FlinkSession session =
        open(
            environment,
            connection,
            pipeline.settings(),
            pipeline.setup(),
            EnvironmentSettings.newInstance().inStreamingMode().build());
    session.twin = session;
    return session;
  }

  StreamExecutionEnvironment environment() {
    return environment;
  }

  StreamTableEnvironment tables() {
    return tables;
  }

  private void execute(PassThrough statement) {
    try {
      if (statement.kind() == PassThrough.Kind.CREATE_TABLE) {
        tables.executeSql(temporary(statement.flinkSql()));
      } else {
        tables.executeSql(statement.flinkSql());
      }
    } catch (RuntimeException e) {
      throw new SluiceException(
          PlannerErrors.problem(statement.sql(), statement.at(), e, List.of()));
    }
  }

  /** Flink tables with a connector live as long as the session, not in the Iceberg catalog. */
  private static String temporary(String createTable) {
    return createTable.replaceFirst("(?i)^\\s*CREATE\\s+TABLE", "CREATE TEMPORARY TABLE");
  }

  /**
   * Plans a query.
   *
   * @param columns the columns of its sources, for messages
   * @throws SluiceException INVALID_QUERY at the place that the planner names
   */
  Table query(RenderedSql sql, Collection<String> columns) {
    try {
      return tables.sqlQuery(sql.text());
    } catch (RuntimeException e) {
      if (PlannerErrors.isTooDeep(e)) {
        throw PlannerErrors.tooDeep(sql.originalPlace(1, 1), e);
      }
      throw new SluiceException(
          List.of(PlannerErrors.problem(sql, sql.originalPlace(1, 1), e, columns)), e);
    } catch (StackOverflowError e) {
      throw PlannerErrors.tooDeep(sql.originalPlace(1, 1), e);
    }
  }

  /**
   * The rows of a planned query. Only here does Flink choose its operators, and find that it has
   * none for some function or type.
   *
   * @param at the query, for messages
   * @throws SluiceException INVALID_QUERY if Flink cannot run the query
   */
  DataStream<RowData> rows(Table table, SourceLocation at) {
    try {
      DataStream<RowData> ds =
          tables.toDataStream(
              table, table.getResolvedSchema().toPhysicalRowDataType().bridgedTo(RowData.class));
      environment.getConfig().enableObjectReuse();
      return ds;
    } catch (TableException e) {
      throw notExecutable(at, e);
    } catch (StackOverflowError e) {
      throw PlannerErrors.tooDeep(at, e);
    }
  }

  /**
   * The rows of a planned query of which each is made of one row of a source alone. Its code is cut
   * into methods only where they could become too long for the JVM's compiler: the parser of Java
   * that cuts it takes longer than all of planning else.
   *
   * @param at the query, for messages
   * @throws SluiceException INVALID_QUERY if Flink cannot run the query
   */
  DataStream<RowData> rowByRow(Table table, SourceLocation at) {
    TableConfig config = tables.getConfig();
    if (config.getOptional(TableConfigOptions.MAX_LENGTH_GENERATED_CODE).isPresent()) {
      return rows(table, at);
    }
    config.set(TableConfigOptions.MAX_LENGTH_GENERATED_CODE, PROJECTION_CODE_LENGTH);
    try {
      return rows(table, at);
    } finally {
      config.getConfiguration().removeConfig(TableConfigOptions.MAX_LENGTH_GENERATED_CODE);
    }
  }

  /**
   * Lets Flink choose the operators of a query without running it.
   *
   * @throws SluiceException INVALID_QUERY if Flink cannot run the query
   */
  void requireExecutable(Table table, SourceLocation at) {
    try {
      table.explain();
    } catch (TableException e) {
      throw notExecutable(at, e);
    } catch (StackOverflowError e) {
      throw PlannerErrors.tooDeep(at, e);
    }
  }

  private static SluiceException notExecutable(SourceLocation at, TableException e) {
    return new SluiceException(
        List.of(
            Problem.at(
                at,
                ErrorCode.INVALID_QUERY,
                "Flink cannot run the query: " + PlannerErrors.oneLine(PlannerErrors.innermost(e)),
                "Write it another way, for example with a CAST to a type that Flink supports")),
        e);
  }

  /** The physical row type of a planned query. */
  static RowType rowType(Table table) {
    return (RowType) table.getResolvedSchema().toPhysicalRowDataType().getLogicalType();
  }

  /**
   * The columns of a table that Flink knows by itself: made by CREATE TABLE or in another catalog;
   * columns of metadata and computed ones included.
   *
   * @throws SluiceException INVALID_QUERY if it is there and cannot be read
   */
  Optional<RowType> flinkTable(QualifiedName name) {
    try {
      DataType columns = tables.from(name.quoted()).getResolvedSchema().toSourceRowDataType();
      return Optional.of((RowType) columns.getLogicalType());
    } catch (RuntimeException e) {
      String text = PlannerErrors.innermost(e);
      if (text.contains("was not found") || text.contains("does not exist")) {
        return Optional.empty();
      }
      throw new SluiceException(
          List.of(
              Problem.of(
                  ErrorCode.INVALID_QUERY,
                  "table '" + name + "' cannot be read: " + PlannerErrors.oneLine(text),
                  "Check its WITH options and that its connector is on the class path")),
          e);
    }
  }

  /** Names of the tables and views in a namespace of the own catalog, for "did you mean". */
  List<String> tableNames(String namespace) {
    try {
      return tables.getCatalog(tables.getCurrentCatalog()).orElseThrow().listTables(namespace);
    } catch (Exception e) {
      return List.of();
    }
  }
}
