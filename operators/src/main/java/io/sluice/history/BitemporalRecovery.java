package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the log of a bitemporal key back. The belief before a system sequence follows from the rows
 * that were believed then, as for SCD 2; from there on the steps are repeated, with the remembered
 * events and with those that the rows which begin or end at a step give away. If the repeated rows
 * are not those of the table, somebody changed them: then the rows alone count.
 */
final class BitemporalRecovery<V> {

  private final Values<V> values;
  private final Sequence from;
  private final List<Version<V>> rows;
  private final List<Event<V>> remembered;
  private final Map<Sequence, Sequence> firstRemembered = new HashMap<>();

  private BitemporalRecovery(
      Values<V> values, Sequence from, List<Version<V>> rows, List<Event<V>> remembered) {
    this.values = values;
    this.from = from;
    this.rows = rows;
    this.remembered = remembered;
    for (Event<V> event : remembered) {
      firstRemembered.merge(
          event.sequence(),
          event.systemSequence(),
          (one, other) -> one.compareTo(other) <= 0 ? one : other);
    }
  }

  /** See {@link History#recoverSuffix}; from {@link Sequence#LOWEST} on it is everything. */
  static <V> BitemporalHistory<V> recover(
      Values<V> values, List<Version<V>> all, List<Event<V>> remembered, Sequence from)
      throws InvalidHistoryException {
    List<Version<V>> rows = new ArrayList<>(all.size());
    for (Version<V> row : all) {
      check(row);
      if (row.isBelieved() || row.systemEnd().compareTo(from) >= 0) {
        rows.add(row);
      }
    }
    if (!remembered.isEmpty()) {
      List<Event<V>> sorted = new ArrayList<>(remembered);
      sorted.sort(BitemporalHistory::comparePositions);
      BitemporalHistory<V> history =
          new BitemporalRecovery<>(values, from, rows, sorted).recover(false);
      if (history != null) {
        return history;
      }
    }
    return new BitemporalRecovery<>(values, from, rows, List.<Event<V>>of())
        .recover(!remembered.isEmpty());
  }

  private static void check(Version<?> row) throws InvalidHistoryException {
    if (row.start() == null) {
      throw new InvalidHistoryException(Reason.NULL_START, row, null);
    }
    if (row.systemStart() == null) {
      throw new InvalidHistoryException(Reason.NULL_SYSTEM_START, row, null);
    }
    if (!row.endsAfter(row.start())) {
      throw new InvalidHistoryException(Reason.EMPTY_INTERVAL, row, null);
    }
    if (!row.isBelieved() && row.systemEnd().compareTo(row.systemStart()) <= 0) {
      throw new InvalidHistoryException(Reason.EMPTY_SYSTEM_INTERVAL, row, null);
    }
  }

  /**
   * The history; null if the rows do not follow from the remembered events.
   *
   * @param dropped whether remembered events have been dropped
   */
  private BitemporalHistory<V> recover(boolean dropped) throws InvalidHistoryException {
    SupersededRows<V> undone = new SupersededRows<>(values);
    BitemporalHistory<V> history = base(undone, dropped);
    if (history == null) {
      return null;
    }
    repeat(history, undone);
    undone.finish();
    if (undone.removed().isEmpty() && undone.added().isEmpty()) {
      return history;
    }
    return remembered.isEmpty() ? withRowsAsTheyAre(history, dropped) : null;
  }

  /** The belief before the first step to repeat. */
  private BitemporalHistory<V> base(SupersededRows<V> undone, boolean dropped)
      throws InvalidHistoryException {
    List<Version<V>> believed = new ArrayList<>();
    ArrayList<BelievedRow<V>> believedRows = new ArrayList<>();
    for (Version<V> row : rows) {
      if (row.systemStart().compareTo(from) >= 0) {
        undone.undo(row);
        continue;
      }
      believed.add(row);
    }
    RowLog<V> rowLog = RowLog.of(values, believed);
    for (Version<V> row : rowLog.rows()) {
      BelievedRow<V> stored = BelievedRow.of(row);
      believedRows.add(stored);
      if (!row.isBelieved()) {
        undone.reopen(stored);
      }
    }
    ArrayList<Event<V>> log = new ArrayList<>(rowLog.events());
    Map<Sequence, Sequence> hiddenFrom = new HashMap<>(firstRemembered);
    hiddenFrom.values().removeIf(step -> step.compareTo(from) >= 0);
    ArrayList<Event<V>> counting = rowLog.events();
    if (!hiddenFrom.isEmpty()) {
      log.removeIf(event -> hiddenFrom.containsKey(event.sequence()));
      Map<Sequence, Event<V>> newest = new HashMap<>();
      for (Event<V> event : rememberedBefore()) {
        newest.put(event.sequence(), event);
        log.add(event);
      }
      counting = rowLog.overlay(List.copyOf(newest.values()));
      if (!rowLog.followFrom(counting)) {
        return null;
      }
      log.sort(BitemporalHistory::comparePositions);
    }
    return new BitemporalHistory<>(
        values,
        log,
        new ArrayList<>(),
        hiddenFrom,
        new Belief<>(values, counting, believedRows),
        null,
        dropped);
  }

  /** What is remembered of the time before; when it was learned is open where rows showed it. */
  private List<Event<V>> rememberedBefore() {
    List<Event<V>> before = new ArrayList<>();
    for (Event<V> event : remembered) {
      if (event.systemSequence().compareTo(from) < 0) {
        before.add(
            event.origin().equals(Origin.ROWS)
                ? event.learnedAt(Sequence.LOWEST).withoutOrigin()
                : event);
      }
    }
    return before;
  }

  private static final class Step<V> {
    final List<Version<V>> begin = new ArrayList<>(2);
    final List<Version<V>> end = new ArrayList<>(2);
    final TreeMap<Sequence, Event<V>> events = new TreeMap<>();
  }

