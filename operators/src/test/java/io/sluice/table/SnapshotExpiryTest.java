package io.sluice.table;

import static io.sluice.table.ForeignCommits.foreignAppend;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.request;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotExpiryTest {

  /** In the future, so that age keeps nothing. */
  private static final Duration ANY_AGE = Duration.ofMinutes(-1);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void whatIsYoungOrAmongTheNewestStays(TestSetup setup) {
    Table table = filled(setup, 8);
    assertThat(SnapshotExpiry.expire(table, rule(Duration.ofHours(1), 1), List.of())).isZero();
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 8), List.of())).isZero();
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 3), List.of())).isEqualTo(5);
    assertThat(ids(table)).hasSize(3).endsWith(table.currentSnapshot().snapshotId());
    assertThat(rows(table, "id")).hasSize(8);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesOfDeletedRowsGoWithTheSnapshotsThatHadThem(TestSetup setup) throws IOException {
    Table table = filled(setup, 5);
    new FileRewrite(attempt -> {}).rewrite(table, 1);
    assertThat(dataFiles(table)).isEqualTo(6);
    commit(table, writeIds(table, 100, 101), "later");
    SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of());
    assertThat(dataFiles(table)).isEqualTo(2);
    assertThat(table.statisticsFiles()).isEmpty();
    assertThat(rows(table, "id")).hasSize(6);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theNewestLedgerAndWhatCameAfterItStay(TestSetup setup) {
    Table table = filled(setup, 5);
    long ledger = table.currentSnapshot().snapshotId();
    for (int i = 0; i < 3; i++) {
      foreignAppend(table, 50 + i);
    }
    table.refresh();
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of())).isEqualTo(4);
    assertThat(ids(table)).hasSize(4).contains(ledger);
    assertThat(Ledger.read(table).orElseThrow().snapshotId()).isEqualTo(ledger);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aWriterBehindARewriteGoesOnAfterTheExpiry(TestSetup setup) {
    Table table = filled(setup, 5);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    TableCommitter committer = committer();
    CommitRequest late =
        request(table, write(table, writer -> writer.delete(known.get(3L))), "late");
    new FileRewrite(attempt -> {}).rewrite(table, 1);
    SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of());
    committer.commit(table, late);
    assertThat(rows(table, "id")).containsExactly("0", "1", "2", "4");
    SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of());
    committer.commit(
        table, request(table, write(table, writer -> writer.delete(known.get(4L))), "later"));
    assertThat(rows(table, "id")).containsExactly("0", "1", "2");
  }

  /** Vectors of several files lie in one file, and one of them is replaced. */
  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void deletesOfAFileStayThoughThoseBesideThemWereReplaced(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 5), "c1");
    commit(table, writeIds(table, 10, 15), "c2");
    TreeMap<Object, RowLocation> known = locations(table, "id");
    delete(table, "d1", known.get(1L), known.get(11L));
    for (long id = 2; id < 4; id++) {
      delete(table, "d" + id, known.get(id));
    }
    SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of());
    assertThat(ids(table)).hasSize(1);
    assertThat(rows(table, "id")).containsExactly("0", "10", "12", "13", "14", "4");
    delete(table, "e", known.get(12L));
    SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of());
    assertThat(rows(table, "id")).containsExactly("0", "10", "13", "14", "4");
  }

  private static void delete(Table table, String commit, RowLocation... places) {
    commit(table, write(table, writer -> List.of(places).forEach(writer::delete)), commit);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void snapshotsFromTheOneOfAReaderOnStay(TestSetup setup) {
    Table table = filled(setup, 6);
    List<Long> all = ids(table);
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of(all.get(4), all.get(2))))
        .isEqualTo(2);
    assertThat(ids(table)).isEqualTo(all.subList(2, 6));
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void snapshotsWithATagStay(TestSetup setup) {
    Table table = filled(setup, 6);
    List<Long> all = ids(table);
    table.manageSnapshots().createTag("seed", all.get(1)).commit();
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of())).isEqualTo(4);
    assertThat(ids(table)).containsExactlyInAnyOrder(all.get(1), all.get(5));
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of())).isZero();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theTablesPropertiesWin(TestSetup setup) {
    Table table = filled(setup, 2);
    assertThat(SnapshotExpiry.Rule.CONTINUOUS.of(table)).isEqualTo(rule(Duration.ofHours(1), 100));
    table
        .updateProperties()
        .set("history.expire.max-snapshot-age-ms", "60000")
        .set("history.expire.min-snapshots-to-keep", "7")
        .commit();
    assertThat(SnapshotExpiry.Rule.CONTINUOUS.of(table)).isEqualTo(rule(Duration.ofMinutes(1), 7));
    table.updateProperties().set("gc.enabled", "false").commit();
    assertThat(SnapshotExpiry.expire(table, rule(ANY_AGE, 1), List.of())).isZero();
    assertThat(ids(table)).hasSize(2);
  }

  private static SnapshotExpiry.Rule rule(Duration age, int least) {
    return new SnapshotExpiry.Rule(age, least);
  }

  /** One row per commit. */
  private Table filled(TestSetup setup, int commits) {
    Table table = setup.createIdName(folder);
    for (int i = 0; i < commits; i++) {
      commit(table, writeIds(table, i, i + 1), "c" + i);
    }
    return table;
  }

  private static List<Long> ids(Table table) {
    table.refresh();
    return StreamSupport.stream(table.snapshots().spliterator(), false)
        .sorted(java.util.Comparator.comparingLong(Snapshot::sequenceNumber))
        .map(Snapshot::snapshotId)
        .toList();
  }

  private static long dataFiles(Table table) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(table.location()).resolve("data"))) {
      return files.filter(file -> file.toString().endsWith(".parquet")).count();
    }
  }
}
