package io.sluice.benchmarks;

import io.sluice.catalog.CatalogConfig;
import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.PipelineBuilder;
import io.sluice.run.EmbeddedRuntime;
import io.sluice.run.ProgressListener;
import io.sluice.run.TargetResult;
import io.sluice.run.Update;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import io.sluice.sql.PipelineParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.Table;

/**
 * A temporary folder with feeds and a warehouse, one embedded cluster, and updates as the command
 * line runs them. Closing it removes the folder.
 */
final class Workshop implements AutoCloseable {

  private final Path folder;
  private final CatalogConnection connection;
  private final EmbeddedRuntime runtime;
  private final int parallelism;

  Workshop(int parallelism) throws IOException {
    String parent = System.getProperty("sluice.benchmarks.folder");
    this.folder =
        parent == null
            ? Files.createTempDirectory("sluice-benchmarks")
            : Files.createTempDirectory(Files.createDirectories(Path.of(parent)), "run");
    this.parallelism = parallelism;
    this.connection =
        CatalogConnection.open(
            CatalogConfig.local(
                Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString())));
    this.runtime = new EmbeddedRuntime(parallelism, 1, Map.of());
  }

  Path folder(String name) {
    return folder.resolve(name);
  }

  CatalogConnection connection() {
    return connection;
  }

  EmbeddedRuntime runtime() {
    return runtime;
  }

  int parallelism() {
    return parallelism;
  }

  /** One update of a pipeline, from its text to the commit. */
  TargetResult update(String sql) {
    Pipeline pipeline = pipeline(sql);
    UpdateOptions options = UpdateOptions.incremental(parallelism);
    UpdateResult result =
        new Update(connection, runtime, options, ProgressListener.NONE).run(pipeline);
    if (!result.succeeded()) {
      throw new IllegalStateException("the update failed: " + result.failures());
    }
    return result.targets().get(0);
  }

  /** The pipeline that a text declares. */
  Pipeline pipeline(String sql) {
    return PipelineBuilder.build(
        PipelineParser.parse("benchmark.sql", sql, Map.of(), Map.of()),
        Map.of(),
        connection.config().name(),
        connection.config().defaultNamespace());
  }

  /** Rows and bytes of a table's live files. */
  Size size(String table) {
    Table found = connection.catalog().loadTable(connection.identifier(List.of(table)));
    Map<String, String> summary = found.currentSnapshot().summary();
    return new Size(
        Long.parseLong(summary.get("total-records"))
            - Long.parseLong(summary.getOrDefault("total-position-deletes", "0")),
        Long.parseLong(summary.get("total-files-size")),
        Integer.parseInt(summary.get("total-data-files")));
  }

  /** Bytes of the live files of a table's companion. */
  long companionBytes(String table) {
    Table found = connection.catalog().loadTable(connection.identifier(List.of(table + "__log")));
    return found.currentSnapshot() == null
        ? 0
        : Long.parseLong(found.currentSnapshot().summary().get("total-files-size"));
  }

  /** What a table holds. */
  record Size(long rows, long bytes, int files) {}

  @Override
  public void close() throws IOException {
    runtime.close();
    connection.close();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
