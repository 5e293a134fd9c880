package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.PipelineBuilder;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** A command about the pipeline of a file. */
abstract class PipelineCommand extends CatalogCommand {

  @Parameters(paramLabel = "FILE", description = "The pipeline file.")
  Path file;

  PipelineCommand(Console console) {
    super(console);
  }

  /** Connects only for a pipeline that can be read: another one would leave a warehouse. */
  @Override
  public final Integer call() throws Exception {
    String text = read();
    try (CatalogConnection connection = connect()) {
      return call(connection, load(text, connection));
    }
  }

  /**
   * Does what the command is for.
   *
   * @param connection is closed by the caller
   * @return the exit code
   */
  abstract int call(CatalogConnection connection, Pipeline pipeline) throws Exception;

  private Pipeline load(String text, CatalogConnection connection) {
    ParsedPipeline parsed =
        PipelineParser.parse(file.toString(), text, settings(), console.environment());
    Pipeline pipeline =
        PipelineBuilder.build(
            parsed, settings(), connection.config().name(), connection.config().defaultNamespace());
    if (pipeline.tables().isEmpty()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          file + " declares no table, so there is nothing to do",
          "Declare one with CREATE STREAMING TABLE");
    }
    return pipeline;
  }

  private String read() {
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
