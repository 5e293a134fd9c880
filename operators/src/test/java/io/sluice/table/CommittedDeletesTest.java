package io.sluice.table;

import static io.sluice.table.ForeignCommits.foreignPositionDelete;
import static io.sluice.table.TestRows.assertOneOwnDeleteFilePerFile;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.deleteFiles;
import static io.sluice.table.TestRows.locations;
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
import java.util.TreeMap;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deleted rows are positions in files, and one delete file per data file has all of them. */
class CommittedDeletesTest {

  @TempDir Path folder;

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
}
