package io.sluice.table;

import static io.sluice.table.ForeignCommits.foreignEqualityDelete;
import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocatedRowReaderTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void rowsComeWithTheLocationThatIcebergGivesThem(TestSetup setup) {
    Table table = setup.createIdName(folder, "bucket(2, id)");
    commit(table, writeIds(table, 0, 20), "c1");
    commit(table, writeIds(table, 20, 30), "c2");
    TreeMap<Object, RowLocation> expected = locations(table, "id");
    RowLocation seven = expected.get(7L);
    commit(table, write(table, writer -> writer.delete(seven)), "c3");
    expected = locations(table, "id");
    assertThat(expected).hasSize(29);
    assertThat(locate(table, Selection.all())).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void twoPassesGiveWhatOnePassGives(TestSetup setup) {
    Table table = manyRowGroups(setup);
    TreeMap<Object, RowLocation> live = locations(table, "id");
    commit(
        table,
        write(
            table,
            writer ->
                IntStream.range(0, 3_000)
                    .filter(i -> i % 7 == 0)
                    .forEach(i -> writer.delete(live.get((long) i)))),
        "d");
    Set<Long> wanted = new HashSet<>();
    IntStream.range(0, 3_000).filter(i -> i % 100 < 3).forEach(i -> wanted.add((long) i));
    RowPredicate test = row -> wanted.contains(row.getLong(0));
    Map<Object, RowLocation> one = locate(table, byId(test, Selection.Passes.ONE));
    Map<Object, RowLocation> two = locate(table, byId(test, Selection.Passes.TWO));
    assertThat(two).isEqualTo(one);
    TreeMap<Object, RowLocation> expected = locations(table, "id");
    expected.keySet().retainAll(wanted);
    assertThat(one).isEqualTo(expected).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void splitsOfOneFileKeepThePositionsOfTheWholeFile(TestSetup setup) {
    Table table = manyRowGroups(setup);
    table.updateProperties().set("read.split.target-size", "1").commit();
    table.refresh();
    List<RowSplit> splits = plan(table);
    assertThat(splits).hasSizeGreaterThan(3);
    assertThat(splits.stream().map(split -> split.file().location()).distinct()).hasSize(1);
    assertThat(locate(table, Selection.all())).isEqualTo(locations(table, "id")).hasSize(3_000);
  }

  @Test
  void theSecondPassReadsOnlyRowGroupsWithAWantedRow() {
    Table table = manyRowGroups(TestSetup.HADOOP_V3);
    LocatedRowReader one = read(table, byId(row -> row.getLong(0) == 5, Selection.Passes.ONE));
    LocatedRowReader two = read(table, byId(row -> row.getLong(0) == 5, Selection.Passes.TWO));
    assertThat(one.statistics().rowsEmitted()).isEqualTo(1);
    assertThat(two.statistics().rowsEmitted()).isEqualTo(1);
    assertThat(one.statistics().rowsRead()).isEqualTo(3_000);
    assertThat(two.statistics().rowsRead()).isBetween(3_001L, 5_000L);
    assertThat(two.statistics().bytes()).isLessThan(one.statistics().bytes());
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void boundsAndPartitionsRuleOutWholeFiles(TestSetup setup) {
    Table table = setup.createIdName(folder, "truncate(100, id)");
    for (int i = 0; i < 5; i++) {
      commit(table, writeIds(table, i * 100, i * 100 + 10), "c" + i);
    }
    LocatedRowReader reader =
        read(table, filtered(Expressions.equal("id", 203L), row -> row.getLong(0) == 203));
    assertThat(reader.statistics().splitsSkipped()).isEqualTo(4);
    assertThat(reader.statistics().splitsRead()).isEqualTo(1);
    assertThat(reader.statistics().rowsEmitted()).isEqualTo(1);
  }

  @Test
  void boundsAloneRuleOutFilesOfAnUnpartitionedTable() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    for (int i = 0; i < 5; i++) {
      commit(table, writeIds(table, i * 100, i * 100 + 10), "c" + i);
    }
    Selection selection =
        filtered(
            Expressions.in("id", 3L, 404L), row -> row.getLong(0) == 3 || row.getLong(0) == 404);
    assertThat(read(table, selection).statistics().splitsSkipped()).isEqualTo(3);
    List<RowSplit> blind = LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of());
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    List<Long> found = new ArrayList<>();
    blind.forEach(split -> reader.read(split, selection, (row, f, p) -> found.add(row.getLong(0))));
    assertThat(reader.statistics().splitsSkipped()).isZero();
    assertThat(found).containsExactlyInAnyOrder(3L, 404L);
  }

  @Test
  void rowGroupsAreRuledOutByTheFilter() {
    Table table = manyRowGroups(TestSetup.HADOOP_V3);
    LocatedRowReader all = read(table, byId(row -> true, Selection.Passes.ONE));
    LocatedRowReader some =
        read(table, filtered(Expressions.lessThan("id", 10L), row -> row.getLong(0) < 10));
    assertThat(some.statistics().rowsEmitted()).isEqualTo(10);
    assertThat(some.statistics().rowsRead()).isLessThan(all.statistics().rowsRead());
    Map<Object, RowLocation> last =
        locate(
            table, filtered(Expressions.greaterThan("id", 2_990L), row -> row.getLong(0) > 2_990));
    assertThat(last.get(2_999L)).isEqualTo(locations(table, "id").get(2_999L));
  }

  @ParameterizedTest
  @EnumSource(Selection.Passes.class)
  void rowsOfWhichTheKeyColumnsSayEnoughAreHandedOverBriefly(Selection.Passes passes) {
    Table table = manyRowGroups(TestSetup.HADOOP_V3);
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    Map<Long, RowLocation> brief = new TreeMap<>();
    Map<Object, RowLocation> whole = new HashMap<>();
    for (RowSplit split : plan(table)) {
      reader.read(
          split,
          byId(row -> row.getLong(0) % 2 == 0, passes),
          (tested, file, position) -> {
            boolean taken = tested.getArity() == 1 && tested.getLong(0) != 1_000;
            if (taken) {
              brief.put(tested.getLong(0), new RowLocation(file, position));
            }
            return taken;
          },
          (row, file, position) -> {
            assertThat(row.getString(1).toString()).startsWith("a long text");
            whole.put(row.getLong(0), new RowLocation(file, position));
          });
    }
    Map<Object, RowLocation> all = locations(table, "id");
    assertThat(whole).isEqualTo(Map.of(1_000L, all.get(1_000L)));
    assertThat(brief).hasSize(1_499);
    brief.forEach((id, location) -> assertThat(location).isEqualTo(all.get(id)));
    assertThat(reader.statistics().rowsEmitted()).isEqualTo(1_500);
    // Of the second pass only the row group of the one row is read.
    assertThat(reader.statistics().rowsRead())
        .satisfies(
            read -> {
              if (passes == Selection.Passes.ONE) {
                assertThat(read).isEqualTo(3_000);
              } else {
                assertThat(read).isBetween(3_001L, 4_500L);
              }
            });
  }

  @Test
  void aProjectionMayReorderAndLeaveOutColumns() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    commit(table, writeIds(table, 0, 2), "c1");
    Schema reordered = new Schema(table.schema().findField("name"), table.schema().findField("id"));
    LocatedRowReader reader = new LocatedRowReader(table, reordered);
    List<String> seen = new ArrayList<>();
    Selection byId =
        new Selection(
            Expressions.alwaysTrue(),
            List.of("id"),
            row -> row.getArity() == 1 && row.getLong(0) == 1,
            Selection.Passes.TWO);
    for (RowSplit split : plan(table)) {
      reader.read(
          split, byId, (row, file, position) -> seen.add(row.getString(0) + "/" + row.getLong(1)));
    }
    assertThat(seen).containsExactly("n1/1");
  }

  @Test
  void aColumnAddedLaterIsNullInOlderFiles() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    commit(table, writeIds(table, 0, 2), "c1");
    table
        .updateSchema()
        .addColumn("extra", org.apache.iceberg.types.Types.IntegerType.get())
        .commit();
    table.refresh();
    commit(table, write(table, writer -> writer.insert(row(9L, "x", 4), 0)), "c2");
    List<String> seen = new ArrayList<>();
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    for (RowSplit split : plan(table)) {
      reader.read(
          split,
          Selection.all(),
          (row, f, p) -> seen.add(row.isNullAt(2) ? "null" : "" + row.getInt(2)));
    }
    assertThat(seen).containsExactly("null", "null", "4");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void equalityDeletesOfOthersAreHonoured(TestSetup setup) throws IOException {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 6), "c1");
    RowLocation two = locations(table, "id").get(2L);
    commit(table, write(table, writer -> writer.delete(two)), "c2");
    foreignEqualityDelete(table, row(4L));
    assertThat(rows(table, "id")).containsExactly("0", "1", "3", "5");
    assertThat(locate(table, Selection.all())).isEqualTo(locations(table, "id"));
    assertThat(locate(table, byId(row -> row.getLong(0) >= 3, Selection.Passes.TWO)).keySet())
        .containsExactly(3L, 5L);
    LocatedRowReader names = new LocatedRowReader(table, table.schema().select("name"));
    List<String> seen = new ArrayList<>();
    for (RowSplit split : plan(table)) {
      names.read(
          split,
          Selection.all(),
          (row, f, p) -> {
            assertThat(row.getArity()).isEqualTo(1);
            seen.add(row.getString(0).toString());
          });
    }
    assertThat(seen).containsExactly("n0", "n1", "n3", "n5");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void splitsSurviveTheirSerialisedFormWithBoundsAndDeletes(TestSetup setup) throws IOException {
    Table table = setup.createIdName(folder, "bucket(2, id)");
    commit(table, writeIds(table, 0, 10), "c1");
    RowLocation two = locations(table, "id").get(2L);
    commit(table, write(table, writer -> writer.delete(two)), "c2");
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    List<Long> ids = new ArrayList<>();
    for (RowSplit split : plan(table)) {
      byte[] bytes = RowSplit.SERIALIZER.serialize(split);
      assertThat(bytes).hasSizeLessThan(20_000);
      RowSplit copy = RowSplit.SERIALIZER.deserialize(1, bytes);
      assertThat(copy.dataSequenceNumber()).isEqualTo(1);
      assertThat(copy.file().lowerBounds()).isNotEmpty();
      assertThat(copy.estimatedRows()).isBetween(1L, copy.file().recordCount());
      reader.read(copy, Selection.all(), (row, f, p) -> ids.add(row.getLong(0)));
    }
    assertThat(ids).hasSize(9).doesNotContain(2L);
  }

  @Test
  void anOlderSnapshotIsReadAsItWas() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    commit(table, writeIds(table, 0, 3), "c1");
    long first = table.currentSnapshot().snapshotId();
    RowLocation one = locations(table, "id").get(1L);
    commit(table, write(table, writer -> writer.delete(one)), "c2");
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    List<Long> ids = new ArrayList<>();
    for (RowSplit split : LocatedRows.plan(table, first, List.of())) {
      reader.read(split, Selection.all(), (row, f, p) -> ids.add(row.getLong(0)));
    }
    assertThat(ids).containsExactly(0L, 1L, 2L);
  }

  @Test
  void aKeyColumnOutsideTheProjectionIsRefused() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    commit(table, writeIds(table, 0, 1), "c1");
    LocatedRowReader reader = new LocatedRowReader(table, table.schema().select("name"));
    assertThatThrownBy(
            () ->
                reader.read(
                    plan(table).get(0), byId(row -> true, Selection.Passes.ONE), (row, f, p) -> {}))
        .hasMessageContaining("key column id is not projected");
    assertThatThrownBy(
            () ->
                new Selection(
                    Expressions.alwaysTrue(), List.of(), row -> true, Selection.Passes.TWO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** 3,000 rows in one file of several row groups. */
  private Table manyRowGroups(TestSetup setup) {
    Table table =
        setup.create(
            folder,
            TestSetup.ID_NAME,
            List.of("id"),
            Map.of(
                "write.parquet.row-group-size-bytes", "4096",
                "write.parquet.page-size-bytes", "1024",
                "write.parquet.row-group-check-min-record-count", "100",
                "write.parquet.row-group-check-max-record-count", "100"));
    commit(
        table,
        write(
            table,
            writer ->
                IntStream.range(0, 3_000)
                    .forEach(
                        i ->
                            writer.insert(
                                row(
                                    (long) i,
                                    "a long text that differs a lot "
                                        + Integer.toHexString(i * 0x9E3779B9)),
                                0))),
        "rows");
    assertThat(plan(table).get(0).file().splitOffsets()).hasSizeGreaterThan(3);
    return table;
  }

  static Selection byId(RowPredicate test, Selection.Passes passes) {
    return new Selection(Expressions.alwaysTrue(), List.of("id"), test, passes);
  }

  private static Selection filtered(Expression filter, RowPredicate test) {
    return new Selection(filter, List.of("id"), test, Selection.Passes.TWO);
  }

  private static List<RowSplit> plan(Table table) {
    table.refresh();
    return LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of("id", "name"));
  }

  private static LocatedRowReader read(Table table, Selection selection) {
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    plan(table).forEach(split -> reader.read(split, selection, (row, file, position) -> {}));
    return reader;
  }

  private static TreeMap<Object, RowLocation> locate(Table table, Selection selection) {
    TreeMap<Object, RowLocation> found = new TreeMap<>();
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    for (RowSplit split : plan(table)) {
      reader.read(
          split,
          selection,
          (row, file, position) -> found.put(row.getLong(0), new RowLocation(file, position)));
    }
    return found;
  }
}
