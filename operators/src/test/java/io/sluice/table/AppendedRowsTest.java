package io.sluice.table;

import static io.sluice.table.ForeignCommits.compact;
import static io.sluice.table.ForeignCommits.foreignAppend;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AppendedRowsTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theFirstReadTakesAllLiveRows(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    RowLocation one = locations(table, "id").get(1L);
    commit(table, write(table, writer -> writer.delete(one)), "c2");
    assertThat(ids(table, OptionalLong.empty())).containsExactly(0L, 2L);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void laterReadsTakeWhatWasAppendedInCommitOrder(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long from = table.currentSnapshot().snapshotId();
    for (int id = 30; id > 25; id--) {
      foreignAppend(table, id);
    }
    assertThat(ids(table, OptionalLong.of(from))).containsExactly(30L, 29L, 28L, 27L, 26L);
    List<RowSplit> splits =
        AppendedRows.plan(table, OptionalLong.of(from), table.currentSnapshot().snapshotId());
    assertThat(splits).extracting(RowSplit::dataSequenceNumber).containsExactly(2L, 3L, 4L, 5L, 6L);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void nothingNewIsAnEmptyPlan(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    assertThat(ids(table, OptionalLong.of(table.currentSnapshot().snapshotId()))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCompactionInBetweenIsNotReadAgain(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long from = table.currentSnapshot().snapshotId();
    foreignAppend(table, 2);
    compact(table, locations(table, "id").get(2L).file());
    compact(table, locations(table, "id").get(1L).file());
    foreignAppend(table, 3);
    assertThat(ids(table, OptionalLong.of(from))).containsExactly(2L, 3L);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void deletedRowsAreAnErrorThatNamesTheSnapshot(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    long from = table.currentSnapshot().snapshotId();
    RowLocation one = locations(table, "id").get(1L);
    commit(table, write(table, writer -> writer.delete(one)), "c2");
    long culprit = table.currentSnapshot().snapshotId();
    assertThatThrownBy(() -> ids(table, OptionalLong.of(from)))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_NOT_APPEND_ONLY))
        .hasMessageContaining(Long.toString(culprit))
        .hasMessageContaining("delete")
        .hasMessageContaining("--full-refresh");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anOverwriteOfFilesIsAnErrorToo(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long from = table.currentSnapshot().snapshotId();
    table
        .newOverwrite()
        .deleteFile(TestRows.tasks(table).get(0).file())
        .addFile(writeIds(table, 5, 6).get(0).dataFiles().get(0))
        .commit();
    table.refresh();
    assertThatThrownBy(() -> ids(table, OptionalLong.of(from)))
        .hasMessageContaining("operation overwrite");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anOverwriteThatRemovedNothingIsAnAppend(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long from = table.currentSnapshot().snapshotId();
    table.newOverwrite().addFile(writeIds(table, 5, 6).get(0).dataFiles().get(0)).commit();
    assertThat(ids(table, OptionalLong.of(from))).containsExactly(5L);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anExpiredStartIsAnErrorWithARemedy(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long from = table.currentSnapshot().snapshotId();
    foreignAppend(table, 2);
    foreignAppend(table, 3);
    table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    table.refresh();
    assertThatThrownBy(() -> ids(table, OptionalLong.of(from)))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_HISTORY_LOST))
        .hasMessageContaining("expired");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRolledBackStartIsAnError(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long first = table.currentSnapshot().snapshotId();
    foreignAppend(table, 2);
    long from = table.currentSnapshot().snapshotId();
    table.manageSnapshots().rollbackTo(first).commit();
    table.refresh();
    assertThatThrownBy(() -> ids(table, OptionalLong.of(from)))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_HISTORY_LOST));
  }

  private static List<Long> ids(Table table, OptionalLong from) {
    table.refresh();
    List<Long> ids = new ArrayList<>();
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    for (RowSplit split : AppendedRows.plan(table, from, table.currentSnapshot().snapshotId())) {
      reader.read(split, Selection.all(), (row, file, position) -> ids.add(row.getLong(0)));
    }
    return ids;
  }
}
