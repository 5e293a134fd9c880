package io.sluice.table;

import static io.sluice.table.TestRows.planned;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CompanionTest {

  private static final Schema HISTORY =
      new Schema(
          NestedField.optional(1, "id", Types.LongType.get()),
          NestedField.optional(
              2,
              "address",
              Types.StructType.of(NestedField.optional(3, "city", Types.StringType.get()))),
          NestedField.optional(
              4,
              "__START_AT",
              Types.StructType.of(
                  NestedField.optional(5, "a", Types.LongType.get()),
                  NestedField.optional(6, "b", Types.TimestampType.withZone()))),
          NestedField.optional(
              7,
              "__END_AT",
              Types.StructType.of(
                  NestedField.optional(8, "a", Types.LongType.get()),
                  NestedField.optional(9, "b", Types.TimestampType.withZone()))));

  @TempDir Path folder;
  private Catalog catalog;
  private Table target;

  private Companion create(TestSetup setup, Ledger ledger) {
    catalog = setup.catalog(folder);
    target = setup.create(folder, HISTORY, List.of("id", "__START_AT"));
    return Companion.ensure(catalog, TestSetup.NAME, target, ledger);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void itsColumnsAreTheTargetsAndThoseOfAnEvent(TestSetup setup) {
    Companion companion = create(setup, Ledger.start("p"));
    Schema schema = companion.table().schema();
    assertThat(schema.columns())
        .extracting(NestedField::name)
        .containsExactly(
            "id",
            "address",
            "__KIND",
            "__SEQUENCE",
            "__FLOW",
            "__SOURCE",
            "__OFFSET",
            "__APPLIED_AT",
            "__UPDATE");
    assertThat(schema.findField("id").isOptional()).isTrue();
    assertThat(schema.findType("__SEQUENCE.a")).isEqualTo(Types.LongType.get());
    assertThat(schema.findType("__SEQUENCE.b")).isEqualTo(Types.TimestampType.withZone());
    assertThat(companion.table().spec().fields().get(0).name()).isEqualTo("__KIND");
    assertThat(companion.table().name()).endsWith("t__log");
    assertThat(companion.snapshot()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void itFollowsTheColumnsOfTheTarget(TestSetup setup) {
    create(setup, Ledger.start("p"));
    target.updateSchema().addColumn("extra", Types.IntegerType.get()).commit();
    target.updateSchema().moveBefore("extra", "__START_AT").commit();
    target.refresh();
    Companion companion = Companion.ensure(catalog, TestSetup.NAME, target, Ledger.start("p"));
    assertThat(companion.table().schema().columns())
        .extracting(NestedField::name)
        .startsWith("id", "address", "extra", "__KIND")
        .hasSize(10);
  }

  @Test
  void theCompanionOfATargetWithoutKeysHoldsFilesOnly() {
    catalog = TestSetup.HADOOP_V3.catalog(folder);
    target = TestSetup.HADOOP_V3.create(folder, TestSetup.ID_NAME, List.of());
    Companion companion = Companion.ensure(catalog, TestSetup.NAME, target, Ledger.start("p"));
    assertThat(companion.table().schema().columns())
        .extracting(NestedField::name)
        .containsExactly("__KIND", "__FLOW", "__SOURCE", "__OFFSET", "__APPLIED_AT", "__UPDATE");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesAreReadAsOfTheSnapshotThatTheLedgerNames(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    long first = companion.commit(files(companion, "f", "1", "2"), new CommitId("u1"));
    assertThat(companion.readFileRows("f")).isEmpty();
    ledger = commitTarget(ledger.toBuilder().companion(first).build(), "u1");
    companion.finished(target, ledger);
    assertThat(companion.readFileRows("f")).containsExactlyInAnyOrder("1", "2");
    companion.commit(files(companion, "f", "3"), new CommitId("u2"));
    companion = Companion.open(catalog, TestSetup.NAME, ledger).orElseThrow();
    assertThat(companion.readFileRows("f")).containsExactlyInAnyOrder("1", "2");
    assertThat(companion.readFileRows("g")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anOrphanIsRolledBackBeforeTheNextCommit(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    long first = companion.commit(files(companion, "f", "1"), new CommitId("u1"));
    ledger = commitTarget(ledger.toBuilder().companion(first).build(), "u1");
    companion.commit(files(companion, "f", "orphan"), new CommitId("u2"));

    companion = Companion.open(catalog, TestSetup.NAME, ledger).orElseThrow();
    long third = companion.commit(files(companion, "f", "3"), new CommitId("u3"));
    assertThat(companion.table().snapshot(third).parentId()).isEqualTo(first);
    ledger = commitTarget(ledger.toBuilder().companion(third).build(), "u3");
    companion.finished(target, ledger);
    assertThat(companion.readFileRows("f")).containsExactlyInAnyOrder("1", "3");
    assertThat(rows(companion.table(), "__SOURCE")).containsExactly("1", "3");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anOrphanOfTheVeryFirstUpdateIsReplaced(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    companion.commit(files(companion, "f", "orphan"), new CommitId("u1"));
    companion = Companion.open(catalog, TestSetup.NAME, ledger).orElseThrow();
    long second = companion.commit(files(companion, "f", "2"), new CommitId("u2"));
    ledger = commitTarget(ledger.toBuilder().companion(second).build(), "u2");
    companion.finished(target, ledger);
    assertThat(companion.readFileRows("f")).containsExactly("2");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aFullRefreshStartsItAnew(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    long first = companion.commit(files(companion, "f", "1"), new CommitId("u1"));
    commitTarget(ledger.toBuilder().companion(first).build(), "u1");
    companion = Companion.open(catalog, TestSetup.NAME, Ledger.start("p")).orElseThrow();
    companion.commit(files(companion, "f", "2"), new CommitId("u2"));
    assertThat(rows(companion.table(), "__SOURCE")).containsExactly("2");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void theNamedSnapshotOutlivesExpiryAndOldTagsGo(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    long first = companion.commit(files(companion, "f", "1"), new CommitId("u1"));
    ledger = commitTarget(ledger.toBuilder().companion(first).build(), "u1");
    companion.finished(target, ledger);
    companion.commit(files(companion, "f", "orphan"), new CommitId("u2"));
    companion.table().refresh();
    companion.table().expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    companion = Companion.open(catalog, TestSetup.NAME, ledger).orElseThrow();
    assertThat(companion.readFileRows("f")).containsExactly("1");

    long third = companion.commit(files(companion, "f", "3"), new CommitId("u3"));
    ledger = commitTarget(ledger.toBuilder().companion(third).build(), "u3");
    companion.finished(target, ledger);
    assertThat(companion.table().refs()).containsKeys("sluice-" + first, "sluice-" + third);
    target.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    target.refresh();
    companion.finished(target, ledger);
    assertThat(companion.table().refs())
        .containsKey("sluice-" + third)
        .doesNotContainKey("sluice-" + first);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRollbackOfTheTargetReadsTheOlderCompanion(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    long first = companion.commit(files(companion, "f", "1"), new CommitId("u1"));
    ledger = commitTarget(ledger.toBuilder().companion(first).build(), "u1");
    companion.finished(target, ledger);
    long before = target.currentSnapshot().snapshotId();
    long second = companion.commit(files(companion, "f", "2"), new CommitId("u2"));
    ledger = commitTarget(ledger.toBuilder().companion(second).build(), "u2");
    companion.finished(target, ledger);
    target.manageSnapshots().rollbackTo(before).commit();
    target.refresh();
    companion =
        Companion.open(catalog, TestSetup.NAME, Ledger.read(target).orElseThrow().ledger())
            .orElseThrow();
    assertThat(companion.readFileRows("f")).containsExactly("1");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aRepeatedCommitLandsOnce(TestSetup setup) {
    Companion companion = create(setup, Ledger.start("p"));
    List<WriteOutcome> outcomes = files(companion, "f", "1");
    long first = companion.commit(outcomes, new CommitId("u1"));
    assertThat(companion.commit(outcomes, new CommitId("u1"))).isEqualTo(first);
    assertThat(rows(companion.table(), "__SOURCE")).containsExactly("1");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void eventsCanBeDeletedAgain(TestSetup setup) {
    Ledger ledger = Ledger.start("p");
    Companion companion = create(setup, ledger);
    long first =
        companion.commit(
            write(
                companion.table(),
                writer -> {
                  writer.insert(event(1L, "UPSERT"), 0);
                  writer.insert(event(2L, "DELETE"), 0);
                }),
            new CommitId("u1"));
    ledger = commitTarget(ledger.toBuilder().companion(first).build(), "u1");
    companion.finished(target, ledger);
    RowLocation one = TestRows.locations(companion.table(), "id").get(1L);
    Table log = companion.table();
    companion.commit(write(log, writer -> writer.delete(one)), new CommitId("u2"));
    assertThat(rows(log, "id", "__KIND", "__UPDATE")).containsExactly("2|DELETE|1");
  }

  @Test
  void aLostSnapshotIsAnError() {
    create(TestSetup.HADOOP_V3, Ledger.start("p"));
    Ledger wrong = Ledger.start("p").toBuilder().companion(4711).build();
    assertCorrupt(wrong);
    catalog.dropTable(Companion.identifier(TestSetup.NAME));
    assertCorrupt(wrong);
    assertThat(Companion.open(catalog, TestSetup.NAME, Ledger.start("p"))).isEmpty();
  }

  @Test
  void aForeignTableOfItsNameIsRefused() {
    catalog = TestSetup.HADOOP_V3.catalog(folder);
    catalog.createTable(
        Companion.identifier(TestSetup.NAME), HISTORY, PartitionSpec.unpartitioned());
    assertThatThrownBy(() -> Companion.open(catalog, TestSetup.NAME, Ledger.start("p")))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED));
  }

  private void assertCorrupt(Ledger ledger) {
    assertThatThrownBy(() -> Companion.open(catalog, TestSetup.NAME, ledger))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_CORRUPT))
        .hasMessageContaining("4711");
  }

  private Ledger commitTarget(Ledger ledger, String id) {
    TestRows.committer()
        .commit(
            target,
            new CommitRequest(List.of(), ledger, planned(target), false, true, new CommitId(id)));
    return Ledger.read(target).orElseThrow().ledger();
  }

  private static List<WriteOutcome> files(Companion companion, String flow, String... jsons) {
    return write(
        companion.table(),
        writer -> {
          for (String json : jsons) {
            writer.insert(companion.fileRow(flow, json, 1), 0);
          }
        });
  }

  private static org.apache.flink.table.data.RowData event(long id, String kind) {
    return row(id, null, kind, row(7L, null), "f", "src", 3L, null, 1L);
  }
}
