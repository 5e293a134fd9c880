package io.sluice.cli;

import io.sluice.catalog.CatalogConfig;
import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Settings;
import io.sluice.run.FlinkRuntime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** What all commands have in common: catalog, settings, parallelism and the form of the result. */
abstract class CatalogCommand implements Callable<Integer> {

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

  CatalogCommand(Console console) {
    this.console = console;
  }

  /** Opens the catalog of --catalog-config, or the local one. */
  CatalogConnection connect() {
    return CatalogConnection.open(
        catalogConfig == null
            ? CatalogConfig.local(console.environment())
            : CatalogConfig.load(catalogConfig, console.environment()));
  }

  /** What --set says. */
  Map<String, String> settings() {
    return settings;
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
}
