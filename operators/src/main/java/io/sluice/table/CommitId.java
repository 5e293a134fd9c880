package io.sluice.table;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What makes a commit the same commit when it is tried again: a text that is unique among all
 * commits of a table, stored in the snapshot under {@value Ledger#COMMIT}.
 *
 * @param text for a triggered update its id and step, for a continuous run its id and the number of
 *     a checkpoint
 */
public record CommitId(String text) {

  public CommitId {
    Objects.requireNonNull(text, "text");
    if (text.isBlank()) {
      throw new IllegalArgumentException("a commit id needs a text");
    }
  }

  /** The id of a step of a triggered update, or of the begin of a continuous run. */
  public static CommitId of(String run, long number) {
    return new CommitId(run + "/" + number);
  }

  /**
   * The id of a checkpoint of a continuous run.
   *
   * @param token tells it from another checkpoint with this number
   */
  public static CommitId of(String run, long number, String token) {
    return new CommitId(run + "/" + number + "-" + token);
  }

  /** The number within the update or run; empty for the commit that ends a run. */
  public OptionalLong number() {
    try {
      return OptionalLong.of(Long.parseLong(last().split("-", 2)[0]));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** The token of a checkpoint; empty for anything else. */
  public String token() {
    int dash = last().indexOf('-');
    return dash < 0 ? "" : last().substring(dash + 1);
  }

  private String last() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  /** The update that the commit is a step of. */
  public String update() {
    int slash = text.lastIndexOf('/');
    return slash < 0 ? text : text.substring(0, slash);
  }

  @Override
  public String toString() {
    return text;
  }
}
