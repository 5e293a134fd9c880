package io.sluice.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Bitemporal (semantics 10.2): at each system time the belief is the SCD 2 history of the events
 * learned until then, of those with one sequence only the one learned last. A row is one business
 * row and the longest system interval in which it was part of the belief.
 *
 * <p>The log is sorted by system sequence. Events that are learned after all others go into the
 * current {@link Belief} and change only the rows around them, wherever they lie on the business
 * axis. An event that is late on the system axis takes the belief back to before it and repeats the
 * steps from there; what comes out as it was is left alone.
 *
 * <p>Partial updates: every belief is the SCD 2 history with inheritance (semantics 8.3) of the
 * events that count in it. So what an event does not write it has from the event before it on the
 * business axis, as that was known at each system time.
 */
final class BitemporalHistory<V> extends History<V> {

  private final ArrayList<Event<V>> log;
  private final ArrayList<Version<V>> superseded;
  private final Map<Sequence, Sequence> hiddenFrom;
  private final LeftEdge<V> edge;
  private Belief<V> belief;
  private Sequence latest;

  /**
   * @param log events by system sequence, then sequence
   * @param superseded rows that are believed no more, by system end
   * @param hiddenFrom per sequence the first step at which the rows do not show what counts there
   * @param edge what is known of the business time before
   * @param belief the current one; its rows have their stored form
   * @param latest the newest step; null if there is none
   */
  BitemporalHistory(
      Values<V> values,
      ArrayList<Event<V>> log,
      ArrayList<Version<V>> superseded,
      Map<Sequence, Sequence> hiddenFrom,
      LeftEdge<V> edge,
      Belief<V> belief,
      Sequence latest,
      boolean droppedRemembered) {
    super(values, droppedRemembered);
    this.log = log;
    this.superseded = superseded;
    this.hiddenFrom = hiddenFrom;
    this.edge = edge;
    this.belief = belief;
    this.latest = latest;
  }

  static <V> BitemporalHistory<V> empty(Values<V> values) {
    return new BitemporalHistory<>(
        values,
        new ArrayList<>(0),
        new ArrayList<>(0),
        new HashMap<>(0),
        LeftEdge.none(),
        new Belief<>(values, new ArrayList<>(0), new ArrayList<>(0)),
        null,
        false);
  }

  @Override
  public Changes<V> apply(List<Event<V>> events) {
    Batch<V> batch = new Batch<>(values, events, BitemporalHistory::comparePositions, this::isLate);
    if (!batch.hasNext()) {
      return batch.changes(List.of(), List.of());
    }
    SupersededRows<V> rows = new SupersededRows<>(values);
    Sequence from = batch.systemSequence();
    boolean inOrder = latest == null || from.compareTo(latest) > 0;
    List<Event<V>> repeated = inOrder ? List.of() : takeBack(from, rows);
    Sequence turn = inOrder ? null : edge.nextChange(from);
    List<Event<V>> step = new ArrayList<>(2);
    int next = 0;
    while (batch.hasNext() || next < repeated.size()) {
      Event<V> holder = next < repeated.size() ? repeated.get(next) : null;
      int order = holder == null ? -1 : batch.hasNext() ? compareNext(batch, holder) : 1;
      Event<V> event = order > 0 ? holder : batch.settle(order == 0 ? holder : null);
      next += order >= 0 ? 1 : 0;
      if (!step.isEmpty() && !step.get(0).systemSequence().equals(event.systemSequence())) {
        turn = steps(turn, step, rows);
        step.clear();
      }
      step.add(event);
    }
    turn = steps(turn, step, rows);
    while (turn != null) {
      step(turn, List.of(), rows);
      turn = edge.changeBehind(turn);
    }
    rows.finish();
    return batch.changes(rows.removed(), rows.added());
  }

  /** Takes the turns of the edge before a step, then the step; returns the turn behind it. */
  private Sequence steps(Sequence turn, List<Event<V>> events, SupersededRows<V> rows) {
    Sequence step = events.get(0).systemSequence();
    Sequence next = turn;
    while (next != null && next.compareTo(step) < 0) {
      step(next, List.of(), rows);
      next = edge.changeBehind(next);
    }
    step(step, events, rows);
    return next != null && next.equals(step) ? edge.changeBehind(next) : next;
  }

  @Override
  void truncate(Sequence floor) {
    throw new UnsupportedOperationException("bitemporal targets have no floor (semantics 0.8)");
  }

  private static <V> int compareNext(Batch<V> batch, Event<V> event) {
    int order = batch.systemSequence().compareTo(event.systemSequence());
    return order != 0 ? order : batch.sequence().compareTo(event.sequence());
  }

  /** The order of the log: when it was learned, then where it stands. */
  static int comparePositions(Event<?> left, Event<?> right) {
    int order = left.systemSequence().compareTo(right.systemSequence());
    return order != 0 ? order : left.sequence().compareTo(right.sequence());
  }

  private boolean isLate(Event<V> event) {
    List<Event<V>> counting = belief.counting();
    return !counting.isEmpty()
            && event.sequence().compareTo(counting.get(counting.size() - 1).sequence()) < 0
        || latest != null && event.systemSequence().compareTo(latest) < 0;
  }

