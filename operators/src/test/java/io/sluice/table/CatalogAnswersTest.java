package io.sluice.table;

import static io.sluice.table.ForeignCommits.foreignAppend;
import static io.sluice.table.TestRows.assertConflict;
import static io.sluice.table.TestRows.assertOneOwnDeleteFilePerFile;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteFilesOnDisk;
import static io.sluice.table.TestRows.deleteRequest;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.request;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.snapshots;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a commit that the catalog refuses, loses or leaves in doubt. */
class CatalogAnswersTest {

  @TempDir Path folder;

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
      CommitRequest request = deleteRequest(table, "c2", one);
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
    CommitRequest request = deleteRequest(table, "c2", locations(table, "id").get(1L));
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
    assertThat(deleteFilesOnDisk(folder)).isEqualTo(1);
    commit(table, writeIds(table, 5, 6), "c3");
    assertOneOwnDeleteFilePerFile(table, setup);
  }
}
