package io.sluice.sequencing;

import static io.sluice.sequencing.TownRecords.at;
import static io.sluice.sequencing.TownRecords.key;
import static io.sluice.sequencing.TownRecords.layout;
import static io.sluice.sequencing.TownRecords.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Retention;
import io.sluice.sequencing.RowChange.Delete;
import io.sluice.sequencing.RowChange.Insert;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;

class SnapshotSequencerTest {

  private static final long VERSION = 50;

  private long liveKeys;
  private long keysDeleted;

  private static NewEvent stated(int id, String town) {
    return new NewEvent(key(id), at(VERSION), row(id, town), 0, -1, -1);
  }

  private static ExistingRow existing(int id, String town, long start, long position) {
    return new ExistingRow(key(id), at(start), null, row(id, town), 0, position);
  }

  private static Remembered tombstone(int id, long sequence, long position) {
    return new Remembered(
        key(id), at(sequence), null, null, null, -1, 0, position, Retention.LASTS);
  }

  private List<String> run(StorageType type, KeyedRecord... records) throws Exception {
    SequencerPlan plan =
        TownRecords.plan(new FlowSources("towns_snapshots", 0, List.of(), "record"), false);
    SnapshotSequencer sequencer =
        new SnapshotSequencer(layout(type), plan, new SnapshotPlan(0, at(VERSION)));
    List<RowChange> changes = TownRecords.changes(sequencer, type, List.of(records));
    liveKeys = counter(sequencer, UpdateCounters.LIVE_KEYS);
    keysDeleted = counter(sequencer, UpdateCounters.KEYS_DELETED);
    return changes.stream().map(change -> describe(type, change)).toList();
  }

  private static long counter(SnapshotSequencer sequencer, String name) {
    return (Long) sequencer.getRuntimeContext().getAccumulator(name).getLocalValue();
  }

  private static String describe(StorageType type, RowChange change) {
    if (change instanceof Delete delete) {
      return "delete " + delete.file() + " " + delete.position();
    }
    RowData row = ((Insert) change).row();
    String columns = "insert " + row.getInt(0) + " " + row.getString(1) + " " + row.getLong(2);
    return type == StorageType.SCD1
        ? columns
        : columns + ".." + (row.isNullAt(3) ? "" : row.getLong(3));
  }

  @Test
  void only_rows_that_differ_are_written_and_missing_keys_end_at_the_version() throws Exception {
    assertThat(
            run(
                StorageType.SCD2,
                stated(1, "Oslo"),
                existing(1, "Oslo", 10, 5),
                stated(2, "Bodo"),
                existing(2, "Bergen", 10, 6),
                existing(3, "Lund", 20, 7),
                stated(4, "Voss")))
        .containsExactlyInAnyOrder(
            "delete old.parquet 6",
            "insert 2 Bergen 10..50",
            "insert 2 Bodo 50..",
            "delete old.parquet 7",
            "insert 3 Lund 20..50",
            "insert 4 Voss 50..");
    assertThat(liveKeys).isEqualTo(3);
    assertThat(keysDeleted).isEqualTo(1);
  }

  @Test
  void newer_events_of_a_change_feed_decide_against_the_snapshot() throws Exception {
    assertThat(
            run(
                StorageType.SCD1,
                existing(1, "newer", 60, 1),
                stated(2, "x"),
                existing(2, "tie", 50, 2),
                stated(3, "x"),
                tombstone(3, 51, 3),
                stated(4, "x"),
                tombstone(4, 49, 4),
                existing(5, "gone", 40, 5)))
        .containsExactlyInAnyOrder("insert 4 x 50", "delete log.parquet 4", "delete old.parquet 5");
    assertThat(liveKeys).isEqualTo(3);
    assertThat(keysDeleted).isEqualTo(1);
  }

  @Test
  void two_rows_of_a_key_are_an_error_that_shows_them() {
    assertThatThrownBy(() -> run(StorageType.SCD2, stated(7, "Oslo"), stated(7, "Bodo")))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("flow 'towns_snapshots' at version 50")
        .hasMessageContaining("key id=7")
        .hasMessageContaining("town=Oslo")
        .hasMessageContaining("town=Bodo")
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.DUPLICATE_KEY_VIOLATION);
  }

  @Test
  void an_open_row_that_starts_at_the_version_is_an_error_that_names_it() {
    assertThatThrownBy(() -> run(StorageType.SCD2, existing(7, "Oslo", 50, 9)))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("key id=7")
        .hasMessageContaining("old.parquet, position 9")
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.INVALID_HISTORY);
  }
}
