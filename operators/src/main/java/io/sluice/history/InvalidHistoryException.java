package io.sluice.history;

import java.util.Optional;

/** Rows of one key that no history can have (semantics 0.17): somebody else wrote them. */
public final class InvalidHistoryException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What is wrong with the row. */
  public enum Reason {
    NULL_START("it has no start"),
    EMPTY_INTERVAL("its end is not after its start"),
    NULL_SYSTEM_START("it has no system start"),
    EMPTY_SYSTEM_INTERVAL("its system end is not after its system start"),
    SAME_START("another row of the key has the same start"),
    OVERLAP("it ends after another row of the key starts"),
    MORE_THAN_ONE_ROW("the key has more than one row"),
    NOT_BEFORE_VERSION("it starts at or after the version of the snapshot");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The reason as half a sentence about the row. */
    public String text() {
      return text;
    }
  }

  private final Reason reason;
  private final transient Version<?> row;
  private final transient Version<?> other;

  InvalidHistoryException(Reason reason, Version<?> row, Version<?> other) {
    super(
        "a row cannot belong to a history, "
            + reason.text
            + ": "
            + bounds(row)
            + (other == null ? "" : ", other row: " + bounds(other)));
    this.reason = reason;
    this.row = row;
    this.other = other;
  }

  private static String bounds(Version<?> row) {
    String bounds = "from " + row.start() + " to " + row.end();
    return row.systemStart() == null
        ? bounds
        : bounds + ", believed from " + row.systemStart() + " to " + row.systemEnd();
  }

  public Reason reason() {
    return reason;
  }

  /** The offending row, as it was given. */
  public Version<?> row() {
    return row;
  }

  /** The row that it contradicts, where it takes two. */
  public Optional<Version<?>> other() {
    return Optional.ofNullable(other);
  }
}
