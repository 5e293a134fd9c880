package io.sluice.errors;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The only exception that Sluice throws at its users: one or more {@link Problem}s. Its message is
 * complete without a stack trace.
 */
public final class SluiceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final List<Problem> problems;

  public SluiceException(List<Problem> problems, Throwable cause) {
    super(
        problems.stream().distinct().map(Problem::toString).collect(Collectors.joining("\n")),
        cause);
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("an error needs at least one problem");
    }
    this.problems = problems.stream().distinct().toList();
  }

  public SluiceException(List<Problem> problems) {
    this(problems, null);
  }

  public SluiceException(Problem problem) {
    this(List.of(problem), null);
  }

  public SluiceException(ErrorCode code, String message, String remedy) {
    this(Problem.of(code, message, remedy));
  }

  public SluiceException(ErrorCode code, String message, String remedy, Throwable cause) {
    this(List.of(Problem.of(code, message, remedy)), cause);
  }

  /** All problems, at least one, each once, in the order in which they were found. */
  public List<Problem> problems() {
    return problems;
  }

  /** The code of the first problem. */
  public ErrorCode code() {
    return problems.get(0).code();
  }
}
