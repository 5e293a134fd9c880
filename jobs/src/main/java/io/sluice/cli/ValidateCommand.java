package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import picocli.CommandLine.Command;

/** {@code sluice validate}: all checks of an update, no data moved. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Checks a pipeline against its sources and its catalog. Moves no data.")
final class ValidateCommand extends PipelineCommand {

  ValidateCommand(Console console) {
    super(console);
  }

  @Override
  int call(CatalogConnection connection, Pipeline pipeline) {
    new DefinitionPrinter(console).print(resolve(connection, pipeline), output);
    return 0;
  }
}
