package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.History;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.StorageType;
import io.sluice.history.Tie;
import io.sluice.history.Values;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Retention;
import io.sluice.sequencing.KeyedRecord.Tidied;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.util.Collector;

/**
 * Applies the events of one key: its history is read back from its rows, the events are applied in
 * sequence order, and only the difference leaves, as row changes of the target and of its
 * companion.
 */
final class EventApplier implements KeyApplier<RowChange> {

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final Values<BinaryRowData> values;
  private final RowChangeEncoder encoder;
  private final ChangeCounts counters;
  private final RowMover mover;
  private final LongFunction<String> files;
  private Floor floor;

  EventApplier(TargetLayout layout, SequencerPlan plan, ChangeCounts counters) {
    this(layout, plan, counters, plan::targetFile);
  }

  /**
   * @param files paths of the target's data files by number
   */
  EventApplier(
      TargetLayout layout, SequencerPlan plan, ChangeCounts counters, LongFunction<String> files) {
    this.files = files;
    this.layout = layout;
    this.plan = plan;
    this.values = layout.values();
    this.encoder = new RowChangeEncoder(layout, plan);
    this.counters = counters;
    this.mover = new RowMover(layout.type(), plan, encoder);
    this.floor = Floor.at(plan.floor());
  }

  /** The greatest truncate of the update, told before the first key is applied. */
  void truncateAt(Sequence truncate) {
    floor = new Floor(plan.floor(), truncate);
  }

  /**
   * Applies the events of one key.
   *
   * @param records its events, its existing rows and what the companion remembers of it, in any
   *     order; without an event nothing happens, unless a truncate reaches the key, something that
   *     is remembered of it may be forgotten, or rows move
   */
  @Override
  public void apply(List<KeyedRecord> records, Collector<RowChange> out) {
    apply(records.get(0).key(), records, encoder.emitting(out));
    mover.move(out);
  }

  /**
   * The same for rows that lie anywhere.
   *
   * @param records as above
   * @param out is told what becomes of these very rows and remembered events
   */
  void apply(RowKey key, List<KeyedRecord> records, KeyChanges out) {
    List<ExistingRow> rows = new ArrayList<>(2);
    List<Remembered> stored = new ArrayList<>(0);
    List<Event<BinaryRowData>> events = new ArrayList<>(records.size());
    Set<Place> expired = new HashSet<>(0);
    boolean collects = false;
    Sequence least = null;
    Sequence leastSystem = null;
    for (KeyedRecord record : records) {
      if (record instanceof NewEvent event) {
        Event<BinaryRowData> fresh = event.event(plan);
        events.add(fresh);
        least = lesser(least, fresh.sequence());
        leastSystem = lesser(leastSystem, fresh.systemSequence());
      } else if (record instanceof ExistingRow row) {
        rows.add(row);
      } else if (record instanceof Tidied tidied) {
        rows.add(tidied.row());
        mover.add(tidied.row());
      } else if (record instanceof Remembered remembered) {
        stored.add(remembered);
        if (remembered.retention().isOver()) {
          expired.add(Place.of(remembered));
        }
        if (remembered.retention() == Retention.ENDS) {
          collects = true;
          least = lesser(least, Sequence.of(remembered.sequence()));
        }
      }
    }
    if (!events.isEmpty() || floor.truncates() || collects) {
      boolean wholeKey = collects && layout.type() == StorageType.BITEMPORAL;
      Suffix suffix =
          wholeKey || needsWholeKey(rows)
              ? Suffix.WHOLE
              : new Suffix(
                  least == null ? Sequence.LOWEST : least,
                  leastSystem == null ? Sequence.LOWEST : leastSystem);
      if (!suffix.tellsIdle(layout.type())) {
        expired.clear();
      }
      apply(key, rows, stored, events, expired, suffix, out);
    }
  }

  /**
   * Whether all of a bitemporal key is needed because a row was written before the table had all of
   * its columns (semantics 0.13). What such rows show is remembered from the first time on that an
   * event meets them, for which has to be known when it was learned.
   */
  boolean needsWholeKey(List<ExistingRow> rows) {
    return layout.type() == StorageType.BITEMPORAL
        && values.arePartial()
        && rows.stream().anyMatch(row -> values.authored(row.values()) != null);
  }

  /** From where on the history of a key is read back; see History.recoverSuffix. */
  private record Suffix(Sequence from, Sequence systemFrom) {

    static final Suffix WHOLE = new Suffix(Sequence.LOWEST, Sequence.LOWEST);

    /** Whether the part is enough to find what may be forgotten. */
    boolean tellsIdle(StorageType type) {
      return type != StorageType.BITEMPORAL || equals(WHOLE);
    }
  }

  /** The place of an event on both axes; the system axis is the lowest where there is none. */
  private record Place(Sequence sequence, Sequence systemSequence) {

    static Place of(Event<?> event) {
      return new Place(event.sequence(), event.systemSequence());
    }

    static Place of(Remembered event) {
      return new Place(Sequence.of(event.sequence()), systemSequenceOf(event.systemSequence()));
    }
  }

