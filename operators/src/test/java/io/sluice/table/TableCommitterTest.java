package io.sluice.table;

import static io.sluice.table.ForeignCommits.foreignAppend;
import static io.sluice.table.TestRows.appendRequest;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteFiles;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.planned;
import static io.sluice.table.TestRows.request;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.snapshots;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableCommitterTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void insertsAreAnAppendThatReadersOfAppendsAccept(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitResult result = commit(table, writeIds(table, 0, 3), "c1");
    assertThat(rows(table, "id", "name")).containsExactly("0|n0", "1|n1", "2|n2");
    assertThat(table.currentSnapshot().operation()).isEqualTo("append");
    assertThat(result.snapshotId()).isEqualTo(table.currentSnapshot().snapshotId());
    assertThat(result.addedRows()).isEqualTo(3);
    assertThat(result.alreadyCommitted()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRowWhosePartitionChangesMoves(TestSetup setup) {
    Table table = setup.createIdName(folder, "name");
    commit(
        table,
        write(
            table,
            writer -> {
              writer.insert(row(1L, "a"), 0);
              writer.insert(row(2L, "a"), 0);
              writer.insert(row(3L, "b"), 0);
            }),
        "c1");
    RowLocation one = locations(table, "id").get(1L);
    commit(
        table,
        write(
            table,
            writer -> {
              writer.delete(one);
              writer.insert(row(1L, "b"), 0);
            }),
        "c2");
    assertThat(rows(table, "id", "name")).containsExactly("1|b", "2|a", "3|b");
    for (FileScanTask task : tasks(table)) {
      assertThat(task.deletes())
          .allMatch(delete -> delete.partition().equals(task.file().partition()));
    }
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aFullRefreshReplacesRowsAndDeletesInOneCommit(TestSetup setup) {
    Table table = setup.createIdName(folder, "bucket(2, id)");
    commit(table, writeIds(table, 0, 10), "c1");
    RowLocation five = locations(table, "id").get(5L);
    commit(table, write(table, writer -> writer.delete(five)), "c2");
    long snapshots = snapshots(table);
    committer()
        .commit(
            table,
            new CommitRequest(
                writeIds(table, 100, 102),
                Ledger.start("p"),
                planned(table),
                true,
                true,
                new CommitId("c3")));
    assertThat(rows(table, "id")).containsExactly("100", "101");
    assertThat(deleteFiles(table)).isEmpty();
    assertThat(table.currentSnapshot().summary()).containsEntry("total-delete-files", "0");
    assertThat(snapshots(table)).isEqualTo(snapshots + 1);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aFullRefreshWithoutRowsEmptiesTheTable(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 10), "c1");
    committer()
        .commit(
            table,
            new CommitRequest(
                List.of(), Ledger.start("p"), planned(table), true, true, new CommitId("c2")));
    assertThat(rows(table, "id")).isEmpty();
    assertThat(Ledger.read(table).orElseThrow().ledger().commit()).contains(new CommitId("c2"));
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCommitWithoutOutcomesAdvancesTheLedgerAsAnEmptyAppend(TestSetup setup) {
    Table table = setup.createIdName(folder);
    Ledger ledger = Ledger.start("p").toBuilder().position("f", "{\"o\":1}").build();
    committer()
        .commit(
            table,
            new CommitRequest(List.of(), ledger, planned(table), false, true, new CommitId("c1")));
    table.refresh();
    assertThat(table.currentSnapshot().operation()).isEqualTo("append");
    assertThat(table.currentSnapshot().summary()).containsEntry("sluice.commit", "c1");
    assertThat(Ledger.read(table).orElseThrow().ledger().position("f")).contains("{\"o\":1}");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRepeatedCommitLandsOnce(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest request = request(table, writeIds(table, 0, 3), "same");
    CommitResult first = committer().commit(table, request);
    commit(table, writeIds(table, 3, 4), "other");
    CommitResult second = committer().commit(table, request);
    assertThat(second.alreadyCommitted()).isTrue();
    assertThat(second.snapshotId()).isEqualTo(first.snapshotId());
    assertThat(rows(table, "id")).containsExactly("0", "1", "2", "3");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void discardRemovesTheFilesOfOutcomes(TestSetup setup) {
    Table table = setup.createIdName(folder);
    List<WriteOutcome> outcomes = writeIds(table, 0, 3);
    String file = outcomes.get(0).dataFiles().get(0).location();
    assertThat(table.io().newInputFile(file).exists()).isTrue();
    committer().discard(table, outcomes);
    assertThat(table.io().newInputFile(file).exists()).isFalse();
    committer().discard(table, outcomes);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anOutcomeSurvivesItsSerialisedForm(TestSetup setup) throws Exception {
    Table table = setup.createIdName(folder, "bucket(4, id)");
    commit(table, writeIds(table, 0, 100), "c1");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    List<WriteOutcome> copies = new ArrayList<>();
    for (WriteOutcome outcome :
        write(
            table,
            writer ->
                IntStream.range(0, 50)
                    .forEach(
                        i -> {
                          writer.delete(live.get((long) i));
                          writer.insert(row((long) i, "x"), i % 2);
                        }))) {
      byte[] bytes = WriteOutcome.SERIALIZER.serialize(outcome);
      assertThat(bytes).hasSizeLessThan(1 << 20);
      copies.add(WriteOutcome.SERIALIZER.deserialize(1, bytes));
    }
    commit(table, copies, "c2");
    assertThat(rows(table, "id")).hasSize(100);
    assertThat(rows(table, "name")).filteredOn("x"::equals).hasSize(50);
    assertThatThrownBy(() -> WriteOutcome.SERIALIZER.deserialize(2, new byte[0]))
        .hasMessageContaining("version 2");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theMirrorNamesTheSnapshotOfItsLedger(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 1), "c1");
    LedgerMirror mirror = LedgerMirror.of(table).orElseThrow();
    assertThat(mirror.snapshotId()).isEqualTo(table.currentSnapshot().snapshotId());
    assertThat(mirror.ledger()).isEqualTo(Ledger.read(table).orElseThrow().ledger());
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anAppendTargetAcceptsForeignAppends(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 1), "c1");
    CommitRequest late = appendRequest(table, writeIds(table, 1, 2), "c2");
    foreignAppend(table, 50);
    committer().commit(table, late);
    assertThat(rows(table, "id")).containsExactly("0", "1", "50");
  }
}
