package io.sluice.table;

import static io.sluice.table.Rewrites.delete;
import static io.sluice.table.Rewrites.fill;
import static io.sluice.table.Rewrites.rewriter;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteRequest;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What rewritten files and manifests hold, and which of them are rewritten. */
class FileRewriteTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void smallFilesBecomeOneWithTheSameRowsAndLedger(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 6);
    List<String> before = rows(table, "id", "name");
    Ledger.Found ledger = Ledger.read(table).orElseThrow();
    FileRewrite.Result result = rewriter().rewrite(table, 2);
    assertThat(result).isEqualTo(new FileRewrite.Result(1, 6, 1, 0));
    assertThat(tasks(table)).hasSize(1);
    assertThat(table.currentSnapshot().operation()).isEqualTo(DataOperations.REPLACE);
    assertThat(rows(table, "id", "name")).isEqualTo(before);
    assertThat(Ledger.read(table)).contains(ledger);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void anotherRewriteFindsNothingToDo(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 6);
    rewriter().rewrite(table, 1);
    long snapshot = table.currentSnapshot().snapshotId();
    assertThat(rewriter().rewrite(table, 1)).isEqualTo(new FileRewrite.Result(0, 0, 0, 0));
    assertThat(table.currentSnapshot().snapshotId()).isEqualTo(snapshot);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void deletedRowsAndTheirDeleteFilesLeave(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 10), "c1");
    delete(table, "c2", 1L, 4L, 5L);
    rewriter().rewrite(table, 1);
    FileScanTask only = tasks(table).get(0);
    assertThat(only.deletes()).isEmpty();
    assertThat(only.file().recordCount()).isEqualTo(7);
    assertThat(rows(table, "id")).containsExactly("0", "2", "3", "6", "7", "8", "9");
    assertThat(table.currentSnapshot().deleteManifests(table.io()))
        .noneMatch(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles());
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void fourSmallFilesAndFewDeletedRowsStay(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 4);
    delete(table, "d", 1L);
    long snapshot = table.currentSnapshot().snapshotId();
    rewriter().rewrite(table, 1);
    assertThat(table.currentSnapshot().snapshotId()).isEqualTo(snapshot);
  }

  @ParameterizedTest
  @EnumSource(
      value = TestSetup.class,
      names = {"HADOOP_V3", "SQLITE_V3"})
  void rowsKeepTheirIds(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    delete(table, "d", 11L, 12L);
    List<String> before = lineage(table);
    rewriter().rewrite(table, 1);
    assertThat(tasks(table)).hasSize(1);
    assertThat(lineage(table)).isEqualTo(before).hasSize(48);
    fill(table, 5);
    List<String> later = lineage(table);
    rewriter().rewrite(table, 1);
    assertThat(lineage(table)).isEqualTo(later).hasSize(98);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesOfPartitionsStayInThem(TestSetup setup) {
    Table table = setup.createIdName(folder, "name");
    for (int i = 0; i < 5; i++) {
      long id = i;
      commit(
          table,
          write(
              table,
              writer -> {
                writer.insert(row(id, "a"), 0);
                writer.insert(row(id + 100, "b"), 0);
              }),
          "c" + i);
    }
    rewriter().rewrite(table, 2);
    assertThat(tasks(table))
        .extracting(task -> task.file().partition().get(0, String.class))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(rows(table, "id", "name")).hasSize(10).contains("4|a", "104|b");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesFromBeforeAColumnCameStayApartFromLaterOnes(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    Schema wider =
        new Schema(
            Types.NestedField.optional(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "name", Types.StringType.get()),
            Types.NestedField.optional(3, "town", Types.StringType.get()));
    TargetTables.evolve(table, wider);
    for (int i = 0; i < 5; i++) {
      long id = 100 + i;
      commit(table, write(table, writer -> writer.insert(row(id, "n", "t"), 0)), "w" + i);
    }
    AddedColumns added = AddedColumns.of(table);
    assertThat(rewriter().rewrite(table, 1).commits()).isEqualTo(2);
    assertThat(tasks(table))
        .hasSize(2)
        .allSatisfy(
            task ->
                assertThat(added.eraOf(task.file().dataSequenceNumber()))
                    .isEqualTo(task.file().recordCount() == 50 ? 0 : 1));
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void manifestsOfFilesThatAreGoneLeaveAndWritersGoOn(TestSetup setup) {
    Table table = setup.createIdName(folder);
    fill(table, 5);
    delete(table, "d1", 1L, 11L);
    delete(table, "d2", 2L);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    Ledger.Found ledger = Ledger.read(table).orElseThrow();
    CommitRequest late = deleteRequest(table, "late", known.get(3L));
    rewriter().rewrite(table, 1);
    assertThat(table.currentSnapshot().allManifests(table.io())).hasSizeGreaterThan(2);
    assertThat(ManifestRewrite.rewrite(table)).isTrue();
    assertThat(table.currentSnapshot().allManifests(table.io())).hasSize(1);
    assertThat(Ledger.read(table)).contains(ledger);
    long snapshot = table.currentSnapshot().snapshotId();
    assertThat(ManifestRewrite.rewrite(table)).isTrue();
    assertThat(table.currentSnapshot().snapshotId()).isEqualTo(snapshot);
    committer().commit(table, late);
    assertThat(rows(table, "id")).hasSize(46).doesNotContain("1", "2", "3", "11");
  }

  @ParameterizedTest
  @EnumSource(
      value = TestSetup.class,
      names = {"SQLITE_V2", "SQLITE_V3"})
  void manySmallManifestsBecomeOne(TestSetup setup) {
    Table table =
        setup.create(
            folder,
            TestSetup.ID_NAME,
            List.of("id"),
            Map.of("commit.manifest-merge.enabled", "false"));
    fill(table, 25);
    List<String> before = setup.version == 3 ? lineage(table) : rows(table, "id");
    assertThat(table.currentSnapshot().dataManifests(table.io())).hasSize(25);
    assertThat(ManifestRewrite.rewrite(table)).isTrue();
    assertThat(table.currentSnapshot().dataManifests(table.io())).hasSize(1);
    assertThat(setup.version == 3 ? lineage(table) : rows(table, "id")).isEqualTo(before);
  }

  private static List<String> lineage(Table table) {
    table.refresh();
    Schema columns =
        new Schema(
            table.schema().findField("id"),
            MetadataColumns.ROW_ID,
            MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).project(columns).build()) {
      records.forEach(
          record -> rows.add(record.get(0) + " " + record.get(1) + " " + record.get(2)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rows.sort(null);
    return rows;
  }
}
