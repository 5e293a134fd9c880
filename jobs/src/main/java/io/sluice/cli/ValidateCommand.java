package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice validate}: all checks of an update, no data moved. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Checks a pipeline against its sources and its catalog. Moves no data.")
final class ValidateCommand extends PipelineCommand {

  @Parameters(paramLabel = "FILE", description = "The pipeline file.")
  private Path file;

  ValidateCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() {
    try (CatalogConnection connection = connect(file)) {
      Pipeline pipeline = load(file, connection);
      new DefinitionPrinter(console).print(resolve(connection, pipeline), output);
      return 0;
    }
  }
}
