package io.sluice.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Compares a bitemporal history with the oracle before and after a batch; fast unless it fails. */
final class BitemporalCheck<V> {

  private final Values<V> values;
  private final NaiveBitemporal<V> before;
  private final NaiveBitemporal<V> after;
  private final List<Event<V>> arrived;
  private final List<Event<V>> batch;
  private final boolean tracksAll;

  /**
   * @param arrived the events that came before
   * @param batch those that come now, at least one
   */
  BitemporalCheck(
      BitemporalWorld<V> world,
      NaiveBitemporal<V> before,
      NaiveBitemporal<V> after,
      List<Event<V>> arrived,
      List<Event<V>> batch) {
    this.values = world.values();
    this.before = before;
    this.after = after;
    this.arrived = arrived;
    this.batch = batch;
    this.tracksAll = world.tracksAll().test(arrived) && world.tracksAll().test(batch);
  }

  /** The batch applied to what is read back, in full and in part. */
  void everything() throws InvalidHistoryException {
    History<V> history =
        History.recover(StorageType.BITEMPORAL, values, before.rows(), before.remembered());
    equal("log read back", history.log(), before.log());
    equal("rows read back", history.versions(), before.rows());
    equal("remembered read back", history.remembered(), before.remembered());
    Changes<V> changes = history.apply(batch);
    applied(history, changes);
    suffix(changes);
  }

  /** What a history holds that has applied the batch, and what it answered. */
  void applied(History<V> history, Changes<V> changes) {
    equal("rows", history.versions(), after.rows());
    equal("log", history.log(), after.log());
    equal("remembered", history.remembered(), after.remembered());
    equal("dropped remembered events", history.droppedRemembered(), false);
    List<Version<V>> removed = new ArrayList<>(before.rows());
    removed.removeAll(after.rows());
    List<Version<V>> added = new ArrayList<>(after.rows());
    added.removeAll(before.rows());
    equal("removed", changes.removed(), removed);
    equal("added", changes.added(), added);
    equal("late", changes.late(), late());
  }

  /** The same answer without the rows that were superseded, or ended, before the batch. */
  void suffix(Changes<V> changes) throws InvalidHistoryException {
    Sequence from = least(Event::sequence);
    Sequence systemFrom = least(Event::systemSequence);
    suffix(changes, Sequence.LOWEST, systemFrom);
    if (tracksAll) {
      suffix(changes, from, systemFrom);
      suffix(changes, from, Sequence.LOWEST);
    }
  }

  private Sequence least(Function<Event<V>, Sequence> axis) {
    return batch.stream().map(axis).min(Sequence::compareTo).orElseThrow();
  }

  private void suffix(Changes<V> changes, Sequence from, Sequence systemFrom)
      throws InvalidHistoryException {
    List<Version<V>> reached =
        before.rows().stream()
            .filter(row -> row.isBelieved() || row.systemEnd().compareTo(systemFrom) >= 0)
            .filter(row -> row.isOpen() || row.end().compareTo(from) >= 0)
            .toList();
    History<V> suffix =
        History.recoverSuffix(
            StorageType.BITEMPORAL, values, reached, before.remembered(), from, systemFrom);
    equal("rows of the suffix read back", suffix.versions(), reached);
    equal("remembered of the suffix read back", suffix.remembered(), before.remembered());
    Changes<V> ofSuffix = suffix.apply(batch);
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
    for (Event<V> event : before.log()) {
      newest = newest == null || event.sequence().compareTo(newest) > 0 ? event.sequence() : newest;
      latest =
          latest == null || event.systemSequence().compareTo(latest) > 0
              ? event.systemSequence()
              : latest;
    }
    int late = 0;
    for (Event<V> event : batch) {
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
          ? TestEvents.showAll((List<Version<Object>>) list)
          : TestEvents.showBitemporal((List<Event<Object>>) list);
    }
    return value;
  }
}
