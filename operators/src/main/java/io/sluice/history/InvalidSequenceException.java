package io.sluice.history;

/**
 * A value that cannot be a sequence: the event that carries it is invalid (semantics 0.3). It has
 * no stack trace, since a feed may hold millions of them.
 */
public final class InvalidSequenceException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What is wrong with the value. */
  public enum Reason {
    NULL("is NULL"),
    NAN("is NaN"),
    MALFORMED_TEXT("holds half a surrogate pair, which has no code point");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Reason reason;
  private final String field;

  private InvalidSequenceException(Reason reason, String field) {
    super(message("the sequence ", reason, field), null, false, false);
    this.reason = reason;
    this.field = field;
  }

  private static String message(String what, Reason reason, String field) {
    return what + (field.isEmpty() ? "" : "field '" + field + "' ") + reason.text;
  }

  /** The message for a system sequence. */
  public String onSystemAxis() {
    return message("the system sequence ", reason, field);
  }

  /** A NULL where a sequence, or a field of one, has to be. */
  public static InvalidSequenceException nullValue() {
    return new InvalidSequenceException(Reason.NULL, "");
  }

  /** A NaN, which has no place in the order. */
  public static InvalidSequenceException nan() {
    return new InvalidSequenceException(Reason.NAN, "");
  }

  static InvalidSequenceException malformedText() {
    return new InvalidSequenceException(Reason.MALFORMED_TEXT, "");
  }

  /** The same problem seen from the struct around it. */
  public InvalidSequenceException within(String structField) {
    return new InvalidSequenceException(
        reason, field.isEmpty() ? structField : structField + "." + field);
  }

  public Reason reason() {
    return reason;
  }

  /** Path of the offending struct field, its names joined by dots; empty for the value itself. */
  public String field() {
    return field;
  }
}