  /**
   * Moves on by one step.
   *
   * @param events its events by sequence; none if only the head of the edge changes
   * @param rows is told what becomes of the rows
   */
  void step(Sequence step, List<Event<V>> events, SupersededRows<V> rows) {
    latest = step;
    belief.begin(step);
    if (edge.heads().containsKey(step)) {
      belief.setHead(edge.heads().get(step), edge.at());
    }
    for (Event<V> event : events) {
      log.add(event);
      if (!belief.put(event)) {
        hiddenFrom.putIfAbsent(event.sequence(), latest);
      }
    }
    for (BelievedRow<V> row : belief.closed()) {
      superseded.add(rows.close(row, latest));
      noteHidden(belief.at(row.start));
      if (row.end != null) {
        noteHidden(belief.at(row.end));
      }
    }
    for (BelievedRow<V> row : belief.opened()) {
      if (row.believed) {
        rows.opened(row);
      }
    }
    events.forEach(this::noteHidden);
  }

  private void noteHidden(Event<V> event) {
    if (event != null
        && !edge.hides(event.sequence())
        && !hiddenFrom.containsKey(event.sequence())
        && (event.origin().isKnown() || isPartial(event) || !belief.shows(event))) {
      hiddenFrom.put(event.sequence(), latest);
    }
  }

  /** Rows never show which columns an event wrote. */
  private boolean isPartial(Event<V> event) {
    return values.arePartial() && event.isUpsert() && values.authored(event.values()) != null;
  }

  /** Goes back to the belief before a step; returns the events of the steps that are undone. */
  private List<Event<V>> takeBack(Sequence from, SupersededRows<V> undone) {
    int first = firstLearnedFrom(from);
    List<Event<V>> repeated = Sorted.cut(log, first);
    belief = new Belief<>(values, countingBefore(from, repeated), rowsBefore(from, undone));
    hiddenFrom.values().removeIf(step -> step.compareTo(from) >= 0);
    return repeated;
  }

  private int firstLearnedFrom(Sequence from) {
    int first = log.size();
    while (first > 0 && log.get(first - 1).systemSequence().compareTo(from) >= 0) {
      first--;
    }
    return first;
  }

  private ArrayList<Event<V>> countingBefore(Sequence from, List<Event<V>> repeated) {
    Set<Sequence> places = new HashSet<>();
    repeated.forEach(event -> places.add(event.sequence()));
    Map<Sequence, Event<V>> earlier = new HashMap<>();
    for (Event<V> event : log) {
      if (places.contains(event.sequence())) {
        earlier.put(event.sequence(), event);
      }
    }
    ArrayList<Event<V>> counting = new ArrayList<>(belief.counting().size());
    Event<V> head = edge.headBefore(from);
    if (head != null) {
      counting.add(head);
    }
    for (Event<V> event : belief.counting()) {
      if (edge.hides(event.sequence())) {
        continue;
      }
      Event<V> then = places.contains(event.sequence()) ? earlier.get(event.sequence()) : event;
      if (then != null) {
        counting.add(then);
      }
    }
    return counting;
  }

  private ArrayList<BelievedRow<V>> rowsBefore(Sequence from, SupersededRows<V> undone) {
    ArrayList<BelievedRow<V>> before = new ArrayList<>(belief.rows().size());
    for (BelievedRow<V> row : belief.rows()) {
      if (row.systemStart.compareTo(from) < 0) {
        before.add(row);
      } else {
        undone.undo(row.stored);
      }
    }
    int kept = superseded.size();
    while (kept > 0 && superseded.get(kept - 1).systemEnd().compareTo(from) >= 0) {
      Version<V> row = superseded.remove(--kept);
      if (row.systemStart().compareTo(from) < 0) {
        BelievedRow<V> reopened = BelievedRow.of(row, values);
        before.add(reopened);
        undone.reopen(reopened);
      } else {
        undone.undo(row);
      }
    }
    before.sort(Comparator.comparing(row -> row.start));
    return before;
  }

  /** The current belief. */
  Belief<V> belief() {
    return belief;
  }

  @Override
  public List<Version<V>> versions() {
    List<Version<V>> all = new ArrayList<>(superseded);
    belief.rows().forEach(row -> all.add(row.stored));
    all.sort(SupersededRows.order());
    return Collections.unmodifiableList(all);
  }

  @Override
  public List<Event<V>> log() {
    return List.copyOf(log);
  }

  @Override
  public List<Event<V>> remembered() {
    if (hiddenFrom.isEmpty()) {
      return List.copyOf(edge.remembered());
    }
    List<Event<V>> remembered = new ArrayList<>(edge.remembered());
    Map<Sequence, Event<V>> shown = new HashMap<>();
    Set<Sequence> exact = new HashSet<>();
    for (Event<V> event : log) {
      Sequence from = hiddenFrom.get(event.sequence());
      int order = from == null ? -1 : event.systemSequence().compareTo(from);
      if (from != null && order < 0) {
        shown.put(event.sequence(), event);
      } else if (from != null) {
        remembered.add(event);
        if (order == 0) {
          exact.add(event.sequence());
        }
      }
    }
    shown.keySet().removeAll(exact);
    shown.forEach(
        (sequence, event) ->
            remembered.add(event.learnedAt(hiddenFrom.get(sequence)).from(Origin.ROWS)));
    remembered.sort(
        Comparator.<Event<V>, Sequence>comparing(Event::sequence)
            .thenComparing(Event::systemSequence));
    return remembered;
  }

  @Override
  public int forget(Predicate<Event<V>> expired) {
    if (!edge.isNone()) {
      throw new IllegalStateException("a part of a bitemporal history cannot tell what is idle");
    }
    return new BitemporalRetention<>(values, belief, log, hiddenFrom).forget(expired);
  }
}
