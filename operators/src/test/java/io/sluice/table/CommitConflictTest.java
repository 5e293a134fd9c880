package io.sluice.table;

import static io.sluice.table.ForeignCommits.compact;
import static io.sluice.table.ForeignCommits.foreignAppend;
import static io.sluice.table.TestRows.appendRequest;
import static io.sluice.table.TestRows.assertConflict;
import static io.sluice.table.TestRows.assertOneOwnDeleteFilePerFile;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteFilesOnDisk;
import static io.sluice.table.TestRows.deleteRequest;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.planned;
import static io.sluice.table.TestRows.request;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What other writers do between the plan of a commit and the commit. */
class CommitConflictTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCompactionThatKeptTheTouchedFileIsPassed(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    commit(table, writeIds(table, 10, 15), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    CommitRequest late = deleteRequest(table, "c3", live.get(1L));
    compact(table, live.get(10L).file());
    committer().commit(table, late);
    assertThat(rows(table, "id")).hasSize(9).doesNotContain("1");
    assertOneOwnDeleteFilePerFile(table, setup);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCompactionThatRemovedTheTouchedFileIsAConflictThatNamesIt(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    CommitRequest late = deleteRequest(table, "c3", live.get(1L));
    compact(table, live.get(1L).file());
    assertConflict(table, late)
        .hasMessageContaining("no data file " + live.get(1L).file())
        .hasMessageContaining("operation replace")
        .hasMessageContaining(Long.toString(table.currentSnapshot().snapshotId()));
    assertThat(rows(table, "id")).hasSize(5);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aForeignAppendToAKeyedTargetIsAConflict(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 2), "c1");
    CommitRequest late = request(table, writeIds(table, 2, 3), "c2");
    foreignAppend(table, 50);
    assertConflict(table, late).hasMessageContaining("operation append");
    assertThat(rows(table, "id")).containsExactly("0", "1", "50");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aForeignAppendToAnEmptyKeyedTargetIsAConflict(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest late = request(table, writeIds(table, 2, 3), "c2");
    foreignAppend(table, 50);
    assertConflict(table, late).hasMessageContaining("operation append");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anotherRunOfSluiceIsAConflictEvenForAppends(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest late = appendRequest(table, writeIds(table, 2, 3), "c2");
    committer().commit(table, appendRequest(table, writeIds(table, 0, 2), "c1"));
    assertConflict(table, late).hasMessageContaining("another run of Sluice");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRollbackBehindThePlanIsAConflict(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 1), "c1");
    long first = table.currentSnapshot().snapshotId();
    commit(table, writeIds(table, 1, 2), "c2");
    CommitRequest late = request(table, writeIds(table, 2, 3), "c3");
    table.manageSnapshots().rollbackTo(first).commit();
    assertConflict(table, late).hasMessageContaining("no ancestor");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aColumnThatIsDroppedOrRenamedIsAConflictAndOneThatIsAddedIsNot(TestSetup setup) {
    Catalog catalog = setup.catalog(folder);
    Table table = setup.createIdName(folder);
    Table other = catalog.loadTable(TestSetup.NAME);
    CommitRequest renamed = appendRequest(table, writeIds(table, 0, 1), "c1");
    other.updateSchema().renameColumn("name", "label").commit();
    assertConflict(table, renamed).hasMessageContaining("renamed the column 'name'");

    CommitRequest dropped = appendRequest(table, writeIds(table, 0, 1), "c2");
    other.updateSchema().addColumn("note", Types.StringType.get()).deleteColumn("label").commit();
    assertConflict(table, dropped).hasMessageContaining("dropped the column 'label'");

    CommitRequest fits = appendRequest(table, writeIds(table, 0, 1), "c3");
    other.updateSchema().addColumn("more", Types.StringType.get()).commit();
    committer().commit(table, fits);
    assertThat(rows(table, "id")).containsExactly("0");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aForeignDeleteIsAConflictForOurDeletes(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    commit(table, writeIds(table, 3, 6), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    CommitRequest late =
        new CommitRequest(
            write(table, writer -> writer.delete(live.get(4L))),
            Ledger.start("p"),
            planned(table),
            false,
            false,
            new CommitId("c3"));
    table.newDelete().deleteFile(live.get(1L).file()).commit();
    assertConflict(table, late).hasMessageContaining("operation delete");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aForeignAppendInTheMiddleOfAnAppendIsPassed(TestSetup setup) {
    Catalog catalog = setup.catalog(folder);
    Table table = setup.createIdName(folder);
    Table other = catalog.loadTable(TestSetup.NAME);
    CommitRequest request = appendRequest(table, writeIds(table, 0, 2), "c1");
    Table faulty =
        FaultyOperations.table(table, FaultyOperations.after(() -> foreignAppend(other, 50)));
    CommitResult result = committer().commit(faulty, request);
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(rows(table, "id")).containsExactly("0", "1", "50");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void deletesAreMergedAgainWhenACompactionOfDeletesWasFaster(TestSetup setup) {
    Catalog catalog = setup.catalog(folder);
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    commit(table, writeIds(table, 10, 15), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    commit(table, write(table, writer -> writer.delete(live.get(0L))), "c3");
    Table other = catalog.loadTable(TestSetup.NAME);
    Table faulty =
        FaultyOperations.table(
            table, FaultyOperations.after(() -> compact(other, live.get(10L).file())));
    CommitResult result = committer().commit(faulty, deleteRequest(table, "c4", live.get(1L)));
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(rows(table, "id")).hasSize(8).doesNotContain("0", "1");
    assertOneOwnDeleteFilePerFile(table, setup);
    assertThat(deleteFilesOnDisk(folder)).isEqualTo(2);
  }
}
