package io.sluice.cli;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Prints errors as text, never as a stack trace; the log file has that. */
final class ErrorPrinter implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorPrinter.class);

  private final Console console;

  ErrorPrinter(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult result) {
    LOG.error("the command failed", thrown);
    if (thrown instanceof SluiceException known) {
      known.problems().forEach(problem -> print(console, problem));
      if (command.getCommand() instanceof PipelineCommand call && call.printsOneObject()) {
        new ResultPrinter(console).json(known);
      }
      return exitCode(known.code());
    }
    console
        .err()
        .println(
            "error: "
                + thrown.getClass().getSimpleName()
                + (thrown.getMessage() == null ? "" : ": " + thrown.getMessage())
                + " (this is a fault of Sluice; the log file has the details)");
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    String help = wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help";
    String message = wrong.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
    print(console, Problem.of(ErrorCode.INVALID_CALL, message, "Options and arguments: " + help));
    return exitCode(ErrorCode.INVALID_CALL);
  }

  static void print(Console console, Problem problem) {
    console.err().println("error: " + problem);
  }

  static int exitCode(ErrorCode code) {
    return switch (code.kind()) {
      case DEFINITION -> 2;
      case UPDATE -> 1;
    };
  }
}
