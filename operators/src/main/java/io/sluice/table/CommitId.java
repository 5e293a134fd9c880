package io.sluice.table;

import java.util.Objects;

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

  /** The id of a step of a triggered update, or of a checkpoint of a continuous run. */
  public static CommitId of(String run, long number) {
    return new CommitId(run + "/" + number);
  }

  /**
   * The number within the update or run.
   *
   * @throws IllegalStateException if the id has none
   */
  public long number() {
    try {
      return Long.parseLong(text.substring(text.lastIndexOf('/') + 1));
    } catch (NumberFormatException e) {
      throw new IllegalStateException("the commit id " + text + " has no number", e);
    }
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
