package io.sluice.errors;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing that is wrong, where it is wrong, and what to do about it.
 *
 * @param code the stable code
 * @param where a place in the pipeline file, or null where the problem has none
 * @param message what is wrong; names the table, flow, column or row concerned
 * @param remedy what to do; empty where the message already says it
 */
public record Problem(ErrorCode code, SourceLocation where, String message, String remedy)
    implements Serializable {

  public Problem {
    Objects.requireNonNull(code, "code");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(remedy, "remedy");
  }

  public static Problem of(ErrorCode code, String message, String remedy) {
    return new Problem(code, null, message, remedy);
  }

  public static Problem at(SourceLocation where, ErrorCode code, String message, String remedy) {
    return new Problem(code, where, message, remedy);
  }

  /** The same problem at another place. */
  public Problem movedTo(SourceLocation place) {
    return new Problem(code, place, message, remedy);
  }

  public Optional<SourceLocation> location() {
    return Optional.ofNullable(where);
  }

  /** {@code file:line:column: [CODE] message. remedy}, on one line if the message is. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (where != null) {
      text.append(where).append(": ");
    }
    text.append('[').append(code).append("] ").append(message);
    if (!remedy.isEmpty()) {
      text.append(message.endsWith("\n") ? "" : message.endsWith(".") ? " " : ". ").append(remedy);
    }
    return text.toString();
  }
}
