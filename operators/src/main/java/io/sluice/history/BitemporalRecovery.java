package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the log of a bitemporal key back, the whole of it or the part from a system sequence and a
 * sequence on. The belief before the system sequence follows from the rows that were believed then,
 * as for SCD 2; from there on the steps are repeated, with the remembered events and with those
 * that the rows which begin or end at a step give away. If the repeated rows are not those of the
 * table, somebody changed them: then the rows alone count.
 */
final class BitemporalRecovery<V> {

  private final Values<V> values;
  private final Sequence from;
  private final LeftEdge<V> edge;
  private final List<Version<V>> rows;
  private final List<Event<V>> remembered;
  private final Map<Sequence, Sequence> firstRemembered = new HashMap<>();

  /**
   * @param remembered the events at or behind the edge, by system sequence
   */
  private BitemporalRecovery(
      Values<V> values,
      Sequence from,
      LeftEdge<V> edge,
      List<Version<V>> rows,
      List<Event<V>> remembered) {
    this.values = values;
    this.from = from;
    this.edge = edge;
    this.rows = rows;
    this.remembered = remembered;
    for (Event<V> event : remembered) {
      firstRemembered.merge(
          event.sequence(),
          event.systemSequence(),
          (one, other) -> one.compareTo(other) <= 0 ? one : other);
    }
  }

  /**
   * See {@link History#recoverSuffix}.
   *
   * @param from least sequence of the events to come; not {@link Sequence#LOWEST} only where all
   *     columns are tracked
   * @param systemFrom their least system sequence
   */
  static <V> BitemporalHistory<V> recover(
      Values<V> values,
      List<Version<V>> all,
      List<Event<V>> remembered,
      Sequence from,
      Sequence systemFrom)
      throws InvalidHistoryException {
    List<Version<V>> rows = new ArrayList<>(all.size());
    for (Version<V> row : all) {
      check(row);
      if ((row.isBelieved() || row.systemEnd().compareTo(systemFrom) >= 0)
          && (row.isOpen() || row.end().compareTo(from) >= 0)) {
        rows.add(row);
      }
    }
    List<Event<V>> reached = new ArrayList<>(remembered.size());
    List<Event<V>> left = new ArrayList<>(0);
    for (Event<V> event : remembered) {
      (event.sequence().compareTo(from) < 0 ? left : reached).add(event);
    }
    if (!reached.isEmpty()) {
      reached.sort(BitemporalHistory::comparePositions);
      LeftEdge<V> edge = new LeftEdge<>(from, new TreeMap<>(), left);
      BitemporalHistory<V> history =
          new BitemporalRecovery<>(values, systemFrom, edge, rows, reached).recover(false);
      if (history != null) {
        return history;
      }
    }
    LeftEdge<V> edge = new LeftEdge<>(from, new TreeMap<>(), left);
    return new BitemporalRecovery<>(values, systemFrom, edge, rows, List.<Event<V>>of())
        .recover(!reached.isEmpty());
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
      BelievedRow<V> stored = BelievedRow.of(row, values);
      believedRows.add(stored);
      if (!row.isBelieved()) {
        undone.reopen(stored);
      }
    }
    noteHead(Sequence.LOWEST, rowLog.rows().isEmpty() ? null : rowLog.rows().get(0));
    ArrayList<Event<V>> log = new ArrayList<>(rowLog.events());
    log.removeIf(event -> edge.hides(event.sequence()));
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
      List<V> complete = values.arePartial() ? Inheritance.effective(values, counting) : null;
      if (!rowLog.followFrom(counting, complete)) {
        return null;
      }
      log.sort(BitemporalHistory::comparePositions);
    }
    return new BitemporalHistory<>(
        values,
        log,
        new ArrayList<>(),
        hiddenFrom,
        edge,
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
    ShownRows<V> now = new ShownRows<>();
    TreeMap<Sequence, Step<V>> steps = new TreeMap<>();
    for (Version<V> row : rows) {
      if (row.systemStart().compareTo(from) >= 0) {
        steps.computeIfAbsent(row.systemStart(), at -> new Step<>()).begin.add(row);
      } else {
        now.put(row);
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
        now.end(row);
      }
      for (Version<V> row : step.begin) {
        now.begin(row);
      }
      boolean turned = noteHead(entry.getKey(), now.first());
      infer(entry.getKey(), step, now, history.belief());
      if (turned || !step.events.isEmpty()) {
        history.step(entry.getKey(), List.copyOf(step.events.values()), undone);
      }
    }
  }

  /**
   * Notes the head of the row that reaches over the edge, if it is another one than before.
   *
   * @param first the first row at this step, or null
   */
  private boolean noteHead(Sequence step, Version<V> first) {
    Event<V> head =
        first == null || !edge.hides(first.start())
            ? null
            : Event.upsert(first.start(), first.values(), Origin.UNKNOWN);
    Map.Entry<Sequence, Event<V>> last = edge.heads().lastEntry();
    Event<V> before = last == null ? null : last.getValue();
    boolean same =
        before == null || head == null
            ? before == head
            : before.sequence().equals(head.sequence())
                && values.same(before.values(), head.values());
    if (!same) {
      edge.heads().put(step, head);
    }
    return !same;
  }

  /** Adds the events of a step that its rows give away: at their bounds, as far as all is shown. */
  private void infer(Sequence at, Step<V> step, ShownRows<V> now, Belief<V> belief) {
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
      Sequence sequence, Sequence at, Step<V> step, ShownRows<V> now, Belief<V> belief) {
    Sequence known = firstRemembered.get(sequence);
    if (edge.hides(sequence) || known != null && known.compareTo(at) <= 0) {
      return;
    }
    Event<V> counts = belief.at(sequence);
    Version<V> row = now.around(sequence);
    boolean right;
    if (row == null) {
      right = counts != null && !counts.isUpsert();
    } else if (row.startsAt(sequence)) {
      right = counts != null && counts.isUpsert() && values.same(counts.values(), row.values());
    } else {
      right =
          counts == null || counts.isUpsert() && values.sameTracked(counts.values(), row.values());
    }
    boolean bound = row != null || counts != null || now.endAt(sequence);
    if (!right && bound) {
      Event<V> inferred =
          row == null
              ? Event.delete(sequence, Origin.UNKNOWN)
              : Event.upsert(sequence, row.values(), Origin.UNKNOWN);
      step.events.put(sequence, inferred.learnedAt(at));
    }
  }

  /** Rows of others that no log gives stay until an event touches them. */
  private BitemporalHistory<V> withRowsAsTheyAre(BitemporalHistory<V> history, boolean dropped) {
    ArrayList<Version<V>> superseded = new ArrayList<>();
    ArrayList<BelievedRow<V>> believed = new ArrayList<>();
    Sequence latest = null;
    for (Version<V> row : rows) {
      if (row.isBelieved()) {
        believed.add(BelievedRow.of(row, values));
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
        edge,
        new Belief<>(values, new ArrayList<>(history.belief().counting()), believed),
        latest,
        dropped);
  }
}
