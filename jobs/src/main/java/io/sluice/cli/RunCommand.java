package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.run.ContinuousRun;
import io.sluice.run.FlinkRuntime;
import io.sluice.run.Update;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run}: one triggered update, or a continuous run. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description =
        "Runs one update: every flow reads what is new, each table commits once. With --continuous"
            + " it goes on until it is stopped.")
final class RunCommand extends PipelineCommand {

  @Option(
      names = "--refresh",
      split = ",",
      hideParamSyntax = true,
      paramLabel = "t,..",
      description = "Update these tables only.")
  private List<String> refresh = List.of();

  @Option(
      names = "--full-refresh",
      split = ",",
      hideParamSyntax = true,
      paramLabel = "t,..",
      description = "Empty these tables and read everything again, ONCE flows included.")
  private List<String> fullRefresh = List.of();

  @Option(names = "--full-refresh-all", description = "The same for every table of the pipeline.")
  private boolean fullRefreshAll;

  @Option(
      names = "--continuous",
      description = "Keep the tables up to date until the run is stopped (sluice stop, SIGTERM).")
  private boolean continuous;

  @Option(
      names = "--take-over",
      description = "Go on although a continuous run has not said that it stopped; it then ends.")
  private boolean takeOver;

  RunCommand(Console console) {
    super(console);
  }

  @Override
  int call(CatalogConnection connection, Pipeline pipeline) {
    int parallelism = parallelism(pipeline.settings());
    UpdateOptions options =
        new UpdateOptions(
            tables(pipeline, refresh),
            tables(pipeline, fullRefresh),
            fullRefreshAll,
            parallelism,
            takeOver);
    if (continuous) {
      return keep(connection, pipeline, options);
    }
    UpdateResult result;
    try (FlinkRuntime runtime = FlinkRuntime.ofThisProcess(parallelism);
        ProgressPrinter progress = new ProgressPrinter(console)) {
      result = new Update(connection, runtime, options, progress).run(pipeline);
    }
    ResultPrinter printer = new ResultPrinter(console);
    switch (output) {
      case TEXT -> printer.text(result);
      case JSON -> printer.json(result);
    }
    return result.succeeded() ? 0 : 1;
  }

  private int keep(CatalogConnection connection, Pipeline pipeline, UpdateOptions options) {
    if (!refresh.isEmpty()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "--refresh does not go with --continuous, which keeps all tables",
          "Leave it out");
    }
    try (FlinkRuntime runtime =
            FlinkRuntime.ofThisProcess(
                options.parallelism(), pipeline.flows().size(), pipeline.settings());
        ProgressPrinter progress = new ProgressPrinter(console)) {
      ContinuousRun run =
          new ContinuousRun(
              connection, runtime, options, progress, notice -> console.err().println(notice));
      StopSignals.on(run::requestStop);
      run.run(pipeline);
      return 0;
    }
  }
}
