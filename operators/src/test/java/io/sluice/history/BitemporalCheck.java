package io.sluice.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Compares a bitemporal history with the oracle before and after a batch; fast unless it fails. */
final class BitemporalCheck {

  /** The one untracked content of tests in which all columns count as tracked. */
  static final String UNTRACKED = "1";

  private final RowValues values;
  private final NaiveBitemporal before;
  private final NaiveBitemporal after;
  private final List<Event<Row>> arrived;
  private final List<Event<Row>> batch;
  private final boolean tracksAll;

  /**
   * @param arrived the events that came before
   * @param batch those that come now, at least one
   */
  BitemporalCheck(
      RowValues values,
      NaiveBitemporal before,
      NaiveBitemporal after,
      List<Event<Row>> arrived,
      List<Event<Row>> batch) {
    this.values = values;
    this.before = before;
    this.after = after;
    this.arrived = arrived;
    this.batch = batch;
    this.tracksAll = tracksAll(arrived) && tracksAll(batch);
  }

  /** Whether no two events differ in their untracked columns only. */
  private static boolean tracksAll(List<Event<Row>> events) {
    return events.stream()
        .allMatch(event -> !event.isUpsert() || event.values().untracked().equals(UNTRACKED));
  }

  /** The batch applied to what is read back, in full and in part. */
  void everything() throws InvalidHistoryException {
    History<Row> history =
        History.recover(StorageType.BITEMPORAL, values, before.rows(), before.remembered());
    equal("log read back", history.log(), before.log());
    equal("rows read back", history.versions(), before.rows());
    equal("remembered read back", history.remembered(), before.remembered());
    Changes<Row> changes = history.apply(batch);
    applied(history, changes);
    suffix(changes);
  }

  /** What a history holds that has applied the batch, and what it answered. */
  void applied(History<Row> history, Changes<Row> changes) {
    equal("rows", history.versions(), after.rows());
    equal("log", history.log(), after.log());
    equal("remembered", history.remembered(), after.remembered());
    equal("dropped remembered events", history.droppedRemembered(), false);
    List<Version<Row>> removed = new ArrayList<>(before.rows());
    removed.removeAll(after.rows());
    List<Version<Row>> added = new ArrayList<>(after.rows());
    added.removeAll(before.rows());
    equal("removed", changes.removed(), removed);
    equal("added", changes.added(), added);
    equal("late", changes.late(), late());
  }

  /** The same answer without the rows that were superseded, or ended, before the batch. */
  void suffix(Changes<Row> changes) throws InvalidHistoryException {
    Sequence from = least(Event::sequence);
    Sequence systemFrom = least(Event::systemSequence);
    suffix(changes, Sequence.LOWEST, systemFrom);
    if (tracksAll) {
      suffix(changes, from, systemFrom);
      suffix(changes, from, Sequence.LOWEST);
    }
  }

  private Sequence least(Function<Event<Row>, Sequence> axis) {
    return batch.stream().map(axis).min(Sequence::compareTo).orElseThrow();
  }

  private void suffix(Changes<Row> changes, Sequence from, Sequence systemFrom)
      throws InvalidHistoryException {
    List<Version<Row>> reached =
        before.rows().stream()
            .filter(row -> row.isBelieved() || row.systemEnd().compareTo(systemFrom) >= 0)
            .filter(row -> row.isOpen() || row.end().compareTo(from) >= 0)
            .toList();
    History<Row> suffix =
        History.recoverSuffix(
            StorageType.BITEMPORAL, values, reached, before.remembered(), from, systemFrom);
    equal("rows of the suffix read back", suffix.versions(), reached);
    equal("remembered of the suffix read back", suffix.remembered(), before.remembered());
    Changes<Row> ofSuffix = suffix.apply(batch);
    equal("removed by the suffix", ofSuffix.removed(), changes.removed());
    equal("added by the suffix", ofSuffix.added(), changes.added());
    equal("ties of the suffix", ofSuffix.tiesResolved(), changes.tiesResolved());
    if (from.equals(Sequence.LOWEST)) {
      equal("late events of the suffix", ofSuffix.late(), changes.late());
    }
    equal("remembered of the suffix", suffix.remembered(), after.remembered());
    equal("dropped remembered events of the suffix", suffix.droppedRemembered(), false);
  }

  private int late() {
    Sequence newest = null;
    Sequence latest = null;
    for (Event<Row> event : before.log()) {
      newest = newest == null || event.sequence().compareTo(newest) > 0 ? event.sequence() : newest;
      latest =
          latest == null || event.systemSequence().compareTo(latest) > 0
              ? event.systemSequence()
              : latest;
    }
    int late = 0;
    for (Event<Row> event : batch) {
      boolean older =
          newest != null
              && (event.sequence().compareTo(newest) < 0
                  || event.systemSequence().compareTo(latest) < 0);
      late += older ? 1 : 0;
    }
    return late;
  }

  void equal(String what, Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError(
          "%s%n  after      %s%n  these came %s%n  expected   %s%n  but was    %s"
              .formatted(
                  what,
                  TestEvents.showBitemporal(arrived),
                  TestEvents.showBitemporal(batch),
                  show(expected),
                  show(actual)));
    }
  }

  @SuppressWarnings("unchecked")
  private static Object show(Object value) {
    if (value instanceof List<?> list && !list.isEmpty()) {
      return list.get(0) instanceof Version<?>
          ? TestEvents.showAll((List<Version<Row>>) list)
          : TestEvents.showBitemporal((List<Event<Row>>) list);
    }
    return value;
  }
}
