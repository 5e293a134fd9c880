package io.sluice.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * SCD type 2 (semantics 6.1): neighbouring upserts that agree in all tracked columns are a run, and
 * each run is one row that starts at its first event, ends at the first event behind it and has the
 * values of its last one. Deletes give no row.
 *
 * <p>Log and rows are sorted arrays. An event changes nothing before the event that it follows, so
 * evaluation goes on from there: in-order events cost the same however long the history is, a late
 * event costs the part of the log behind it.
 *
 * <p>With partial updates an event counts by its complete columns, the inherited ones included
 * (semantics 8.3).
 */
final class VersionedHistory<V> extends History<V> {

  private final ArrayList<Event<V>> log;
  private final ArrayList<Version<V>> rows;

  /** The complete columns from each event of the log on; null where they are those of the event. */
  private final ArrayList<V> effective;

  VersionedHistory(Values<V> values) {
    this(
        values,
        new ArrayList<>(0),
        new ArrayList<>(0),
        values.arePartial() ? new ArrayList<>(0) : null,
        false);
  }

  private VersionedHistory(
      Values<V> values,
      ArrayList<Event<V>> log,
      ArrayList<Version<V>> rows,
      ArrayList<V> effective,
      boolean droppedRemembered) {
    super(values, droppedRemembered);
    this.log = log;
    this.rows = rows;
    this.effective = effective;
  }

  static <V> VersionedHistory<V> recover(
      Values<V> values, List<Version<V>> rows, List<Event<V>> remembered)
      throws InvalidHistoryException {
    RowLog<V> rowLog = RowLog.of(values, rows);
    ArrayList<Event<V>> log = remembered.isEmpty() ? rowLog.events() : rowLog.overlay(remembered);
    ArrayList<V> effective = values.arePartial() ? rowLog.effective(log) : null;
    boolean rowsFollow =
        remembered.isEmpty() && !rowLog.hasPartialRows() || rowLog.followFrom(log, effective);
    if (!rowsFollow) {
      log = values.arePartial() ? rowLog.completeEvents() : rowLog.events();
      effective = values.arePartial() ? rowLog.effective(log) : null;
    }
    return new VersionedHistory<>(
        values, log, rowLog.rows(), effective, !rowsFollow && !remembered.isEmpty());
  }

  @Override
  public Changes<V> apply(List<Event<V>> events) {
    Batch<V> batch = new Batch<>(values, events, newest());
    int changed = merge(batch);
    if (changed == log.size()) {
      return batch.changes(List.of(), List.of());
    }
    int kept = changed == 0 ? 0 : Sorted.rowsUpTo(rows, log.get(changed - 1).sequence());
    Version<V> open = null;
    if (changed > 0 && log.get(changed - 1).isUpsert()) {
      kept--;
      open = rows.get(kept);
    }
    RowDifference<V> difference = new RowDifference<>(values, rows, kept);
    difference.replaceBy(evaluate(open, changed));
    return batch.changes(difference.removed(), difference.added());
  }

  @Override
  void truncate(Sequence floor) {
    throw new UnsupportedOperationException("SCD type 2 has no floor (semantics 0.8)");
  }

  private Sequence newest() {
    return log.isEmpty() ? null : log.get(log.size() - 1).sequence();
  }

  /** Merges events into the log; returns the first position that changed, the size if none did. */
  private int merge(Batch<V> batch) {
    if (!batch.hasNext()) {
      return log.size();
    }
    int first = Sorted.firstFrom(log, batch.sequence());
    List<Event<V>> behind = Sorted.cut(log, first);
    log.ensureCapacity(first + behind.size() + batch.remaining());
    int changed = -1;
    int next = 0;
    while (batch.hasNext()) {
      Sequence sequence = batch.sequence();
      while (next < behind.size() && behind.get(next).sequence().compareTo(sequence) < 0) {
        log.add(behind.get(next++));
      }
      boolean held = next < behind.size() && behind.get(next).sequence().equals(sequence);
      Event<V> holder = held ? behind.get(next++) : null;
      Event<V> winner = batch.settle(holder);
      if (winner != holder && changed < 0) {
        changed = log.size();
      }
      log.add(winner);
    }
    while (next < behind.size()) {
      log.add(behind.get(next++));
    }
    return changed < 0 ? log.size() : changed;
  }

