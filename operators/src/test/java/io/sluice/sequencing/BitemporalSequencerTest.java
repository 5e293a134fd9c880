package io.sluice.sequencing;

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
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.RowChange.Insert;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.junit.jupiter.api.Test;

/** The keyed operator of a bitemporal target, with its rows and its companion. */
class BitemporalSequencerTest {

  private static Sequencer sequencer(boolean failOnTies) {
    return new Sequencer(
        TownRecords.layout(StorageType.BITEMPORAL),
        TownRecords.plan(new FlowSources("feed", 0, List.of("/a.json"), "byte"), failOnTies));
  }

  private static RowKey key() {
    return TownRecords.key(1);
  }

  private static byte[] at(Integer sequence) {
    return sequence == null ? null : TownRecords.at(sequence);
  }

  private static BinaryRowData row(String town) {
    return TownRecords.row(1, town);
  }

  private static NewEvent upsert(String town, int sequence, int system) {
    return new NewEvent(key(), at(sequence), at(system), row(town), 0, 0, sequence);
  }

  private static NewEvent delete(int sequence, int system) {
    return new NewEvent(key(), at(sequence), at(system), null, 0, 0, sequence);
  }

  private static ExistingRow existing(
      String town, int start, Integer end, Integer systemStart, Integer systemEnd, int position) {
    return new ExistingRow(
        key(), at(start), at(end), at(systemStart), at(systemEnd), row(town), 0, position);
  }

  private static List<String> run(boolean failOnTies, KeyedRecord... records) throws Exception {
    return TownRecords.changes(sequencer(failOnTies), StorageType.BITEMPORAL, List.of(records))
        .stream()
        .map(BitemporalSequencerTest::describe)
        .toList();
  }

  private static String describe(RowChange change) {
    if (change instanceof Delete delete) {
      return "delete " + delete.file() + " " + delete.position();
    }
    Insert insert = (Insert) change;
    RowData row = insert.row();
    String town = row.isNullAt(1) ? "-" : row.getString(1).toString();
    if (insert.destination() == Destination.COMPANION) {
      return "remember %s %s %d,%d from %s"
          .formatted(
              town,
              row.getString(2),
              row.getLong(3),
              row.getLong(4),
              row.isNullAt(6) ? "-" : row.getString(6));
    }
    return "insert %s %s..%s believed %s..%s in group %d"
        .formatted(
            town, bound(row, 2), bound(row, 3), bound(row, 4), bound(row, 5), insert.group());
  }

  private static String bound(RowData row, int position) {
    return row.isNullAt(position) ? "" : "" + row.getLong(position);
  }

