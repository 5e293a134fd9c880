package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.run.StopRequests;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice stop}: ends a continuous run. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description = "Asks the continuous run of a pipeline to stop, and waits until it has.")
final class StopCommand extends PipelineCommand {

  private static final long LOOK_MS = 500;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait (default: 60).")
  private int timeout = 60;

  StopCommand(Console console) {
    super(console);
  }

  @Override
  int call(CatalogConnection connection, Pipeline pipeline) throws InterruptedException {
    Optional<String> run = StopRequests.request(connection, pipeline);
    if (run.isEmpty()) {
      console
          .out()
          .println(
              "no continuous run keeps the tables of "
                  + file
                  + "; one that has just been started keeps them when its first update is done");
      console.out().flush();
      return 0;
    }
    long until = System.nanoTime() + timeout * 1_000_000_000L;
    Optional<String> left;
    while ((left = StopRequests.running(connection, pipeline)).isPresent()) {
      if (System.nanoTime() > until) {
        throw new SluiceException(
            ErrorCode.RUN_ACTIVE,
            "the run that was started "
                + run.get()
                + " has not stopped within "
                + timeout
                + " seconds",
            "If it is dead, start the next one with --take-over");
      }
      Thread.sleep(LOOK_MS);
    }
    console.out().println("the run that was started " + run.get() + " has stopped");
    console.out().flush();
    return 0;
  }
}
