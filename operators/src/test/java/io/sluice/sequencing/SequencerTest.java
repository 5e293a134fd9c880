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
import io.sluice.sequencing.KeyedRecord.Tidied;
import io.sluice.sequencing.RowChange.Delete;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.RowChange.Insert;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;

class SequencerTest {

  private static Sequencer sequencer(StorageType type, boolean failOnTies) {
    return new Sequencer(
        layout(type),
        TownRecords.plan(
            new FlowSources("feed", 0, List.of("/a.json", "/b.json"), "byte"), failOnTies));
  }

  private static NewEvent upsert(int id, String town, long sequence) {
    return new NewEvent(key(id), at(sequence), row(id, town), 0, 0, sequence);
  }

  private static NewEvent delete(int id, long sequence) {
    return new NewEvent(key(id), at(sequence), null, 0, 1, sequence);
  }

  private static List<String> run(StorageType type, boolean failOnTies, KeyedRecord... records)
      throws Exception {
    return describe(type, TownRecords.changes(sequencer(type, failOnTies), type, List.of(records)));
  }

  private static List<String> describe(StorageType type, List<RowChange> changes) {
    return changes.stream().map(change -> describe(type, change)).toList();
  }

  private static String describe(StorageType type, RowChange change) {
    return (change.destination() == Destination.MOVED ? "move: " : "") + describeOne(type, change);
  }

  private static String describeOne(StorageType type, RowChange change) {
    if (change instanceof Delete delete) {
      return "delete " + delete.file() + " " + delete.position();
    }
    Insert insert = (Insert) change;
    RowData row = insert.row();
    String columns = row.getInt(0) + " " + (row.isNullAt(1) ? "-" : row.getString(1));
    if (insert.destination() == Destination.COMPANION) {
      return "remember " + columns + " " + row.getString(2) + " " + row.getLong(3);
    }
    if (type == StorageType.SCD1) {
      return "insert " + columns + " " + (row.isNullAt(2) ? "-" : row.getLong(2));
    }
    return "insert "
        + columns
        + " "
        + row.getLong(2)
        + ".."
        + (row.isNullAt(3) ? "" : row.getLong(3))
        + " in group "
        + insert.group();
  }

  @Test
  void events_of_a_key_wait_for_its_end_and_are_applied_in_sequence_order() throws Exception {
    assertThat(
            run(
                StorageType.SCD2,
                false,
                upsert(1, "c", 30),
                upsert(2, "x", 1),
                upsert(1, "a", 10),
                delete(1, 20)))
        .containsExactlyInAnyOrder(
            "insert 1 a 10..20 in group 1",
            "insert 1 c 30.. in group 0",
            "insert 2 x 1.. in group 0");
  }

  @Test
  void keys_that_share_a_sort_key_are_told_apart() throws Exception {
    List<KeyedRecord> records =
        List.of(
            upsert(1, "a", 10),
            upsert(2, "x", 5),
            new ExistingRow(key(2), at(1), null, row(2, "w"), 0, 8),
            upsert(1, "b", 20));
    assertThat(
            describe(
                StorageType.SCD2,
                TownRecords.changes(
                    sequencer(StorageType.SCD2, false), StorageType.SCD2, record -> 0L, records)))
        .containsExactlyInAnyOrder(
            "insert 1 a 10..20 in group 1",
            "insert 1 b 20.. in group 0",
            "delete old.parquet 8",
            "insert 2 w 1..5 in group 1",
            "insert 2 x 5.. in group 0");
  }