  /**
   * The rows from a position of the log on, whose complete columns are computed anew.
   *
   * @param resumed the row whose run reaches up to that position; null if a delete or nothing is
   *     there
   */
  private List<Version<V>> evaluate(Version<V> resumed, int from) {
    List<Version<V>> fresh = new ArrayList<>(log.size() - from + 1);
    Sequence start = resumed == null ? null : resumed.start();
    V last = from == 0 ? null : effective(from - 1);
    if (effective != null) {
      Sorted.cut(effective, from);
    }
    for (int i = from; i < log.size(); i++) {
      Event<V> event = log.get(i);
      V columns = effective == null ? event.values() : Inheritance.next(values, last, event);
      boolean extendsRun = start != null && columns != null && values.sameTracked(last, columns);
      if (!extendsRun) {
        if (start != null) {
          fresh.add(new Version<>(start, event.sequence(), last));
        }
        start = event.isUpsert() ? event.sequence() : null;
      }
      last = columns;
      if (effective != null) {
        effective.add(columns);
      }
    }
    if (start != null) {
      fresh.add(new Version<>(start, null, last));
    }
    return fresh;
  }

  private V effective(int position) {
    return effective == null ? log.get(position).values() : effective.get(position);
  }

  @Override
  public List<Version<V>> versions() {
    return List.copyOf(rows);
  }

  @Override
  public List<Event<V>> log() {
    return List.copyOf(log);
  }

  @Override
  public List<Event<V>> remembered() {
    List<Event<V>> remembered = List.of();
    RowCursor<V> cursor = new RowCursor<>(rows);
    for (Event<V> event : log) {
      boolean shown = cursor.moveTo(event.sequence());
      if (!shown || event.origin().isKnown() || !cursor.gives(event, values)) {
        if (remembered.isEmpty()) {
          remembered = new ArrayList<>(4);
        }
        remembered.add(event);
      }
    }
    return remembered;
  }

  @Override
  public int forget(Predicate<Event<V>> expired) {
    ArrayList<Event<V>> kept = new ArrayList<>(log.size());
    ArrayList<V> keptColumns = new ArrayList<>(effective == null ? 0 : log.size());
    RowCursor<V> cursor = new RowCursor<>(rows);
    for (int i = 0; i < log.size(); i++) {
      Event<V> event = log.get(i);
      boolean shown = cursor.moveTo(event.sequence());
      boolean lastOfRun =
          event.isUpsert()
              && (i + 1 == log.size() || !cursor.row().endsAfter(log.get(i + 1).sequence()));
      boolean needed = shown || lastOfRun || isInherited(i, keptColumns);
      if (needed || !expired.test(event)) {
        kept.add(event);
        if (effective != null) {
          keptColumns.add(effective.get(i));
        }
      }
    }
    int forgotten = log.size() - kept.size();
    if (forgotten > 0) {
      log.clear();
      log.addAll(kept);
      if (effective != null) {
        effective.clear();
        effective.addAll(keptColumns);
      }
    }
    return forgotten;
  }

  /** Whether the event behind would have other columns without the one at a position. */
  private boolean isInherited(int position, List<V> keptColumns) {
    if (effective == null || position + 1 == log.size() || !log.get(position).isUpsert()) {
      return false;
    }
    Event<V> next = log.get(position + 1);
    V before = keptColumns.isEmpty() ? null : keptColumns.get(keptColumns.size() - 1);
    return next.isUpsert()
        && !values.same(
            Inheritance.next(values, before, next),
            Inheritance.next(values, effective.get(position), next));
  }
}
