package io.sluice.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command {@code sluice}. Exit codes: 0 done, 1 the update failed, 2 the definition or the call
 * is wrong.
 */
@Command(
    name = "sluice",
    mixinStandardHelpOptions = true,
    version = "sluice 0.1.0",
    description = "Keeps Apache Iceberg tables by change data capture, declared in SQL.",
    subcommands = {
      RunCommand.class,
      ValidateCommand.class,
      QueryCommand.class,
      StatusCommand.class,
      StopCommand.class,
      MaintainCommand.class,
      ValidateCutoverCommand.class,
      ExplainKeyCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Sluice implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Runs the command and ends the process. */
  public static void main(String[] arguments) {
    int code = execute(Console.ofProcess(), arguments);
    System.out.flush();
    System.err.flush();
    if (!Console.isInsideFlinkClient()) {
      System.exit(code);
    }
    HadoopShutdown.skip();
    if (code != 0) {
      throw new IllegalStateException("sluice ended with exit code " + code);
    }
  }

  /** Runs the command and gives its exit code. */
  public static int execute(Console console, String... arguments) {
    CommandLine commandLine = commandLine(console);
    try {
      return commandLine.execute(arguments);
    } catch (StackOverflowError | OutOfMemoryError e) {
      return new ErrorPrinter(console).exhausted(e);
    }
  }

  /** The command with its subcommands and options. */
  public static CommandLine commandLine(Console console) {
    CommandLine commandLine = new CommandLine(new Sluice(), new CommandFactory(console));
    commandLine.setOut(console.out());
    commandLine.setErr(console.err());
    commandLine.setExecutionExceptionHandler(new ErrorPrinter(console));
    commandLine.setParameterExceptionHandler(new ErrorPrinter(console));
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    return commandLine;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Name a command, for example: sluice run pipeline.sql");
  }
}
