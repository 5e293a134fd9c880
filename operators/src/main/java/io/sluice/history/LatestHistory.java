package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.List;
import java.util.function.Predicate;

/**
 * SCD type 1 (semantics 5.1): the row exists if the greatest event is an upsert, and has its
 * values. Every other event can be forgotten for good: whatever it would have decided about an
 * event to come, the greatest one decides alike. This holds for ties too, if the greatest event won
 * one: its origin stays, so that a loser which is sent again loses again. A tie at a lower sequence
 * decides nothing.
 */
final class LatestHistory<V> extends History<V> {

  private Event<V> latest;
  private Version<V> row;

  LatestHistory(Values<V> values) {
    super(values, false);
  }

  private LatestHistory(
      Values<V> values, Event<V> latest, Version<V> row, boolean droppedRemembered) {
    super(values, droppedRemembered);
    this.latest = latest;
    this.row = row;
  }

  static <V> LatestHistory<V> recover(
      Values<V> values, List<Version<V>> rows, List<Event<V>> remembered)
      throws InvalidHistoryException {
    Version<V> row = onlyRow(rows);
    Event<V> recovered =
        row == null ? null : Event.upsert(row.start(), row.values(), Origin.UNKNOWN);
    Event<V> latest = recovered;
    for (Event<V> event : remembered) {
      if (latest == null || event.sequence().compareTo(latest.sequence()) >= 0) {
        latest = event;
      }
    }
    boolean rowsFollow =
        row == null
            ? latest == null || !latest.isUpsert()
            : latest.isUpsert()
                && row.startsAt(latest.sequence())
                && values.same(row.values(), latest.values());
    return new LatestHistory<>(values, rowsFollow ? latest : recovered, row, !rowsFollow);
  }

  private static <V> Version<V> onlyRow(List<Version<V>> rows) throws InvalidHistoryException {
    if (rows.size() > 1) {
      throw new InvalidHistoryException(Reason.MORE_THAN_ONE_ROW, rows.get(1), rows.get(0));
    }
    if (rows.isEmpty()) {
      return null;
    }
    Version<V> row = rows.get(0);
    if (row.start() == null) {
      throw new InvalidHistoryException(Reason.NULL_START, row, null);
    }
    return row;
  }

  @Override
  public Changes<V> apply(List<Event<V>> events) {
    Batch<V> batch = new Batch<>(values, events, latest == null ? null : latest.sequence());
    while (batch.hasNext()) {
      int order = latest == null ? 1 : batch.sequence().compareTo(latest.sequence());
      Event<V> winner = batch.settle(order == 0 ? latest : null);
      if (order >= 0) {
        latest = winner;
      }
    }
    return difference(batch);
  }

  @Override
  void truncate(Sequence floor) {
    if (latest != null && latest.sequence().compareTo(floor) < 0) {
      latest = null;
    }
  }

  private Changes<V> difference(Batch<V> batch) {
    Version<V> before = row;
    boolean exists = latest != null && latest.isUpsert();
    boolean unchanged =
        exists
            ? before != null
                && before.startsAt(latest.sequence())
                && values.same(before.values(), latest.values())
            : before == null;
    if (!unchanged) {
      row = exists ? new Version<>(latest.sequence(), null, latest.values()) : null;
    }
    return batch.changes(
        unchanged || before == null ? List.of() : List.of(before),
        unchanged || row == null ? List.of() : List.of(row));
  }

  @Override
  public List<Version<V>> versions() {
    return row == null ? List.of() : List.of(row);
  }

  @Override
  public List<Event<V>> remembered() {
    boolean shown = latest == null || latest.isUpsert() && !latest.origin().isKnown();
    return shown ? List.of() : List.of(latest);
  }

  @Override
  public List<Event<V>> log() {
    return latest == null ? List.of() : List.of(latest);
  }

  @Override
  public int forget(Predicate<Event<V>> expired) {
    if (latest == null || latest.isUpsert() || !expired.test(latest)) {
      return 0;
    }
    latest = null;
    return 1;
  }
}
