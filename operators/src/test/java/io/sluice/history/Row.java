package io.sluice.history;

import java.util.Comparator;

/** Columns of a test event: one that opens versions and one that does not. */
record Row(String tracked, String untracked) {

  static final Comparator<Row> ORDER =
      Comparator.comparing(Row::tracked).thenComparing(Row::untracked);

  /** {@code tracked} or {@code tracked/untracked}. */
  static Row of(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new Row(text, "")
        : new Row(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public String toString() {
    return untracked.isEmpty() ? tracked : tracked + "/" + untracked;
  }
}
