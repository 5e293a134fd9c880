package io.sluice.history;

import java.util.ArrayList;
import java.util.List;

/** Compares a history and what a call of it answered with the oracle; fast unless it fails. */
final class HistoryCheck {

  private final StorageType type;
  private final NaiveHistory before;
  private final NaiveHistory after;
  private final List<Event<Row>> arriving;
  private final List<Event<Row>> arrived;

  HistoryCheck(
      StorageType type,
      NaiveHistory before,
      NaiveHistory after,
      List<Event<Row>> arriving,
      List<Event<Row>> arrived) {
    this.type = type;
    this.before = before;
    this.after = after;
    this.arriving = arriving;
    this.arrived = arrived;
  }

  void state(History<Row> history) {
    equal("rows", history.versions(), after.rows());
    equal("log", history.log(), after.log());
    equal("remembered", history.remembered(), after.remembered());
    equal("dropped remembered events", history.droppedRemembered(), false);
  }

  /** Ties are counted alike by the oracle only where origins follow the order of arrival. */
  void changes(Changes<Row> changes, boolean countsMeetings) {
    List<Version<Row>> removed = new ArrayList<>(before.rows());
    removed.removeAll(after.rows());
    List<Version<Row>> added = new ArrayList<>(after.rows());
    added.removeAll(before.rows());
    equal("removed", changes.removed(), removed);
    equal("added", changes.added(), added);
    if (type == StorageType.SCD2) {
      equal("late", changes.late(), before.countBelowNewest(arriving));
    }
    if (type == StorageType.SCD2 && countsMeetings) {
      equal("ties", changes.ties(), after.meetings(false) - before.meetings(false));
      equal("duplicates", changes.duplicates(), after.meetings(true) - before.meetings(true));
    }
  }

  /** Whether a history that saw only the end of the rows holds just that end. */
  void isSuffix(History<Row> suffix) {
    equal("rows of the suffix", suffix.versions(), lastOf(after.rows(), suffix.versions().size()));
    List<Event<Row>> remembered = suffix.remembered();
    equal("remembered of the suffix", remembered, lastOf(after.remembered(), remembered.size()));
    equal("log of the suffix", suffix.log(), lastOf(after.log(), suffix.log().size()));
    equal("dropped remembered events of the suffix", suffix.droppedRemembered(), false);
  }

  private static <T> List<T> lastOf(List<T> list, int count) {
    return list.subList(Math.max(0, list.size() - count), list.size());
  }

  void equal(String what, Object actual, Object expected) {
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "%s %s%n  after all of  %s%n  of these just  %s%n  expected      %s%n  but was       %s"
              .formatted(type, what, arrived, arriving, expected, actual));
    }
  }
}