  @Test
  void a_new_version_supersedes_the_open_row_and_nothing_else() throws Exception {
    assertThat(
            run(
                false,
                existing("a", 10, 20, 2, null, 4),
                existing("b", 20, null, 2, null, 5),
                upsert("c", 30, 3)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 5",
            "insert b 20.. believed 2..3 in group 2",
            "insert b 20..30 believed 3.. in group 1",
            "insert c 30.. believed 3.. in group 0");
  }

  @Test
  void what_rows_do_not_show_is_remembered_with_its_system_sequence() throws Exception {
    assertThat(run(false, delete(5, 1), upsert("a", 10, 2), upsert("a", 20, 3)))
        .containsExactlyInAnyOrder(
            "insert a 10.. believed 2.. in group 0",
            "remember - DELETE 5,1 from -",
            "remember a UPSERT 20,3 from -");
  }

  @Test
  void an_event_that_rows_showed_until_now_is_remembered_as_such() throws Exception {
    assertThat(run(false, existing("a", 10, null, 1, null, 4), upsert("a", 5, 2)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 4",
            "insert a 10.. believed 1..2 in group 2",
            "insert a 5.. believed 2.. in group 0",
            "remember a UPSERT 10,2 from rows");
  }

  @Test
  void remembered_events_that_are_still_hidden_stay_where_they_are() throws Exception {
    assertThat(
            run(
                false,
                existing("a", 5, null, 2, null, 6),
                new Remembered(
                    key(),
                    at(10),
                    at(2),
                    row("a"),
                    null,
                    "rows",
                    -1,
                    0,
                    3,
                    Remembered.UNKNOWN_TIME,
                    Retention.LASTS),
                upsert("b", 7, 3)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 6",
            "insert a 5.. believed 2..3 in group 2",
            "insert a 5..7 believed 3.. in group 1",
            "insert b 7..10 believed 3.. in group 1",
            "insert a 10.. believed 3.. in group 0");
  }

  private static Remembered remembered(
      String town, int sequence, int system, int position, Retention retention) {
    return new Remembered(
        key(),
        at(sequence),
        at(system),
        town == null ? null : row(town),
        null,
        null,
        -1,
        0,
        position,
        Remembered.UNKNOWN_TIME,
        retention);
  }

  @Test
  void what_has_changed_no_belief_is_forgotten_place_by_place() throws Exception {
    assertThat(
            run(
                false,
                existing("a", 10, null, 1, null, 0),
                remembered(null, 5, 2, 1, Retention.OVER),
                remembered("a", 10, 2, 2, Retention.ENDS),
                remembered("a", 10, 3, 3, Retention.LASTS),
                remembered("a", 20, 2, 4, Retention.ENDS)))
        .as("the delete of 5; a repetition stays while a younger one does, and the last of a run")
        .containsExactly("delete log.parquet 1");
    assertThat(
            run(
                false,
                existing("a", 10, null, 1, null, 0),
                remembered("a", 10, 2, 2, Retention.OVER),
                remembered("a", 10, 3, 3, Retention.ENDS)))
        .containsExactlyInAnyOrder("delete log.parquet 2", "delete log.parquet 3");
  }

  @Test
  void without_the_whole_history_nothing_is_forgotten() throws Exception {
    assertThat(
            run(
                false,
                existing("a", 10, null, 1, null, 0),
                remembered(null, 5, 2, 1, Retention.OVER),
                upsert("b", 20, 9)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 0",
            "insert a 10.. believed 1..9 in group 2",
            "insert a 10..20 believed 9.. in group 1",
            "insert b 20.. believed 9.. in group 0");
  }

  @Test
  void a_late_system_sequence_rewrites_exactly_the_rows_it_touches() throws Exception {
    assertThat(
            run(
                false,
                existing("a", 10, null, 100, 300, 0),
                existing("a", 10, 20, 300, null, 1),
                existing("c", 20, null, 300, null, 2),
                upsert("b", 15, 200)))
        .containsExactlyInAnyOrder(
            "delete old.parquet 0",
            "delete old.parquet 1",
            "insert a 10.. believed 100..200 in group 2",
            "insert a 10..15 believed 200.. in group 1",
            "insert b 15.. believed 200..300 in group 2",
            "insert b 15..20 believed 300.. in group 1");
  }

  @Test
  void ties_at_one_pair_of_sequences_can_be_an_error_that_names_both() {
    assertThatThrownBy(() -> run(true, upsert("a", 10, 3), delete(10, 3)))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("sequence 10 and system sequence 3");
  }

  @Test
  void events_with_one_sequence_learned_at_two_times_are_no_tie() throws Exception {
    assertThat(run(true, upsert("a", 10, 3), upsert("b", 10, 4)))
        .containsExactlyInAnyOrder(
            "insert a 10.. believed 3..4 in group 2", "insert b 10.. believed 4.. in group 0");
  }

  @Test
  void a_row_that_no_history_can_have_is_named_with_all_its_bounds() {
    assertThatThrownBy(() -> run(false, existing("a", 10, 20, 7, 7, 9), upsert("b", 30, 5)))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.problems().get(0).code()).isEqualTo(ErrorCode.INVALID_HISTORY))
        .hasMessageContaining("its system end is not after its system start")
        .hasMessageContaining("from 10 to 20, believed from 7 to 7")
        .hasMessageContaining("position 9");
  }
}
