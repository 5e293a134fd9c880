package io.sluice.table;

import static io.sluice.table.Rewrites.delete;
import static io.sluice.table.Rewrites.fill;
import static io.sluice.table.Rewrites.read;
import static io.sluice.table.Rewrites.rewriter;
import static io.sluice.table.TestRows.assertOneOwnDeleteFilePerFile;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteRequest;
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

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files are rewritten beside writers that know rows by the files in which they lay. */
class RewriteBesideWritersTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void rowsThatWereDeletedMeanwhileAreDeletedInTheNewFiles(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    delete(table, "d1", 3L);
    List<RewrittenGroup> read = read(table);
    delete(table, "d2", 2L, 4L, 47L);
    assertThat(rewriter().commit(table, read).groupsLeft()).isZero();
    assertThat(rows(table, "id")).hasSize(46).doesNotContain("2", "3", "4", "47").contains("1");
    assertThat(tasks(table)).hasSize(1);
    assertOneOwnDeleteFilePerFile(table, setup);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aGroupOfWhichAFileIsGoneIsLeftOutAndRemoved(TestSetup setup) throws IOException {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    List<RewrittenGroup> read = read(table);
    rewriter().rewrite(table, 1);
    assertThat(rewriter().commit(table, read)).isEqualTo(new FileRewrite.Result(0, 0, 0, 1));
    assertThat(rows(table, "id")).hasSize(50);
    try (Stream<Path> files = Files.walk(Path.of(table.location()).resolve("data"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".parquet"))).hasSize(6);
    }
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aWriterThatKnowsRowsByTheirOldPlacesGoesOn(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    delete(table, "d", 1L, 2L);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    TableCommitter committer = committer();
    CommitRequest planned = deleteRequest(table, "e1", known.get(7L), known.get(33L));
    rewriter().rewrite(table, 1);
    committer.commit(table, planned);
    assertThat(rows(table, "id")).hasSize(46).doesNotContain("7", "33");
    committer.commit(table, deleteRequest(table, "e2", known.get(0L), known.get(49L)));
    assertThat(rows(table, "id")).hasSize(44).doesNotContain("0", "49");
    OptionalLong last = planned(table);
    for (int i = 0; i < 5; i++) {
      commit(table, writeIds(table, 100 + i, 101 + i), "f" + i);
    }
    rewriter().rewrite(table, 1);
    assertThatThrownBy(() -> committer().commit(table, deleteRequest(table, "g", known.get(8L))))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COMMIT_CONFLICT));
    assertThat(last).isPresent();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCommitterThatGoesOnFromACheckpointKnowsWhatWasRewrittenBeforeItAndSinceThen(
      TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    TableCommitter first = committer();
    CommitRequest early = deleteRequest(table, "e1", known.get(0L));
    rewriter().rewrite(table, 1);
    first.commit(table, early);
    byte[] checkpoint = first.followed(table.currentSnapshot().snapshotId());
    for (int i = 0; i < 5; i++) {
      first.commit(table, request(table, writeIds(table, 100 + i, 101 + i), "f" + i));
    }
    CommitRequest late = deleteRequest(table, "e2", known.get(1L));
    rewriter().rewrite(table, 1);
    first.commit(table, late);
    TableCommitter second = committer();
    second.follow(table, checkpoint);
    second.commit(table, deleteRequest(table, "e3", known.get(2L), known.get(48L)));
    assertThat(rows(table, "id")).hasSize(51).doesNotContain("0", "1", "2", "48").contains("104");
    assertOneOwnDeleteFilePerFile(table, setup);
  }

  /**
   * Writers as they are in a continuous run, with an index of places that nobody corrects, beside
   * rewrites that read before some commits and commit behind them.
   */
  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void manyChangesBesideManyRewritesLeaveWhatTheModelSays(TestSetup setup) {
    for (int seed = 1; seed <= 2; seed++) {
      Path own = folder.resolve("seed" + seed);
      own.toFile().mkdirs();
      Random random = new Random(seed);
      Table table =
          setup.create(
              own,
              TestSetup.ID_NAME,
              List.of("id"),
              Map.of("write.parquet.row-group-size-bytes", "1024"));
      TableCommitter committer = committer();
      TreeMap<Long, RowLocation> index = new TreeMap<>();
      TreeMap<Long, String> model = new TreeMap<>();
      OptionalLong last = OptionalLong.empty();
      List<RewrittenGroup> waiting = List.of();
      int rewrites = 0;
      for (int step = 0; step < 40; step++) {
        List<Long> ids = random.longs(8, 0, 40).distinct().boxed().toList();
        String value = "s" + step;
        List<WriteOutcome> changes =
            write(
                table,
                writer -> {
                  for (long id : ids) {
                    RowLocation old = index.remove(id);
                    model.remove(id);
                    if (old != null) {
                      writer.delete(old);
                    }
                    if (random.nextInt(4) > 0) {
                      index.put(id, writer.insertLocated(row(id, value), 0));
                      model.put(id, value);
                    }
                  }
                });
        CommitRequest request =
            new CommitRequest(
                changes, Ledger.start("p"), last, false, true, CommitId.of("run", step + 1));
        last = OptionalLong.of(committer.commit(table, request).snapshotId());
        if (step % 4 == 1) {
          waiting = read(table);
        }
        if (step % 4 == random.nextInt(2) + 2 && !waiting.isEmpty()) {
          rewrites += rewriter().commit(table, waiting).commits();
          waiting = List.of();
        }
        assertThat(rows(table, "id", "name"))
            .as("seed %d, step %d", seed, step)
            .isEqualTo(
                model.entrySet().stream()
                    .map(e -> e.getKey() + "|" + e.getValue())
                    .sorted()
                    .toList());
      }
      assertThat(rewrites).isGreaterThan(3);
      assertOneOwnDeleteFilePerFile(table, setup);
    }
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void tooManyRewrittenFilesAreForgottenAndEndInAConflict(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    rewriter().rewrite(table, 1);
    Relocations relocations = new Relocations(4);
    relocations.follow(table, List.of(table.currentSnapshot()));
    Map<String, DeletedPositions> places =
        Map.of(known.get(1L).file(), DeletedPositions.of(known.get(1L).position()));
    assertThat(relocations.translate(places)).isEqualTo(places);
    Relocations more = new Relocations(5);
    more.follow(table, List.of(table.currentSnapshot()));
    assertThat(more.translate(places))
        .isEqualTo(Map.of(locations(table, "id").get(1L).file(), DeletedPositions.of(1)));
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aCommitThatComesFirstIsPassedByTheRewriteAndTheOtherWayRound(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    Table other = setup.catalog(folder).loadTable(TestSetup.NAME);
    List<RewrittenGroup> read = read(table);
    CommitRequest late = deleteRequest(other, "late", known.get(20L));
    Table faulty =
        FaultyOperations.table(
            table, FaultyOperations.after(() -> committer().commit(other, late)));
    assertThat(rewriter().commit(faulty, read).commits()).isEqualTo(1);
    assertThat(rows(table, "id")).hasSize(49).doesNotContain("20");
    assertOneOwnDeleteFilePerFile(table, setup);
  }
}
