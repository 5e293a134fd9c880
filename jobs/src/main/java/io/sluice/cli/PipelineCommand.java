package io.sluice.cli;

import io.sluice.catalog.CatalogConfig;
import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.PipelineBuilder;
import io.sluice.pipeline.Settings;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.run.FlinkRuntime;
import io.sluice.run.ProgressListener;
import io.sluice.run.Update;
import io.sluice.run.UpdateOptions;
import io.sluice.sql.Names;
import io.sluice.sql.ParsedPipeline;
import io.sluice.sql.PipelineParser;
import io.sluice.sql.QualifiedName;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** What the commands have in common: the catalog, settings, parallelism and the output format. */
abstract class PipelineCommand implements Callable<Integer> {

  enum Output {
    TEXT,
    JSON
  }

  final Console console;

  @Option(
      names = "--catalog-config",
      paramLabel = "FILE",
      description = "YAML file with the Iceberg catalog (default: the local catalog).")
  private Path catalogConfig;

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description = "Setting or variable; wins over SET in the file. May be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Subtasks per operator (default: the number of processors).")
  private Integer parallelism;

  @Option(
      names = "--output",
      paramLabel = "text|json",
      description = "Form of the result (default: text).")
  Output output = Output.TEXT;

  /** Whether standard output is one JSON object, errors included. */
  boolean printsOneObject() {
    return output == Output.JSON;
  }

  PipelineCommand(Console console) {
    this.console = console;
  }

  CatalogConnection connect() {
    return CatalogConnection.open(
        catalogConfig == null
            ? CatalogConfig.local(console.environment())
            : CatalogConfig.load(catalogConfig, console.environment()));
  }

  /** Connects for a pipeline; not for one that cannot be read, which would leave a warehouse. */
  CatalogConnection connect(Path file) {
    read(file);
    return connect();
  }

  Map<String, String> settings() {
    return settings;
  }

  Pipeline load(Path file, CatalogConnection connection) {
    ParsedPipeline parsed =
        PipelineParser.parse(file.toString(), read(file), settings, console.environment());
    Pipeline pipeline =
        PipelineBuilder.build(
            parsed, settings, connection.config().name(), connection.config().defaultNamespace());
    if (pipeline.tables().isEmpty()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          file + " declares no table, so there is nothing to do",
          "Declare one with CREATE STREAMING TABLE");
    }
    return pipeline;
  }

  private static String read(Path file) {
    if (Files.isDirectory(file)) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL, file + " is a folder", "Name the pipeline file in it");
    }
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL, "there is no file " + file, "Check the path of the pipeline");
    } catch (MalformedInputException e) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL, file + " is no UTF-8 text", "Save the pipeline as UTF-8");
    } catch (IOException e) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL, file + " cannot be read: " + IoReason.of(e), "Check the file");
    }
  }

  /** From --parallelism, the pipeline's setting, or the default of where it runs. */
  int parallelism(Map<String, String> pipelineSettings) {
    if (parallelism != null) {
      if (parallelism < 1) {
        throw new SluiceException(
            ErrorCode.INVALID_CALL,
            "--parallelism cannot be " + parallelism,
            "Use a number from 1 on");
      }
      return parallelism;
    }
    String setting = pipelineSettings.get(Settings.PARALLELISM);
    return setting != null ? Integer.parseInt(setting) : FlinkRuntime.defaultParallelism();
  }

  /** The tables of a pipeline that an option names. */
  static Set<QualifiedName> tables(Pipeline pipeline, List<String> names) {
    Set<QualifiedName> tables = new LinkedHashSet<>();
    for (String name : names) {
      QualifiedName wanted = QualifiedName.of(name.strip().split("\\."));
      tables.add(
          pipeline.tables().stream()
              .map(table -> table.name())
              .filter(
                  full ->
                      full.equals(wanted)
                          || (wanted.parts().size() == 1
                              && full.last().equalsIgnoreCase(wanted.last())))
              .findFirst()
              .orElseThrow(() -> unknown(pipeline, name)));
    }
    return tables;
  }

  private static SluiceException unknown(Pipeline pipeline, String name) {
    List<String> known = pipeline.tables().stream().map(table -> table.name().last()).toList();
    return new SluiceException(
        ErrorCode.INVALID_CALL,
        "the pipeline has no table '" + name + "'",
        Names.nearest(name, known)
            .map(nearest -> "Did you mean '" + nearest + "'?")
            .orElse("Its tables are " + String.join(", ", known)));
  }

  /**
   * The pipeline as its tables and sources are now.
   *
   * @throws SluiceException with every problem of the definition
   */
  ResolvedPipeline resolve(CatalogConnection connection, Pipeline pipeline) {
    int subtasks = parallelism(pipeline.settings());
    try (FlinkRuntime runtime = FlinkRuntime.ofThisProcess(subtasks)) {
      return new Update(
              connection, runtime, UpdateOptions.incremental(subtasks), ProgressListener.NONE)
          .validate(pipeline);
    }
  }
}
