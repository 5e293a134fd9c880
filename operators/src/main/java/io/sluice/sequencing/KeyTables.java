package io.sluice.sequencing;

import io.sluice.history.Event;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.function.Consumer;
import org.apache.flink.table.data.binary.BinaryRowData;

/**
 * Target and companion as the open keys of one subtask change them. Rows that go are deleted at
 * once where they lie. New ones stay pending in their key until it is written: what goes before
 * then is never written.
 */
final class KeyTables implements AutoCloseable {

  private final TargetLayout layout;
  private final SequencerPlan plan;
  private final RowChangeEncoder encoder;
  private final LocatedTable target;
  private final LocatedTable companion;
  private long tombstones;

  KeyTables(TargetLayout layout, SequencerPlan plan, LocatedTable target, LocatedTable companion) {
    this.layout = layout;
    this.plan = plan;
    this.encoder = new RowChangeEncoder(layout, plan);
    this.target = target;
    this.companion = companion;
  }

  FileNumbers targetFiles() {
    return target.files();
  }

  FileNumbers companionFiles() {
    return companion.files();
  }

  /** A row that a key has already. */
  void keep(ExistingRow row) {
    target.files().keep(row.file());
  }

  /** An event that a key remembers already. */
  void keep(Remembered event) {
    companion.files().keep(event.file());
    tombstones += event.values() == null ? 1 : 0;
  }

  /** How many deletes the keys of this subtask remember. */
  long tombstones() {
    return tombstones;
  }

  void restoreTombstones(long counted) {
    tombstones = counted;
  }

  /**
   * Changes of an open key.
   *
   * @param appliedAt the time now, microseconds since 1970
   */
  KeyChanges changesOf(OpenKey open, long appliedAt) {
    return new KeyChanges() {
      @Override
      public void insert(RowKey key, Version<BinaryRowData> row) {
        open.add(pending(key, row));
      }

      @Override
      public void delete(ExistingRow row) {
        open.remove(row);
        if (row.file() != FileNumbers.PENDING) {
          target.delete(row.file(), row.position());
        }
      }

      @Override
      public void remember(RowKey key, Event<BinaryRowData> event) {
        tombstones += event.isUpsert() ? 0 : 1;
        open.add(Remembered.of(key, event, layout, plan, FileNumbers.PENDING, appliedAt));
      }

      @Override
      public void forget(Remembered event) {
        tombstones -= event.values() == null ? 1 : 0;
        open.remove(event);
        if (event.file() != FileNumbers.PENDING) {
          companion.delete(event.file(), event.position());
        }
      }
    };
  }

  private static ExistingRow pending(RowKey key, Version<BinaryRowData> row) {
    return new ExistingRow(
        key,
        row.start().bytes(),
        row.end() == null ? null : row.end().bytes(),
        row.systemStart() == null ? null : row.systemStart().bytes(),
        row.systemEnd() == null ? null : row.systemEnd().bytes(),
        row.values(),
        FileNumbers.PENDING,
        0);
  }

  /**
   * Writes the pending rows of a key, so that all have their places.
   *
   * @param update number that the companion names as the update of its rows
   */
  void write(OpenKey open, long update) {
    open.rows.replaceAll(
        row -> {
          if (row.file() != FileNumbers.PENDING) {
            return row;
          }
          LocatedTable.Place place = target.insert(encoder.insert(row.version(layout.type())));
          return row.at(place.file(), place.position());
        });
    open.remembered.replaceAll(
        event -> {
          if (event.file() != FileNumbers.PENDING) {
            return event;
          }
          LocatedTable.Place place =
              companion.insert(
                  encoder.remember(open.key, event.event(plan), event.appliedAt(), update));
          return event.at(place.file(), place.position());
        });
  }

  /** Finishes the files and hands over what was written and deleted since the last call. */
  void complete(Consumer<UpdateOutput> out) {
    companion.complete(out);
    target.complete(out);
  }

  @Override
  public void close() {
    target.close();
    companion.close();
  }
}
