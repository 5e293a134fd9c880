package io.sluice.table;

import static io.sluice.table.TestRows.appendRequest;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteFiles;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.planned;
import static io.sluice.table.TestRows.request;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.flink.sink.FlinkFileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.ContentFileUtil;
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
  void aDeletedRowIsGoneAndItsReplacementThere(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    RowLocation two = locations(table, "id").get(2L);
    CommitResult result =
        commit(
            table,
            write(
                table,
                writer -> {
                  writer.delete(two);
                  writer.insert(row(2L, "new"), 0);
                }),
            "c2");
    assertThat(rows(table, "id", "name")).containsExactly("0|n0", "1|n1", "2|new", "3|n3", "4|n4");
    assertThat(result.touchedFiles()).isEqualTo(1);
    assertOneOwnDeleteFilePerFile(table, setup);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void deletesOfManyCommitsAreMergedIntoOneFilePerDataFile(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 50), "a");
    commit(table, writeIds(table, 50, 100), "b");
    for (int round = 0; round < 8; round++) {
      TreeMap<Object, RowLocation> live = locations(table, "id");
      int victim = round;
      commit(
          table,
          write(
              table,
              writer -> {
                writer.delete(live.get((long) victim));
                writer.delete(live.get(50L + victim));
              }),
          "d" + round);
      assertOneOwnDeleteFilePerFile(table, setup);
    }
    assertThat(rows(table, "id")).hasSize(84).doesNotContain("0", "7", "50", "57");
    assertThat(deleteFiles(table)).hasSize(2);
    assertThat(deleteFiles(table)).allMatch(file -> file.recordCount() == 8);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void severalWritersMayDeleteInTheSameFile(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 10), "c1");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    List<WriteOutcome> outcomes = new ArrayList<>();
    outcomes.addAll(write(table, writer -> writer.delete(live.get(1L))));
    outcomes.addAll(write(table, writer -> writer.delete(live.get(8L))));
    commit(table, outcomes, "c2");
    assertThat(rows(table, "id")).hasSize(8).doesNotContain("1", "8");
    assertThat(deleteFiles(table)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRowOfTheSameCommitCanBeDeleted(TestSetup setup) {
    Table table = setup.createIdName(folder);
    List<WriteOutcome> outcomes = new ArrayList<>(writeIds(table, 0, 4));
    String file = outcomes.get(0).dataFiles().get(0).location();
    outcomes.addAll(write(table, writer -> writer.delete(new RowLocation(file, 3))));
    commit(table, outcomes, "c1");
    assertThat(rows(table, "id")).containsExactly("0", "1", "2");
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
  void aFileWithoutALiveRowLeavesTheTableWithItsDeletes(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    commit(table, writeIds(table, 3, 5), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    commit(table, write(table, writer -> writer.delete(live.get(0L))), "c3");
    CommitResult result =
        commit(
            table,
            write(
                table,
                writer -> {
                  writer.delete(live.get(1L));
                  writer.delete(live.get(2L));
                }),
            "c4");
    assertThat(rows(table, "id")).containsExactly("3", "4");
    assertThat(result.removedFiles()).isEqualTo(1);
    assertThat(tasks(table)).hasSize(1);
    assertThat(table.currentSnapshot().summary()).containsEntry("total-delete-files", "0");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aFullRefreshReplacesRowsAndDeletesInOneCommit(TestSetup setup) {
    Table table = setup.createIdName(folder, "bucket(2, id)");
    commit(table, writeIds(table, 0, 10), "c1");
    RowLocation five = locations(table, "id").get(5L);
    commit(table, write(table, writer -> writer.delete(five)), "c2");
    int snapshots = tableSnapshots(table);
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
    assertThat(tableSnapshots(table)).isEqualTo(snapshots + 1);
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
  void deletingARowTwiceIsAConflict(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    RowLocation one = locations(table, "id").get(1L);
    commit(table, write(table, writer -> writer.delete(one)), "c2");
    assertThatThrownBy(() -> commit(table, write(table, w -> w.delete(one)), "c3"))
        .hasMessageContaining("COMMIT_CONFLICT")
        .hasMessageContaining("deleted already");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aPositionBehindTheEndOfItsFileIsRefused(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    String file = locations(table, "id").get(1L).file();
    assertThatThrownBy(
            () -> commit(table, write(table, w -> w.delete(new RowLocation(file, 3))), "c2"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("behind the end");
    assertThat(rows(table, "id")).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(
      value = TestSetup.class,
      names = {"HADOOP_V2", "SQLITE_V2"})
  void partitionScopedDeletesOfOthersStayAndCount(TestSetup setup) throws Exception {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 4), "c1");
    commit(table, writeIds(table, 4, 8), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    foreignPositionDelete(table, live.get(1L), live.get(5L));
    assertThat(rows(table, "id")).hasSize(6);
    commit(table, write(table, writer -> writer.delete(live.get(2L))), "c3");
    assertThat(rows(table, "id")).containsExactly("0", "3", "4", "6", "7");
    assertThatThrownBy(
            () -> commit(table, write(table, writer -> writer.delete(live.get(1L))), "c4"))
        .hasMessageContaining("deleted already");
    table.updateProperties().set("format-version", "3").commit();
    table.refresh();
    commit(table, write(table, writer -> writer.delete(live.get(6L))), "c5");
    assertThat(rows(table, "id")).containsExactly("0", "3", "4", "7");
    commit(
        table,
        write(
            table,
            writer -> {
              writer.delete(live.get(0L));
              writer.delete(live.get(3L));
            }),
        "c6");
    assertThat(rows(table, "id")).containsExactly("4", "7");
    assertThat(tasks(table)).hasSize(1);
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
  @EnumSource(
      value = TestSetup.class,
      names = {"HADOOP_V2", "SQLITE_V2"})
  void positionDeletesOfAnUpgradedTableGoIntoTheVector(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 10), "c1");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    commit(table, write(table, writer -> writer.delete(live.get(4L))), "c2");
    table.updateProperties().set("format-version", "3").commit();
    table.refresh();
    commit(table, write(table, writer -> writer.delete(live.get(6L))), "c3");
    assertThat(rows(table, "id")).hasSize(8).doesNotContain("4", "6");
    assertThat(deleteFiles(table)).hasSize(1);
    assertThat(deleteFiles(table).get(0).format()).isEqualTo(FileFormat.PUFFIN);
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
  void rowsOfOtherPartitionSpecsCanBeDeleted(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 4), "c1");
    table.updateSpec().addField("name").commit();
    table.refresh();
    commit(table, writeIds(table, 4, 6), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    commit(
        table,
        write(
            table,
            writer -> {
              writer.delete(live.get(1L));
              writer.delete(live.get(4L));
            }),
        "c3");
    assertThat(rows(table, "id")).containsExactly("0", "2", "3", "5");
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

  private static void foreignPositionDelete(Table table, RowLocation... locations)
      throws java.io.IOException {
    PositionDeleteWriter<RowData> writer =
        new FlinkFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .build()
            .newPositionDeleteWriter(
                OutputFileFactory.builderFor(table, 9, 9)
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(),
                table.spec(),
                null);
    PositionDelete<RowData> delete = PositionDelete.create();
    try (writer) {
      java.util.Arrays.stream(locations)
          .sorted(java.util.Comparator.comparing(RowLocation::file))
          .forEach(location -> writer.write(delete.set(location.file(), location.position())));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    table.refresh();
  }

  static void foreignAppend(Table table, int id) {
    Map.Entry<Integer, List<WriteOutcome>> written = Map.entry(id, writeIds(table, id, id + 1));
    var append = table.newAppend();
    written.getValue().forEach(o -> o.dataFiles().forEach(append::appendFile));
    append.commit();
  }

  static void assertOneOwnDeleteFilePerFile(Table table, TestSetup setup) {
    for (FileScanTask task : tasks(table)) {
      List<DeleteFile> own = task.deletes().stream().filter(ContentFileUtil::isFileScoped).toList();
      assertThat(task.deletes()).hasSize(own.size());
      assertThat(own).hasSizeLessThanOrEqualTo(1);
      assertThat(own)
          .allMatch(
              file ->
                  file.format() == (setup.version == 3 ? FileFormat.PUFFIN : FileFormat.PARQUET));
      assertThat(own)
          .allMatch(
              file ->
                  task.file().location().equals(ContentFileUtil.referencedDataFileLocation(file)));
    }
  }

  private static int tableSnapshots(Table table) {
    table.refresh();
    int count = 0;
    for (var ignored : table.snapshots()) {
      count++;
    }
    return count;
  }
}
