package io.sluice.api;

import io.sluice.catalog.CatalogConfig;
import io.sluice.catalog.CatalogConnection;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.run.CutoverReport;
import io.sluice.run.CutoverValidation;
import io.sluice.run.FlinkRuntime;
import io.sluice.run.ProgressListener;
import io.sluice.run.Update;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import io.sluice.sql.QualifiedName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where pipelines run: a catalog, and the Flink cluster of this process or, where Flink's client
 * runs the program, that of the client.
 */
public final class SluiceEnvironment implements AutoCloseable {

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final int parallelism;

  private SluiceEnvironment(CatalogConnection connection, FlinkRuntime runtime, int parallelism) {
    this.connection = connection;
    this.runtime = runtime;
    this.parallelism = parallelism;
  }

  /** The local catalog, its warehouse in a folder. */
  public static SluiceEnvironment local(Path warehouse) {
    return open(CatalogConfig.local(Map.of("SLUICE_WAREHOUSE", warehouse.toString())));
  }

  /** A catalog; {@link CatalogConfig#load} reads its configuration from a file. */
  public static SluiceEnvironment open(CatalogConfig catalog) {
    int parallelism = FlinkRuntime.defaultParallelism();
    CatalogConnection connection = CatalogConnection.open(catalog);
    return new SluiceEnvironment(connection, FlinkRuntime.ofThisProcess(parallelism), parallelism);
  }

  /** Runs one update: every flow reads what is new, each table commits. */
  public UpdateResult run(PipelineDefinition pipeline) {
    return run(pipeline, options -> options);
  }

  /**
   * Runs one update that empties tables and reads everything of them again, ONCE flows included.
   */
  public UpdateResult fullRefresh(PipelineDefinition pipeline, String... tables) {
    Set<QualifiedName> names =
        Stream.of(tables)
            .map(TableName::parse)
            .map(
                name ->
                    name.parts().size() > 1
                        ? name
                        : QualifiedName.of(connection.config().defaultNamespace(), name.last()))
            .collect(Collectors.toSet());
    return run(
        pipeline, options -> new UpdateOptions(Set.of(), names, false, options.parallelism()));
  }

  private UpdateResult run(PipelineDefinition pipeline, UnaryOperator<UpdateOptions> change) {
    UpdateOptions options = change.apply(UpdateOptions.incremental(parallelism));
    return new Update(connection, runtime, options, ProgressListener.NONE)
        .run(pipeline.build(connection));
  }

  /**
   * Checks a pipeline against its sources and the catalog; moves no data.
   *
   * @throws io.sluice.errors.SluiceException with every problem found
   */
  public ResolvedPipeline validate(PipelineDefinition pipeline) {
    return new Update(
            connection, runtime, UpdateOptions.incremental(parallelism), ProgressListener.NONE)
        .validate(pipeline.build(connection));
  }

  /** Checks per key that live events begin behind what was seeded (semantics 0.15). */
  public List<CutoverReport> validateCutover(PipelineDefinition pipeline) {
    return new CutoverValidation(connection, runtime, parallelism)
        .validate(pipeline.build(connection));
  }

  /** The connection to the catalog, for reading its tables. */
  public CatalogConnection connection() {
    return connection;
  }

  @Override
  public void close() {
    try {
      runtime.close();
    } finally {
      connection.close();
    }
  }
}