  @Test
  void only_the_rows_that_change_are_deleted_where_they_lie() throws Exception {
    assertThat(
            run(
                StorageType.SCD2,
                false,
                new ExistingRow(key(1), at(10), at(20), row(1, "a"), 0, 5),
                new ExistingRow(key(1), at(20), null, row(1, "b"), 0, 6),
                upsert(1, "c", 30)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 6", "insert 1 b 20..30 in group 1", "insert 1 c 30.. in group 0");
  }

  private static Tidied tidied(int id, Long start, Long end, String town, long position) {
    byte[] from = start == null ? null : at(start);
    byte[] to = end == null ? null : at(end);
    return new Tidied(key(id), new ExistingRow(key(id), from, to, row(id, town), 0, position));
  }

  @Test
  void rows_of_tidied_files_move_with_or_without_events_of_their_key() throws Exception {
    assertThat(
            run(
                StorageType.SCD2,
                false,
                tidied(1, 10L, 20L, "a", 5),
                tidied(1, 20L, null, "b", 6),
                tidied(2, 1L, null, "x", 7),
                new ExistingRow(key(3), at(1), null, row(3, "y"), 0, 8),
                upsert(1, "c", 30)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 6",
            "insert 1 b 20..30 in group 1",
            "insert 1 c 30.. in group 0",
            "move: delete old.parquet 5",
            "move: insert 1 a 10..20 in group 1",
            "move: delete old.parquet 7",
            "move: insert 2 x 1.. in group 0");
    assertThat(
            run(
                StorageType.SCD1,
                false,
                tidied(1, 10L, null, "a", 5),
                tidied(2, 1L, null, "x", 7),
                tidied(3, null, null, "by hand", 8),
                upsert(1, "c", 30),
                upsert(2, "late", 0)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 5",
            "insert 1 c 30",
            "move: delete old.parquet 7",
            "move: insert 2 x 1",
            "move: delete old.parquet 8",
            "move: insert 3 by hand -");
  }

  @Test
  void keys_without_events_leave_nothing() throws Exception {
    assertThat(
            run(
                StorageType.SCD2,
                false,
                new ExistingRow(key(1), at(10), null, row(1, "a"), 0, 5),
                new Remembered(key(2), at(4), null, null, null, -1, 0, 0, Retention.LASTS)))
        .isEmpty();
  }

  @Test
  void a_tombstone_enters_the_companion_and_leaves_it_when_the_key_lives_again() throws Exception {
    assertThat(run(StorageType.SCD1, false, delete(9, 7))).containsExactly("remember 9 - DELETE 7");
    assertThat(
            run(
                StorageType.SCD1,
                false,
                new Remembered(key(9), at(7), null, null, null, -1, 0, 3, Retention.LASTS),
                upsert(9, "old", 5)))
        .isEmpty();
    assertThat(
            run(
                StorageType.SCD1,
                false,
                new Remembered(key(9), at(7), null, null, null, -1, 0, 3, Retention.LASTS),
                upsert(9, "new", 8)))
        .containsExactlyInAnyOrder("delete log.parquet 3", "insert 9 new 8");
  }

  @Test
  void what_was_kept_when_its_retention_ended_stays_where_its_row_is_not_read() throws Exception {
    Remembered last =
        new Remembered(key(1), at(30), row(1, "a"), null, null, -1, 0, 3, Retention.OVER);
    assertThat(
            run(
                StorageType.SCD2,
                false,
                new ExistingRow(key(1), at(50), null, row(1, "b"), 0, 5),
                last,
                upsert(1, "c", 100)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 5", "insert 1 b 50..100 in group 1", "insert 1 c 100.. in group 0");
  }

  @Test
  void what_has_changed_nothing_is_forgotten_when_its_retention_ends() throws Exception {
    assertThat(
            run(
                StorageType.SCD2,
                false,
                new ExistingRow(key(1), at(10), null, row(1, "a"), 0, 5),
                new Remembered(key(1), at(20), row(1, "a"), null, null, -1, 0, 2, Retention.ENDS),
                new Remembered(key(1), at(30), row(1, "a"), null, null, -1, 0, 3, Retention.ENDS)))
        .containsExactly("delete log.parquet 2");
  }

  @Test
  void an_absorbed_event_is_remembered() throws Exception {
    assertThat(run(StorageType.SCD2, false, upsert(1, "a", 10), upsert(1, "a", 20)))
        .containsExactlyInAnyOrder("insert 1 a 10.. in group 0", "remember 1 a UPSERT 20");
  }

  @Test
  void a_row_without_a_sequence_ranks_below_every_event() throws Exception {
    assertThat(
            run(
                StorageType.SCD1,
                false,
                new ExistingRow(key(1), null, null, row(1, "by hand"), 0, 2),
                upsert(1, "a", -5)))
        .containsExactlyInAnyOrder("delete old.parquet 2", "insert 1 a -5");
  }

  @Test
  void a_tie_can_be_an_error_that_names_key_sequence_and_both_events() {
    assertThatThrownBy(() -> run(StorageType.SCD2, true, upsert(1, "a", 10), delete(1, 10)))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("id=1")
        .hasMessageContaining("sequence 10")
        .hasMessageContaining("/a.json (byte 10)")
        .hasMessageContaining("/b.json (byte 10)")
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.TIE);
  }

  @Test
  void a_row_that_no_history_can_have_is_an_error_that_names_it() {
    assertThatThrownBy(
            () ->
                run(
                    StorageType.SCD2,
                    false,
                    new ExistingRow(key(1), at(10), at(10), row(1, "a"), 0, 5),
                    upsert(1, "b", 5)))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("id=1")
        .hasMessageContaining("old.parquet, position 5")
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.INVALID_HISTORY);
  }
}
