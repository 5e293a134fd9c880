package io.sluice.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An event that a table and its companion remember, and what became of it.
 *
 * @param event the event
 * @param fate what it means for the rows
 * @param row the visible row that begins or ends with it, or whose run absorbed it; empty for the
 *     other fates
 * @param givesValues whether the row has its values: it is the last event of the run
 * @param <V> the columns outside the key
 */
public record ExplainedEvent<V>(
    Event<V> event, Fate fate, Optional<Version<V>> row, boolean givesValues) {

  /** Whether the event met another one at its sequence and stayed (semantics 0.2). */
  public boolean wonTie() {
    return fate != Fate.TIE_LOST && fate != Fate.OVERRULED && event.origin().isKnown();
  }

  /**
   * The fates of all events of a key, by sequence.
   *
   * @param history the key's history as it was recovered
   * @param remembered the events that the companion holds; one that is not in the log lost against
   *     the event that has its sequence, or against rows that somebody changed
   */
  public static <V> List<ExplainedEvent<V>> of(History<V> history, List<Event<V>> remembered) {
    List<Event<V>> log = history.log();
    List<Version<V>> rows = history.versions();
    List<ExplainedEvent<V>> explained = new ArrayList<>(log.size());
    for (int i = 0; i < log.size(); i++) {
      Event<V> next = i + 1 < log.size() ? log.get(i + 1) : null;
      explained.add(of(log.get(i), next, rows));
    }
    for (Event<V> event : remembered) {
      if (log.stream().noneMatch(each -> isSame(history.values, each, event))) {
        boolean met = log.stream().anyMatch(each -> each.sequence().equals(event.sequence()));
        Fate fate = met ? Fate.TIE_LOST : Fate.OVERRULED;
        explained.add(new ExplainedEvent<>(event, fate, Optional.empty(), false));
      }
    }
    explained.sort((left, right) -> left.event.sequence().compareTo(right.event.sequence()));
    return explained;
  }

  private static <V> ExplainedEvent<V> of(Event<V> event, Event<V> next, List<Version<V>> rows) {
    Sequence at = event.sequence();
    int upTo = Sorted.rowsUpTo(rows, at);
    Version<V> row = upTo == 0 ? null : rows.get(upTo - 1);
    if (!event.isUpsert()) {
      boolean ends = row != null && at.equals(row.end());
      return new ExplainedEvent<>(
          event,
          ends ? Fate.ROW_END : Fate.TOMBSTONE,
          Optional.ofNullable(ends ? row : null),
          false);
    }
    Objects.requireNonNull(row, "an upsert of a log lies in a row");
    boolean last = next == null || !row.endsAfter(next.sequence());
    Fate fate = row.startsAt(at) ? Fate.VISIBLE_ROW : Fate.ABSORBED;
    return new ExplainedEvent<>(event, fate, Optional.of(row), last);
  }

  private static <V> boolean isSame(Values<V> values, Event<V> left, Event<V> right) {
    return left.sequence().equals(right.sequence())
        && left.kind() == right.kind()
        && (!left.isUpsert() || values.same(left.values(), right.values()));
  }
}
