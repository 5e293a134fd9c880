package io.sluice.run;

import io.sluice.api.PipelineDefinition;
import io.sluice.catalog.CatalogConfig;
import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.PipelineBuilder;
import io.sluice.plan.AdHocQuery;
import io.sluice.plan.AsOf;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.sql.PipelineParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * A folder with a warehouse and feeds, in which tests run pipelines as the command line does. All
 * workbenches of a process share one embedded cluster. Tables are read back by Iceberg's generic
 * reader, not by our code.
 */
public final class Workbench implements AutoCloseable {

  private static final int PARALLELISM = 2;
  private static final EmbeddedRuntime RUNTIME = new EmbeddedRuntime(PARALLELISM);

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(RUNTIME::close));
  }

  private final Path folder;
  private final CatalogConnection connection;

  /** A bench with the local catalog, its warehouse below the folder. */
  public Workbench(Path folder) {
    this(
        folder,
        CatalogConfig.local(Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString())));
  }

  /** A bench with another catalog. */
  public Workbench(Path folder, CatalogConfig catalog) {
    this.folder = folder;
    this.connection = CatalogConnection.open(catalog);
  }

  public Path folder() {
    return folder;
  }

  public CatalogConnection connection() {
    return connection;
  }

  /** Writes a file below the folder, one line per text. */
  public Path write(String name, String... lines) {
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(file.getParent());
      return Files.write(file, List.of(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parses and checks a pipeline; {@code ${dir}} in the text is the folder. */
  public Pipeline pipeline(String sql, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put("dir", folder.toString());
    return PipelineBuilder.build(
        PipelineParser.parse("test.sql", sql, all, Map.of()),
        settings,
        connection.config().name(),
        connection.config().defaultNamespace());
  }

  /** Runs an update. */
  public UpdateResult update(String sql) {
    return update(sql, Map.of(), options -> options);
  }

  /** Runs an update with settings and with other options than an incremental one. */
  public UpdateResult update(
      String sql, Map<String, String> settings, UnaryOperator<UpdateOptions> change) {
    UpdateOptions options = change.apply(UpdateOptions.incremental(PARALLELISM));
    return new Update(connection, RUNTIME, options, ProgressListener.NONE)
        .run(pipeline(sql, settings));
  }

  /** Maintains the tables of a pipeline; snapshots expire as soon as nobody needs them. */
  public List<MaintainedTable> maintain(String sql) {
    MaintenanceOptions options =
        new MaintenanceOptions(
            Set.of(), Optional.of(Duration.ZERO), MaintenanceOptions.ORPHAN_AGE, PARALLELISM);
    return new Maintenance(connection, options).run(pipeline(sql, Map.of()));
  }

  /** Begins a continuous run with a checkpoint every 200 ms. */
  public Keeper keep(String sql, Map<String, String> settings, boolean takeOver) {
    return keep(sql, settings, new UpdateOptions(Set.of(), Set.of(), false, PARALLELISM, takeOver));
  }

  /** Begins a continuous run with other options. */
  public Keeper keep(String sql, Map<String, String> settings, UpdateOptions options) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putIfAbsent("execution.checkpointing.interval", "200 ms");
    all.putIfAbsent("sluice.discovery-interval", "100 ms");
    all.putIfAbsent("sluice.reorder-window", "20 ms");
    // A job of which an operator has no uid, or two have the same, is refused.
    all.put("pipeline.auto-generate-uids", "false");
    all.put("table.exec.uid.generation", "ALWAYS");
    all.put("table.exec.uid.format", "<transformation>");
    return new Keeper(connection, RUNTIME, options, pipeline(sql, all));
  }

  /** Runs an update of a pipeline that Java declares. */
  public UpdateResult update(PipelineDefinition pipeline) {
    return new Update(
            connection, RUNTIME, UpdateOptions.incremental(PARALLELISM), ProgressListener.NONE)
        .run(pipeline.build(connection));
  }

  /** Checks a pipeline that Java declares, without moving data. */
  public ResolvedPipeline validate(PipelineDefinition pipeline) {
    return new Update(
            connection, RUNTIME, UpdateOptions.incremental(PARALLELISM), ProgressListener.NONE)
        .validate(pipeline.build(connection));
  }

  /** Runs an incremental update of a pipeline that is not made of text alone. */
  public UpdateResult update(Pipeline pipeline) {
    UpdateOptions options = UpdateOptions.incremental(PARALLELISM);
    return new Update(connection, RUNTIME, options, ProgressListener.NONE).run(pipeline);
  }

  /** Checks a pipeline without moving data. */
  public ResolvedPipeline validate(String sql) {
    return new Update(
            connection, RUNTIME, UpdateOptions.incremental(PARALLELISM), ProgressListener.NONE)
        .validate(pipeline(sql, Map.of()));
  }

  /** Checks the cut-over from seeds to live flows. */
  public List<CutoverReport> validateCutover(String sql) {
    return new CutoverValidation(connection, RUNTIME, PARALLELISM)
        .validate(pipeline(sql, Map.of()));
  }

  /** The rows of a query as {@code sluice query} answers, values separated by blanks. */
  public List<String> query(String sql, AsOf asOf) {
    List<String> rows = new ArrayList<>();
    AdHocQuery.plan(connection, RUNTIME.bounded(PARALLELISM), Map.of(), sql, asOf)
        .forEach(
            row -> {
              List<String> values = new ArrayList<>();
              for (int i = 0; i < row.getArity(); i++) {
                values.add(String.valueOf(row.getField(i)));
              }
              rows.add(String.join(" ", values));
            });
    return rows;
  }

  /** A table of the default namespace, freshly loaded. */
  public Table table(String name) {
    return connection.catalog().loadTable(connection.identifier(List.of(name)));
  }

  /** The rows of a table in no order, each as column to value; {@code __SEQUENCE} left out. */
  public List<Map<String, Object>> rows(String name) {
    Table table = table(name);
    List<Map<String, Object>> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        Map<String, Object> row = new LinkedHashMap<>();
        table
            .schema()
            .columns()
            .forEach(
                column -> {
                  if (!column.name().equals("__SEQUENCE")) {
                    row.put(column.name(), record.getField(column.name()));
                  }
                });
        rows.add(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /** The rows of a table as text, sorted: values in column order, separated by blanks. */
  public List<String> texts(String name) {
    return rows(name).stream()
        .map(row -> row.values().stream().map(String::valueOf).collect(Collectors.joining(" ")))
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    connection.close();
  }
}
