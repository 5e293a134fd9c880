package io.sluice.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The log of one key and the rows that follow from it. The log holds at most one event per
 * sequence; the rows are a pure function of it (semantics 0.1), and every call answers with the
 * difference of two evaluations. Any order and any batching of the same events give the same log,
 * rows and remembered events, for unique sequences and for ties inside one partition that arrives
 * in its order (semantics 0.2).
 *
 * <p>The table holds a log as its rows plus {@link #remembered()}; {@link #recover} is the inverse.
 * A history that was recovered behaves exactly like the one that was written: also in memory an
 * event forgets its {@link Origin}, as a row would, unless it won a tie. So an event with a known
 * origin beats an earlier applied one with the same sequence, except the winner of a tie, which
 * defends its place by the total order.
 *
 * <p>Mutable, not thread safe, one per key.
 *
 * @param <V> the columns outside the key
 */
public abstract sealed class History<V>
    permits LatestHistory, MergedHistory, VersionedHistory, BitemporalHistory {

  final Values<V> values;
  private final boolean droppedRemembered;

  History(Values<V> values, boolean droppedRemembered) {
    this.values = values;
    this.droppedRemembered = droppedRemembered;
  }

  /** The history of a key without rows and events. */
  public static <V> History<V> empty(StorageType type, Values<V> values) {
    return switch (type) {
      case SCD1 -> values.arePartial() ? new MergedHistory<>(values) : new LatestHistory<>(values);
      case SCD2 -> new VersionedHistory<>(values);
      case BITEMPORAL -> BitemporalHistory.empty(values);
    };
  }

  /**
   * Reads a key's log back: an upsert per row start and, for SCD 2, a delete at each end where no
   * row starts; over that the remembered events, which replace what was read from rows at their
   * sequence. Where the outcome does not evaluate to these rows, somebody changed them: the rows
   * win, all remembered events are dropped, and {@link #droppedRemembered()} is true. Neighbouring
   * rows that differ in no tracked column (only other writers leave such) are kept as they are
   * until an event touches them.
   *
   * @param rows the key's rows in any order
   * @param remembered the key's remembered events in any order
   * @throws InvalidHistoryException for rows that no history can have (semantics 0.17)
   */
  public static <V> History<V> recover(
      StorageType type, Values<V> values, List<Version<V>> rows, List<Event<V>> remembered)
      throws InvalidHistoryException {
    return switch (type) {
      case SCD1 ->
          values.arePartial()
              ? MergedHistory.recover(values, rows, remembered)
              : LatestHistory.recover(values, rows, remembered);
      case SCD2 -> VersionedHistory.recover(values, rows, remembered);
      case BITEMPORAL ->
          BitemporalRecovery.recover(values, rows, remembered, Sequence.LOWEST, Sequence.LOWEST);
    };
  }

  /**
   * {@link #recover} from the part of the key that events from a sequence on can touch: rows that
   * are open or end at or after it, and remembered events from it or from the start of the first
   * such row on, whichever is lower. Then {@link #apply} of events that are all at or after {@code
   * from} answers exactly as if everything had been loaded, and {@link #remembered()} differs from
   * the full one only by the entries left out. The reason: a run that ends before {@code from} is
   * closed by an event below it, so no event from {@code from} on changes the run or its end, and
   * whatever begins there begins a run of its own. Where {@link #readsSuffix} does not hold it is
   * {@link #recover}.
   *
   * <p>A bitemporal key has two axes. It needs the rows that are believed, or were until {@code
   * systemFrom} or later, and that are open or end at or after {@code from}, and all remembered
   * events. When the events that the oldest of these rows show were learned cannot be known, and
   * nothing depends on it: they are in {@link #log()} with {@link Sequence#LOWEST}. The count of
   * late events leaves out steps that changed only rows which are left out. Where some columns are
   * untracked {@code from} has to be {@link Sequence#LOWEST}: there an event can change which
   * values of its run a row shows, and so what is remembered of events before it.
   *
   * @param rows all rows of the key, or at least those described
   * @param remembered all remembered events of the key, or at least those described
   * @param from at most the least sequence of the events to come
   * @param systemFrom at most their least system sequence; of no account without a system axis
   */
  public static <V> History<V> recoverSuffix(
      StorageType type,
      Values<V> values,
      List<Version<V>> rows,
      List<Event<V>> remembered,
      Sequence from,
      Sequence systemFrom)
      throws InvalidHistoryException {
    if (!readsSuffix(type, values)) {
      return recover(type, values, rows, remembered);
    }
    return switch (type) {
      case SCD1, SCD2 -> {
        Suffix<V> suffix = Suffix.of(rows, remembered, from);
        yield recover(type, values, suffix.rows(), suffix.remembered());
      }
      case BITEMPORAL -> BitemporalRecovery.recover(values, rows, remembered, from, systemFrom);
    };
  }

  /** The same for events that may have any system sequence. */
  public static <V> History<V> recoverSuffix(
      StorageType type,
      Values<V> values,
      List<Version<V>> rows,
      List<Event<V>> remembered,
      Sequence from)
      throws InvalidHistoryException {
    return recoverSuffix(type, values, rows, remembered, from, Sequence.LOWEST);
  }

  /**
   * Whether {@link #recoverSuffix} needs only the end of a key's history. It needs all of it for
   * SCD 1, and where events inherit columns that rows do not show, because they are not tracked.
   */
  public static <V> boolean readsSuffix(StorageType type, Values<V> values) {
    return switch (type) {
      case SCD1 -> false;
      case SCD2 -> !values.arePartial() || values.trackAll();
      case BITEMPORAL -> true;
    };
  }

  /**
   * Adds events to the log.
   *
   * @param events in any order, any number
   * @return the difference between the rows before and after, and the counts
   */
  public abstract Changes<V> apply(List<Event<V>> events);

  /**
   * {@link #apply} under the floor of the target (semantics 0.8): events below it are stale, and
   * what the log has below a truncate that raises it is gone. SCD 1 only.
   *
   * @param events in any order, any number; none for a key that only loses what it has
   */
  public final Changes<V> apply(List<Event<V>> events, Floor floor) {
    if (floor.isNone()) {
      return apply(events);
    }
    List<Event<V>> fresh = new ArrayList<>(events.size());
    for (Event<V> event : events) {
      if (!floor.isStale(event.sequence())) {
        fresh.add(event);
      }
    }
    if (floor.truncates()) {
      truncate(floor.truncate());
    }
    return apply(fresh).withStale(events.size() - fresh.size());
  }

  /** Forgets all events below a sequence; the next {@link #apply} tells what that changed. */
  abstract void truncate(Sequence floor);

  /** The key's rows by start, then system start. */
  public abstract List<Version<V>> versions();

  /**
   * The events that {@link #recover} would not give back from the rows alone, by sequence. SCD 2:
   * absorbed upserts of a run, the first one of a run where its untracked values differ from the
   * row's, deletes that no row end shows. SCD 1: the tombstone. Both: the winner of a tie, the only
   * kind with a known origin; with partial updates the partial events and what they inherit from.
   * Empty after a plain in-order feed of SCD 2 without deletes of absent keys and without unchanged
   * re-sends.
   *
   * <p>Bitemporal: all events at a sequence from the first system sequence on at which the rows do
   * not show what counts there. If that is an event which they showed before, it stands at that
   * system sequence with the origin {@link Origin#ROWS}.
   */
  public abstract List<Event<V>> remembered();

  /**
   * The whole log by sequence, a bitemporal one by system sequence and sequence. An SCD 1 log is
   * compacted to the event with the greatest sequence (semantics 0.1).
   */
  public abstract List<Event<V>> log();

  /**
   * Drops expired events that no row shows (semantics 0.16): deletes that no row end shows, and
   * absorbed upserts except the first and last of their run, and those that a later event inherits
   * from. The rows stay as they are. A bitemporal history drops only what changed no belief since
   * it was learned, and has to be whole for that, read back by {@link #recover}.
   *
   * @param expired asked only about events that may be dropped
   * @return how many were dropped
   */
  public abstract int forget(Predicate<Event<V>> expired);

  /** Whether {@link #recover} met rows that do not go with the remembered events. */
  public final boolean droppedRemembered() {
    return droppedRemembered;
  }
}
