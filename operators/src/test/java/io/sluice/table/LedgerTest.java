package io.sluice.table;

import static io.sluice.table.ForeignCommits.foreignAppend;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.planned;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerTest {

  @TempDir Path folder;

  @Test
  void everyEntryIsReadBackFromTheSummary() {
    Ledger ledger =
        Ledger.start("pipe").toBuilder()
            .commit(CommitId.of("u", 2))
            .position("a.b.flow", "{\"x\":1}")
            .position("f", "{}")
            .version("f", "7")
            .once("f", new Ledger.OnceEntry(Instant.parse("2026-01-02T03:04:05.678901Z"), "ab cd"))
            .fact("f", "kind", "AUTO_CDC")
            .raiseFloor("05")
            .raiseFloor("04")
            .companion(-5)
            .quarantine(6)
            .extra("note", "n")
            .build();
    Ledger back = Ledger.fromSummary(ledger.toSummary()).orElseThrow();
    assertThat(back).isEqualTo(ledger).hasSameHashCodeAs(ledger);
    assertThat(back.pipeline()).isEqualTo("pipe");
    assertThat(back.lineage()).isEqualTo(ledger.lineage());
    assertThat(back.commit()).contains(new CommitId("u/2"));
    assertThat(back.flows()).containsExactly("a.b.flow", "f");
    assertThat(back.position("a.b.flow")).contains("{\"x\":1}");
    assertThat(back.version("f")).contains("7");
    assertThat(back.once("f").orElseThrow().digest()).isEqualTo("ab cd");
    assertThat(back.once("f").orElseThrow().at())
        .isEqualTo(Instant.parse("2026-01-02T03:04:05.678901Z"));
    assertThat(back.fact("f", "kind")).contains("AUTO_CDC");
    assertThat(back.floor()).contains("05");
    assertThat(back.companion()).hasValue(-5);
    assertThat(back.quarantine()).hasValue(6);
    assertThat(back.extra("note")).contains("n");
    assertThat(back.once("a.b.flow")).isEmpty();
  }

  @Test
  void removingAFlowLeavesFlowsWhoseNamesBeginAlike() {
    Ledger ledger =
        Ledger.start("p").toBuilder()
            .position("f", "1")
            .version("f", "2")
            .position("f.g", "3")
            .removeFlow("f")
            .build();
    assertThat(ledger.flows()).containsExactly("f.g");
  }

  @Test
  void aSummaryWithoutACommitIdCarriesNoLedger() {
    assertThat(Ledger.fromSummary(Ledger.start("p").toSummary())).isEmpty();
    assertThat(Ledger.fromSummary(null)).isEmpty();
  }

  @Test
  void lineagesDiffer() {
    assertThat(Ledger.start("p").lineage()).isNotEqualTo(Ledger.start("p").lineage());
  }

  @Test
  void positionsBeyondTheLimitAreRefused() {
    String half = "x".repeat(Ledger.MAX_POSITIONS_LENGTH / 2);
    Ledger.Builder builder = Ledger.start("p").toBuilder().position("f", half).position("g", half);
    assertThat(builder.build().flows()).hasSize(2);
    assertThatThrownBy(() -> builder.position("h", "y").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16384");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aTableOfOthersHasNone(TestSetup setup) {
    Table table = setup.createIdName(folder);
    assertThat(Ledger.read(table)).isEmpty();
    foreignAppend(table, 1);
    assertThat(Ledger.read(table)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void foreignCommitsDoNotHideIt(TestSetup setup) {
    Table table = setup.createIdName(folder);
    long own = commitPosition(table, "1");
    foreignAppend(table, 10);
    foreignAppend(table, 11);
    Ledger.Found found = Ledger.read(table).orElseThrow();
    assertThat(found.snapshotId()).isEqualTo(own);
    assertThat(found.ledger().position("f")).contains("1");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRollbackRollsItBack(TestSetup setup) {
    Table table = setup.createIdName(folder);
    long first = commitPosition(table, "1");
    commitPosition(table, "2");
    assertThat(Ledger.read(table).orElseThrow().ledger().position("f")).contains("2");
    table.manageSnapshots().rollbackTo(first).commit();
    table.refresh();
    assertThat(Ledger.read(table).orElseThrow().ledger().position("f")).contains("1");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRollbackToBeforeTheFirstCommitLeavesNone(TestSetup setup) {
    Table table = setup.createIdName(folder);
    foreignAppend(table, 1);
    long before = table.currentSnapshot().snapshotId();
    committer().commit(table, requestWithPosition(table, "1"));
    table.manageSnapshots().rollbackTo(before).commit();
    table.refresh();
    assertThat(Ledger.read(table)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theMirrorServesWhenItsSnapshotIsTheExpiredParent(TestSetup setup) {
    Table table = setup.createIdName(folder);
    long own = commitPosition(table, "1");
    foreignAppend(table, 10);
    expireAllButCurrent(table);
    forgetOlderMetadata(table);
    Ledger.Found found = Ledger.read(table).orElseThrow();
    assertThat(found.snapshotId()).isEqualTo(own);
    assertThat(found.ledger().position("f")).contains("1");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void olderMetadataLinksExpiredSnapshots(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commitPosition(table, "1");
    foreignAppend(table, 10);
    foreignAppend(table, 11);
    foreignAppend(table, 12);
    expireAllButCurrent(table);
    assertThat(Ledger.read(table).orElseThrow().ledger().position("f")).contains("1");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRolledBackMirrorIsNotBelievedAfterExpiry(TestSetup setup) {
    Table table = setup.createIdName(folder);
    long first = commitPosition(table, "1");
    commitPosition(table, "2");
    table.manageSnapshots().rollbackTo(first).commit();
    table.refresh();
    foreignAppend(table, 10);
    expireAllButCurrent(table);
    assertThat(Ledger.read(table).orElseThrow().ledger().position("f")).contains("1");
    forgetOlderMetadata(table);
    assertCorrupt(table);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aLostLinkToTheMirrorIsAnError(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commitPosition(table, "1");
    foreignAppend(table, 10);
    foreignAppend(table, 11);
    expireAllButCurrent(table);
    forgetOlderMetadata(table);
    assertCorrupt(table);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anUnreadableMirrorIsAnErrorOnlyWhereItIsNeeded(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commitPosition(table, "1");
    table.updateProperties().set(LedgerMirror.PROPERTY, "{").commit();
    table.refresh();
    assertThat(Ledger.read(table)).isPresent();
    foreignAppend(table, 10);
    expireAllButCurrent(table);
    assertCorrupt(table);
  }

  private static CommitRequest requestWithPosition(Table table, String position) {
    return new CommitRequest(
        writeIds(table, 0, 1),
        Ledger.start("p").toBuilder().position("f", position).build(),
        planned(table),
        false,
        false,
        new CommitId("c" + position));
  }

  private static long commitPosition(Table table, String position) {
    return committer().commit(table, requestWithPosition(table, position)).snapshotId();
  }

  private static void expireAllButCurrent(Table table) {
    table.expireSnapshots().expireOlderThan(System.currentTimeMillis() + 1).retainLast(1).commit();
    table.refresh();
    assertThat(table.snapshots()).hasSize(1);
  }

  /** Removes the metadata files that came before the current one. */
  private static void forgetOlderMetadata(Table table) {
    TableMetadata metadata = ((HasTableOperations) table).operations().current();
    List<TableMetadata.MetadataLogEntry> older = metadata.previousFiles();
    assertThat(older).isNotEmpty();
    older.forEach(entry -> table.io().deleteFile(entry.file()));
  }

  private static void assertCorrupt(Table table) {
    assertThatThrownBy(() -> Ledger.read(table))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_CORRUPT));
  }
}