  private static Sequence systemSequenceOf(byte[] bytes) {
    return bytes == null ? Sequence.LOWEST : Sequence.of(bytes);
  }

  private static Sequence lesser(Sequence left, Sequence right) {
    return left == null || right.compareTo(left) < 0 ? right : left;
  }

  private void apply(
      RowKey key,
      List<ExistingRow> existing,
      List<Remembered> stored,
      List<Event<BinaryRowData>> events,
      Set<Place> expired,
      Suffix suffix,
      KeyChanges out) {
    Map<Version<BinaryRowData>, ExistingRow> located =
        existing.isEmpty() ? Map.of() : new IdentityHashMap<>(existing.size() * 2);
    List<Version<BinaryRowData>> rows = new ArrayList<>(existing.size());
    for (ExistingRow row : existing) {
      Version<BinaryRowData> version = row.version(layout.type());
      located.put(version, row);
      rows.add(version);
    }
    List<Event<BinaryRowData>> remembered = new ArrayList<>(stored.size());
    for (Remembered event : stored) {
      remembered.add(event.event(plan));
    }
    History<BinaryRowData> history = recover(key, rows, remembered, suffix, located);
    Changes<BinaryRowData> changes = history.apply(events, floor).withoutTies(this::isWithSnapshot);
    if (plan.failOnTies() && !changes.tiesResolved().isEmpty()) {
      throw tie(key, changes.tiesResolved().get(0));
    }
    counters.count(changes, floor, existing, stored, events);
    for (Version<BinaryRowData> removed : changes.removed()) {
      ExistingRow row = located.get(removed);
      mover.isRemoved(row);
      out.delete(row);
    }
    for (Version<BinaryRowData> added : changes.added()) {
      out.insert(key, added);
    }
    if (!expired.isEmpty()) {
      events.forEach(event -> expired.remove(Place.of(event))); // applied anew
      counters.collected(history.forget(event -> expired.contains(Place.of(event))));
    }
    encoder.rememberDifference(
        key, suffixStart(rows, suffix.from()), stored, history.remembered(), out);
  }

  private History<BinaryRowData> recover(
      RowKey key,
      List<Version<BinaryRowData>> rows,
      List<Event<BinaryRowData>> remembered,
      Suffix suffix,
      Map<Version<BinaryRowData>, ExistingRow> located) {
    if (rows.isEmpty() && remembered.isEmpty()) {
      return History.empty(layout.type(), values);
    }
    try {
      boolean cut =
          layout.type() != StorageType.BITEMPORAL
              || layout.closingColumns().contains(TargetLayout.END_AT);
      return History.recoverSuffix(
          layout.type(),
          values,
          rows,
          remembered,
          cut ? suffix.from() : Sequence.LOWEST,
          suffix.systemFrom());
    } catch (InvalidHistoryException e) {
      throw InvalidRows.error(layout, key, e, e.row() == null ? null : located.get(e.row()), files);
    }
  }

  /** The sequence from which on the log of SCD type 2 was read back. */
  private Sequence suffixStart(List<Version<BinaryRowData>> rows, Sequence least) {
    if (!History.readsSuffix(layout.type(), values)) {
      return Sequence.LOWEST;
    }
    Sequence start = least;
    for (Version<BinaryRowData> row : rows) {
      boolean inSuffix = row.end() == null || row.end().compareTo(least) >= 0;
      if (inSuffix && row.start().compareTo(start) < 0) {
        start = row.start();
      }
    }
    return start;
  }

  /** The row may be what a snapshot stated; whether it is cannot be told from the row. */
  private boolean isWithSnapshot(Tie<BinaryRowData> tie) {
    return !plan.stated().equals(Sequence.LOWEST)
        && tie.sequence().equals(plan.stated())
        && !tie.loser().origin().isKnown();
  }

  private SluiceException tie(RowKey key, Tie<BinaryRowData> tie) {
    return new SluiceException(
        ErrorCode.TIE,
        "table "
            + layout.table()
            + ": two different events share key "
            + layout.describe(key)
            + " and sequence "
            + layout.describeSequence(tie.sequence().bytes())
            + (layout.systemSequence() == null
                ? ""
                : " and system sequence "
                    + layout.describeSystemSequence(tie.winner().systemSequence().bytes()))
            + ": "
            + describe(tie.winner())
            + " and "
            + describe(tie.loser()),
        "Make the sequence unique per key (SEQUENCE BY a struct with a tie-breaking column), or"
            + " leave out SET 'sluice.ties' = 'FAIL'");
  }

  private String describe(Event<BinaryRowData> event) {
    String what =
        event.isUpsert() ? "upsert " + RowText.of(layout.columns(), event.values()) : "delete";
    Origin origin = event.origin();
    boolean ofThisUpdate = origin.isKnown() && origin.flow() >= 0 && !origin.source().isEmpty();
    return ofThisUpdate
        ? what
            + " from "
            + origin.source()
            + " ("
            + plan.flow(origin.flow()).unit()
            + " "
            + origin.offset()
            + ")"
        : what + " applied earlier";
  }
}
