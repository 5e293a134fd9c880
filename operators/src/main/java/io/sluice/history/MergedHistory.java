package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * SCD type 1 with partial updates (semantics 8.2): the row exists if the greatest event is an
 * upsert, and each of its leaves has the value of the greatest event that authored it since the
 * newest delete.
 *
 * <p>The log is compacted to what may still count: the greatest event, and of the others those that
 * author a leaf which no later event authors, down to the newest delete (that stays, so that
 * nothing older shows through) or to a complete event. So it never has more events than there are
 * leaves, and two. Whatever is dropped would decide nothing about an event to come either.
 */
final class MergedHistory<V> extends History<V> {

  private ArrayList<Event<V>> log;
  private Version<V> row;

  MergedHistory(Values<V> values) {
    this(values, new ArrayList<>(0), null, false);
  }

  private MergedHistory(
      Values<V> values, ArrayList<Event<V>> log, Version<V> row, boolean droppedRemembered) {
    super(values, droppedRemembered);
    this.log = log;
    this.row = row;
  }

  /**
   * A row counts as an event at its sequence that authors all columns that the table had when the
   * row was written, unless one is remembered there.
   */
  static <V> MergedHistory<V> recover(
      Values<V> values, List<Version<V>> rows, List<Event<V>> remembered)
      throws InvalidHistoryException {
    if (rows.size() > 1) {
      throw new InvalidHistoryException(Reason.MORE_THAN_ONE_ROW, rows.get(1), rows.get(0));
    }
    Version<V> row = rows.isEmpty() ? null : rows.get(0);
    if (row != null && row.start() == null) {
      throw new InvalidHistoryException(Reason.NULL_START, row, null);
    }
    ArrayList<Event<V>> log = new ArrayList<>(remembered);
    log.sort(Comparator.comparing(Event::sequence));
    if (row != null) {
      int at = Sorted.firstFrom(log, row.start());
      if (at == log.size() || !log.get(at).sequence().equals(row.start())) {
        log.add(at, Event.upsert(row.start(), row.values(), Origin.UNKNOWN));
      }
    }
    MergedHistory<V> history = new MergedHistory<>(values, log, row, false);
    if (history.isSame(row, history.evaluate())) {
      return history;
    }
    ArrayList<Event<V>> ofRow = new ArrayList<>(1);
    if (row != null) {
      ofRow.add(Event.upsert(row.start(), row.values(), Origin.UNKNOWN));
    }
    return new MergedHistory<>(values, ofRow, row, !remembered.isEmpty());
  }

  @Override
  public Changes<V> apply(List<Event<V>> events) {
    Batch<V> batch =
        new Batch<>(values, events, log.isEmpty() ? null : log.get(log.size() - 1).sequence());
    while (batch.hasNext()) {
      Sequence sequence = batch.sequence();
      int at = Sorted.firstFrom(log, sequence);
      boolean held = at < log.size() && log.get(at).sequence().equals(sequence);
      Event<V> winner = batch.settle(held ? log.get(at) : null);
      if (held) {
        log.set(at, winner);
      } else {
        log.add(at, winner);
      }
    }
    compact();
    Version<V> before = row;
    Version<V> after = evaluate();
    if (isSame(before, after)) {
      return batch.changes(List.of(), List.of());
    }
    row = after;
    return batch.changes(
        before == null ? List.of() : List.of(before), after == null ? List.of() : List.of(after));
  }

  private void compact() {
    BitSet covered = new BitSet();
    boolean allCovered = false;
    ArrayList<Event<V>> kept = new ArrayList<>(log.size());
    for (int i = log.size() - 1; i >= 0 && !allCovered; i--) {
      Event<V> event = log.get(i);
      BitSet authored = event.isUpsert() ? values.authored(event.values()) : null;
      boolean isNeeded = kept.isEmpty() || authored == null || !isWithin(authored, covered);
      if (isNeeded) {
        kept.add(0, event);
      }
      if (authored != null) {
        covered.or(authored);
      }
      allCovered = authored == null || covered.cardinality() == values.leaves();
    }
    log = kept;
  }

  private static boolean isWithin(BitSet part, BitSet whole) {
    BitSet rest = (BitSet) part.clone();
    rest.andNot(whole);
    return rest.isEmpty();
  }

  private Version<V> evaluate() {
    if (log.isEmpty()) {
      return null;
    }
    List<V> effective = Inheritance.effective(values, log);
    V last = effective.get(effective.size() - 1);
    return last == null ? null : new Version<>(log.get(log.size() - 1).sequence(), null, last);
  }

  private boolean isSame(Version<V> left, Version<V> right) {
    return left == null || right == null
        ? left == right
        : left.startsAt(right.start())
            && values.same(values.complete(left.values()), values.complete(right.values()));
  }

  @Override
  void truncate(Sequence floor) {
    log.subList(0, Sorted.firstFrom(log, floor)).clear();
  }

  @Override
  public List<Version<V>> versions() {
    return row == null ? List.of() : List.of(row);
  }

  @Override
  public List<Event<V>> remembered() {
    boolean shown =
        log.size() == 1
            && log.get(0).isUpsert()
            && !log.get(0).origin().isKnown()
            && values.same(row.values(), log.get(0).values());
    return shown ? List.of() : List.copyOf(log);
  }

  @Override
  public List<Event<V>> log() {
    return List.copyOf(log);
  }

  /** Only a delete may go, which is the first event of the log if there is one. */
  @Override
  public int forget(Predicate<Event<V>> expired) {
    if (log.isEmpty() || log.get(0).isUpsert() || !expired.test(log.get(0))) {
      return 0;
    }
    log.remove(0);
    return 1;
  }
}
