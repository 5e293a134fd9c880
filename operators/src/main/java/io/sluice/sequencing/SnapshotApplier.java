package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.Changes;
import io.sluice.history.Floor;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.Sequence;
import io.sluice.history.SnapshotDifference;
import io.sluice.history.StorageType;
import io.sluice.history.Values;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.RowChange.Destination;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.util.Collector;

/**
 * Compares one key of a snapshot with its current row. A key with a row and no snapshot row is
 * deleted at the version; a row that the snapshot confirms is not written again.
 */
final class SnapshotApplier implements KeyApplier<RowChange> {

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final SnapshotPlan snapshot;
  private final Sequence version;
  private final Sequence floor;
  private final Values<BinaryRowData> values;
  private final RowChangeEncoder encoder;
  private final SequencerCounters counters;
  private final LongCounter live;
  private final LongCounter deleted;

  /**
   * @param live counts the keys that had a current row
   * @param deleted counts those of them that have none afterwards
   */
  SnapshotApplier(
      TargetLayout layout,
      SequencerPlan plan,
      SnapshotPlan snapshot,
      SequencerCounters counters,
      LongCounter live,
      LongCounter deleted) {
    this.layout = layout;
    this.plan = plan;
    this.snapshot = snapshot;
    this.version = Sequence.of(snapshot.version());
    this.floor = plan.floor();
    this.values = layout.values();
    this.encoder = new RowChangeEncoder(layout, plan);
    this.counters = counters;
    this.live = live;
    this.deleted = deleted;
  }

  @Override
  public void apply(List<KeyedRecord> records, Collector<RowChange> out) {
    RowKey key = records.get(0).key();
    NewEvent stated = null;
    List<ExistingRow> rows = new ArrayList<>(1);
    List<Remembered> remembered = new ArrayList<>(0);
    for (KeyedRecord record : records) {
      if (record instanceof NewEvent row) {
        if (stated != null) {
          throw duplicate(key, stated, row);
        }
        stated = row;
      } else if (record instanceof ExistingRow row) {
        rows.add(row);
      } else if (record instanceof Remembered event) {
        remembered.add(event);
      }
    }
    if (!rows.isEmpty()) {
      live.add(1);
    }
    Changes<BinaryRowData> changes =
        difference(key, rows, remembered, stated == null ? null : stated.values(), out);
    counters.count(changes, Floor.at(floor), rows, remembered, List.of());
    if (!changes.removed().isEmpty() && changes.added().stream().noneMatch(this::isCurrent)) {
      deleted.add(1);
    }
    forgetBelowVersion(remembered, out);
  }

  private boolean isCurrent(Version<BinaryRowData> row) {
    return row.isOpen();
  }

  private Changes<BinaryRowData> difference(
      RowKey key,
      List<ExistingRow> rows,
      List<Remembered> remembered,
      BinaryRowData stated,
      Collector<RowChange> out) {
    Map<Version<?>, ExistingRow> located = new IdentityHashMap<>(2);
    List<Version<BinaryRowData>> versions = new ArrayList<>(rows.size());
    for (ExistingRow row : rows) {
      Version<BinaryRowData> version = row.version(layout.type());
      located.put(version, row);
      versions.add(version);
    }
    try {
      Changes<BinaryRowData> changes =
          SnapshotDifference.of(
              layout.type(),
              values,
              new SnapshotDifference.Before<>(versions, newest(remembered), floor),
              stated,
              version);
      for (Version<BinaryRowData> removed : changes.removed()) {
        ExistingRow row = located.get(removed);
        out.collect(
            new RowChange.Delete(Destination.TARGET, plan.targetFile(row.file()), row.position()));
      }
      changes.added().forEach(added -> out.collect(encoder.insert(added)));
      return changes;
    } catch (InvalidHistoryException e) {
      throw InvalidRows.error(layout, key, e, located.get(e.row()), plan::targetFile);
    }
  }

  private static Sequence newest(List<Remembered> remembered) {
    Sequence newest = Sequence.LOWEST;
    for (Remembered event : remembered) {
      Sequence sequence = Sequence.of(event.sequence());
      if (sequence.compareTo(newest) > 0) {
        newest = sequence;
      }
    }
    return newest;
  }

  /** The version says of every key what older events said; only newer ones are still needed. */
  private void forgetBelowVersion(List<Remembered> remembered, Collector<RowChange> out) {
    if (layout.type() != StorageType.SCD1) {
      return;
    }
    for (Remembered event : remembered) {
      if (Sequence.of(event.sequence()).compareTo(version) < 0) {
        out.collect(
            new RowChange.Delete(
                Destination.COMPANION, plan.companionFile(event.file()), event.position()));
      }
    }
  }

  private SluiceException duplicate(RowKey key, NewEvent one, NewEvent other) {
    return new SluiceException(
        ErrorCode.DUPLICATE_KEY_VIOLATION,
        "table "
            + layout.table()
            + ": the snapshot of flow '"
            + plan.flow(snapshot.flow()).flow()
            + "' at version "
            + layout.describeSequence(snapshot.version())
            + " has more than one row of key "
            + layout.describe(key)
            + ": "
            + RowText.of(layout.columns(), one.values())
            + " and "
            + RowText.of(layout.columns(), other.values()),
        "Let the snapshot query give one row per key, or name in KEYS all columns that identify a"
            + " row");
  }
}
