package io.sluice.cli;

import io.sluice.catalog.CatalogErrors;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sql.Names;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

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
    Optional<SluiceException> known =
        CatalogErrors.known(command.getCommandSpec().qualifiedName(), thrown);
    if (known.isPresent()) {
      known.get().problems().forEach(problem -> print(console, problem));
      if (command.getCommand() instanceof CatalogCommand call && call.printsOneObject()) {
        new ResultPrinter(console).json(known.get());
      }
      return exitCode(known.get().code());
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

  /** The JVM gave up: not enough memory, or a stack too small for something nested. */
  int exhausted(VirtualMachineError thrown) {
    LOG.error("the command failed", thrown);
    boolean memory = thrown instanceof OutOfMemoryError;
    Problem problem =
        Problem.of(
            ErrorCode.UPDATE_FAILED,
            memory ? "there was not enough memory" : "something is nested too deep",
            memory
                ? "Give more with SLUICE_JAVA_OPTS, for example -Xmx4g"
                : "Split what is nested, or give a larger stack with SLUICE_JAVA_OPTS='-Xmx2g -Xss16m'");
    print(console, problem);
    return exitCode(problem.code());
  }

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    String remedy = "Options and arguments: " + command.qualifiedName() + " --help";
    String message =
        wrong instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched.getUnmatched().get(0), command)
            : wrong.getMessage().replace("option option", "option");
    message = message.strip().replaceAll("\\s*\\R\\s*", " ");
    print(console, Problem.of(ErrorCode.INVALID_CALL, message, remedy));
    return exitCode(ErrorCode.INVALID_CALL);
  }

  /** What the first word is that nothing fits, and what was probably meant. */
  private static String unmatched(String word, CommandSpec command) {
    String name = word.split("=", 2)[0];
    String kind;
    Collection<String> known;
    if (name.startsWith("-")) {
      kind = "option";
      known = command.optionsMap().keySet();
    } else if (!command.subcommands().isEmpty()) {
      kind = "command";
      known = command.subcommands().keySet();
    } else {
      return "the argument '" + word + "' is one too many";
    }
    return "there is no "
        + kind
        + " '"
        + name
        + "'"
        + Names.nearest(name, known).map(near -> ". Did you mean '" + near + "'?").orElse("");
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
