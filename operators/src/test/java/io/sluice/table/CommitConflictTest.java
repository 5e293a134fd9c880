package io.sluice.table;

import static io.sluice.table.TableCommitterTest.assertOneOwnDeleteFilePerFile;
import static io.sluice.table.TableCommitterTest.foreignAppend;
import static io.sluice.table.TestRows.appendRequest;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.planned;
import static io.sluice.table.TestRows.request;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What other writers do between the plan of a commit and the commit, and what catalogs answer. */
class CommitConflictTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCompactionThatKeptTheTouchedFileIsPassed(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    commit(table, writeIds(table, 10, 15), "c2");
    TreeMap<Object, RowLocation> live = locations(table, "id");
    CommitRequest late = deleteRequest(table, live.get(1L), "c3");
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
    CommitRequest late = deleteRequest(table, live.get(1L), "c3");
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
    CommitResult result = committer().commit(faulty, deleteRequest(table, live.get(1L), "c4"));
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(rows(table, "id")).hasSize(8).doesNotContain("0", "1");
    assertOneOwnDeleteFilePerFile(table, setup);
    assertThat(puffinAndDeleteFiles()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRefusedCommitIsTriedAgain(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest request = request(table, writeIds(table, 0, 2), "c1");
    Table faulty =
        FaultyOperations.table(
            table, FaultyOperations.REFUSED, FaultyOperations.REFUSED, FaultyOperations.REFUSED);
    assertThat(committer().commit(faulty, request).attempts()).isEqualTo(4);
    assertThat(rows(table, "id")).containsExactly("0", "1");
    assertThat(snapshots(table)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCommitThatIsAlwaysRefusedEndsAsAConflict(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest request = request(table, writeIds(table, 0, 2), "c1");
    FaultyOperations.Step[] steps = new FaultyOperations.Step[TableCommitter.MAX_ATTEMPTS];
    java.util.Arrays.fill(steps, FaultyOperations.REFUSED);
    assertConflict(FaultyOperations.table(table, steps), request).hasMessageContaining("12 times");
    table.refresh();
    assertThat(snapshots(table)).isZero();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCommitThatLandedIsFoundAgainWhateverTheCatalogSays(TestSetup setup) {
    for (FaultyOperations.Step step :
        List.of(FaultyOperations.LANDED_BUT_REFUSED, FaultyOperations.LANDED_BUT_UNKNOWN)) {
      Path place = folder.resolve(Integer.toString(step.hashCode()));
      place.toFile().mkdirs();
      Table table = setup.createIdName(place);
      commit(table, writeIds(table, 0, 3), "c1");
      RowLocation one = locations(table, "id").get(1L);
      CommitRequest request = deleteRequest(table, one, "c2");
      CommitResult result = committer().commit(FaultyOperations.table(table, step), request);
      assertThat(result.alreadyCommitted()).isFalse();
      assertThat(rows(table, "id")).containsExactly("0", "2");
      assertThat(snapshots(table)).isEqualTo(2);
      assertThat(result.snapshotId()).isEqualTo(table.currentSnapshot().snapshotId());
    }
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCommitThatWasLostWithoutAnAnswerIsMadeOnce(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest request = request(table, writeIds(table, 0, 3), "c1");
    Table faulty =
        FaultyOperations.table(
            table, FaultyOperations.LOST_AND_UNKNOWN, FaultyOperations.LOST_WITH_ODD_ERROR);
    assertThat(committer().commit(faulty, request).attempts()).isEqualTo(3);
    assertThat(rows(table, "id")).containsExactly("0", "1", "2");
    assertThat(snapshots(table)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aDoubtThatRemainsIsReportedAndTheFilesStay(TestSetup setup) {
    Table table = setup.createIdName(folder);
    List<WriteOutcome> outcomes = writeIds(table, 0, 3);
    CommitRequest request = request(table, outcomes, "c1");
    FaultyOperations.Step[] steps = new FaultyOperations.Step[TableCommitter.MAX_ATTEMPTS];
    java.util.Arrays.fill(steps, FaultyOperations.LOST_AND_UNKNOWN);
    assertThatThrownBy(() -> committer().commit(FaultyOperations.table(table, steps), request))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COMMIT_UNKNOWN));
    assertThat(table.io().newInputFile(outcomes.get(0).dataFiles().get(0).location()).exists())
        .isTrue();
    assertThat(committer().commit(table, request).alreadyCommitted()).isFalse();
    assertThat(rows(table, "id")).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aConflictAfterADoubtDoesNotPretendThatNothingLanded(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest request = request(table, writeIds(table, 0, 3), "c1");
    FaultyOperations.Step step =
        (real, base, updated) -> {
          foreignAppend(table, 50);
          FaultyOperations.LOST_AND_UNKNOWN.commit(real, base, updated);
        };
    assertThatThrownBy(() -> committer().commit(FaultyOperations.table(table, step), request))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COMMIT_UNKNOWN));
    assertThat(rows(table, "id")).containsExactly("50");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theManifestsOfACommitThatLandedButWasRefusedStayReadable(TestSetup setup) {
    Table table = setup.createIdName(folder);
    CommitRequest request = request(table, writeIds(table, 0, 3), "c1");
    committer().commit(FaultyOperations.table(table, FaultyOperations.LANDED_BUT_REFUSED), request);
    Table fresh = setup.catalog(folder).loadTable(TestSetup.NAME);
    assertThat(tasks(fresh)).hasSize(1);
    assertThat(rows(fresh, "id")).containsExactly("0", "1", "2");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void ofTwoTasksThatMakeTheSameCommitAtOnceBothNameTheSnapshotThatLanded(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    CommitRequest request = deleteRequest(table, locations(table, "id").get(1L), "c2");
    Table other = setup.catalog(folder).loadTable(TestSetup.NAME);
    CommitResult[] first = new CommitResult[1];
    CommitResult second =
        committer()
            .commit(
                FaultyOperations.table(
                    table,
                    FaultyOperations.after(() -> first[0] = committer().commit(other, request))),
                request);
    table.refresh();
    assertThat(second.snapshotId()).isEqualTo(table.currentSnapshot().snapshotId());
    assertThat(second.snapshotId()).isEqualTo(first[0].snapshotId());
    assertThat(second.alreadyCommitted()).isTrue();
    assertThat(rows(table, "id")).containsExactly("0", "2", "3", "4");
    assertThat(puffinAndDeleteFiles()).isEqualTo(1);
    commit(table, writeIds(table, 5, 6), "c3");
    assertOneOwnDeleteFilePerFile(table, setup);
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertConflict(
      Table table, CommitRequest request) {
    return assertThatThrownBy(() -> committer().commit(table, request))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COMMIT_CONFLICT));
  }

  private static CommitRequest deleteRequest(Table table, RowLocation location, String id) {
    List<WriteOutcome> outcomes = write(table, writer -> writer.delete(location));
    return request(table, outcomes, id);
  }

  /** Rewrites one data file and its deletes as compaction does, by hand. */
  static void compact(Table table, String path) {
    FileScanTask task =
        tasks(table).stream()
            .filter(t -> t.file().location().equals(path))
            .findFirst()
            .orElseThrow();
    List<RowSplit> splits =
        LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of()).stream()
            .filter(split -> split.file().location().equals(path))
            .toList();
    List<WriteOutcome> rewritten =
        write(
            table,
            writer -> {
              LocatedRowReader reader = new LocatedRowReader(table, table.schema());
              for (RowSplit split : splits) {
                reader.read(split, Selection.all(), (row, file, position) -> writer.insert(row, 0));
              }
            });
    RewriteFiles rewrite =
        table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
    rewrite.deleteFile(task.file());
    for (DeleteFile delete : task.deletes()) {
      rewrite.deleteFile(delete);
    }
    for (WriteOutcome outcome : rewritten) {
      for (DataFile file : outcome.dataFiles()) {
        rewrite.addFile(file);
      }
    }
    rewrite.commit();
  }

  private static long snapshots(Table table) {
    table.refresh();
    return StreamSupport.stream(table.snapshots().spliterator(), false).count();
  }

  /** Delete files on disk: those of the table, and none of a failed attempt. */
  private long puffinAndDeleteFiles() {
    try (var files = java.nio.file.Files.walk(folder)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> name.contains("deletes") && !name.endsWith(".crc"))
          .count();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