  private void repeat(BitemporalHistory<V> history, SupersededRows<V> undone)
      throws InvalidHistoryException {
    TreeMap<Sequence, Version<V>> now = new TreeMap<>();
    TreeMap<Sequence, Step<V>> steps = new TreeMap<>();
    for (Version<V> row : rows) {
      if (row.systemStart().compareTo(from) >= 0) {
        steps.computeIfAbsent(row.systemStart(), at -> new Step<>()).begin.add(row);
      } else {
        now.put(row.start(), row);
      }
      if (!row.isBelieved()) {
        steps.computeIfAbsent(row.systemEnd(), at -> new Step<>()).end.add(row);
      }
    }
    for (Event<V> event : remembered) {
      if (event.systemSequence().compareTo(from) >= 0 && !event.origin().equals(Origin.ROWS)) {
        steps
            .computeIfAbsent(event.systemSequence(), at -> new Step<>())
            .events
            .put(event.sequence(), event);
      }
    }
    for (Map.Entry<Sequence, Step<V>> entry : steps.entrySet()) {
      Step<V> step = entry.getValue();
      for (Version<V> row : step.end) {
        now.remove(row.start());
      }
      for (Version<V> row : step.begin) {
        checkFits(row, now);
        now.put(row.start(), row);
      }
      infer(entry.getKey(), step, now, history.belief());
      if (!step.events.isEmpty()) {
        history.step(List.copyOf(step.events.values()), undone);
      }
    }
  }

  private static <V> void checkFits(Version<V> row, TreeMap<Sequence, Version<V>> now)
      throws InvalidHistoryException {
    Map.Entry<Sequence, Version<V>> before = now.floorEntry(row.start());
    if (before != null && before.getKey().equals(row.start())) {
      throw new InvalidHistoryException(Reason.SAME_START, row, before.getValue());
    }
    if (before != null && before.getValue().endsAfter(row.start())) {
      throw new InvalidHistoryException(Reason.OVERLAP, before.getValue(), row);
    }
    Map.Entry<Sequence, Version<V>> after = now.higherEntry(row.start());
    if (after != null && row.endsAfter(after.getKey())) {
      throw new InvalidHistoryException(Reason.OVERLAP, row, after.getValue());
    }
  }

  /** Adds the events of a step that its rows give away: at their bounds, as far as all is shown. */
  private void infer(
      Sequence at, Step<V> step, TreeMap<Sequence, Version<V>> now, Belief<V> belief) {
    for (List<Version<V>> changed : List.of(step.end, step.begin)) {
      for (Version<V> row : changed) {
        infer(row.start(), at, step, now, belief);
        if (!row.isOpen()) {
          infer(row.end(), at, step, now, belief);
        }
        if (remembered.isEmpty()) {
          for (Event<V> inside : belief.between(row.start(), row.end())) {
            infer(inside.sequence(), at, step, now, belief);
          }
        }
      }
    }
  }

  private void infer(
      Sequence sequence,
      Sequence at,
      Step<V> step,
      TreeMap<Sequence, Version<V>> now,
      Belief<V> belief) {
    Sequence known = firstRemembered.get(sequence);
    if (known != null && known.compareTo(at) <= 0) {
      return;
    }
    Event<V> counts = belief.at(sequence);
    Version<V> row = rowAround(sequence, now);
    boolean right;
    if (row == null) {
      right = counts != null && !counts.isUpsert();
    } else if (row.startsAt(sequence)) {
      right = counts != null && counts.isUpsert() && values.same(counts.values(), row.values());
    } else {
      right =
          counts == null || counts.isUpsert() && values.sameTracked(counts.values(), row.values());
    }
    boolean bound = row != null || counts != null || endsAt(sequence, now);
    if (!right && bound) {
      Event<V> inferred =
          row == null
              ? Event.delete(sequence, Origin.UNKNOWN)
              : Event.upsert(sequence, row.values(), Origin.UNKNOWN);
      step.events.put(sequence, inferred.learnedAt(at));
    }
  }

  private static <V> Version<V> rowAround(Sequence sequence, TreeMap<Sequence, Version<V>> now) {
    Map.Entry<Sequence, Version<V>> before = now.floorEntry(sequence);
    return before != null && before.getValue().endsAfter(sequence) ? before.getValue() : null;
  }

  private static <V> boolean endsAt(Sequence sequence, TreeMap<Sequence, Version<V>> now) {
    Map.Entry<Sequence, Version<V>> before = now.lowerEntry(sequence);
    return before != null && sequence.equals(before.getValue().end());
  }

  /** Rows of others that no log gives stay until an event touches them. */
  private BitemporalHistory<V> withRowsAsTheyAre(BitemporalHistory<V> history, boolean dropped) {
    ArrayList<Version<V>> superseded = new ArrayList<>();
    ArrayList<BelievedRow<V>> believed = new ArrayList<>();
    Sequence latest = null;
    for (Version<V> row : rows) {
      if (row.isBelieved()) {
        believed.add(BelievedRow.of(row));
      } else {
        superseded.add(row);
      }
      Sequence step = row.isBelieved() ? row.systemStart() : row.systemEnd();
      boolean newer = latest == null || step.compareTo(latest) > 0;
      latest = newer && step.compareTo(from) >= 0 ? step : latest;
    }
    superseded.sort(Comparator.comparing(Version::systemEnd));
    believed.sort(Comparator.comparing(row -> row.start));
    return new BitemporalHistory<>(
        values,
        new ArrayList<>(history.log()),
        superseded,
        new HashMap<>(),
        new Belief<>(values, new ArrayList<>(history.belief().counting()), believed),
        latest,
        dropped);
  }
}
