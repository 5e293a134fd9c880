package io.sluice.table;

import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.flink.sink.FlinkFileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TidyingTest {

  private static final List<String> COLUMNS = List.of("id", "name");

  @TempDir Path folder;

  /** Three files of a hundred rows; 61 rows of the first are dead, 60 of the second. */
  private Table create(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 100), "c1");
    commit(table, writeIds(table, 100, 200), "c2");
    commit(table, writeIds(table, 200, 300), "c3");
    delete(table, 0, 61, "c4");
    delete(table, 100, 130, "c5");
    delete(table, 130, 160, "c6");
    return table;
  }

  private static void delete(Table table, int from, int to, String id) {
    TreeMap<Object, RowLocation> places = locations(table, "id");
    commit(
        table,
        write(
            table,
            writer -> {
              for (long i = from; i < to; i++) {
                writer.delete(places.get(i));
              }
            }),
        id);
  }

  private static List<RowSplit> splits(Table table) {
    table.refresh();
    return LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of());
  }

  private static String fileOf(Table table, long id) {
    return locations(table, "id").get(id).file();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesWithFewLiveRowsAreChosen(TestSetup setup) {
    Table table = create(setup);
    assertThat(Tidying.of(table, COLUMNS, 0).choose(splits(table), 0))
        .containsExactly(fileOf(table, 70));
    delete(table, 160, 161, "c7");
    assertThat(Tidying.of(table, COLUMNS, 0).choose(splits(table), 0))
        .containsExactlyInAnyOrder(fileOf(table, 70), fileOf(table, 170));
    assertThat(Tidying.NONE.choose(splits(table), 1_000_000)).isEmpty();
    long newest = table.currentSnapshot().sequenceNumber();
    assertThat(Tidying.of(table, COLUMNS, newest).choose(splits(table), 0)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = TestSetup.class,
      names = {"HADOOP_V2", "HADOOP_V3"})
  void moreRowsThanTheUpdateWritesOrTenThousandDoNotMove(TestSetup setup) {
    Table table = setup.createIdName(folder);
    commit(table, writeIds(table, 0, 30_000), "c1");
    commit(table, writeIds(table, 30_000, 55_000), "c2");
    commit(table, writeIds(table, 55_000, 55_100), "c3");
    delete(table, 0, 19_000, "c4");
    delete(table, 30_000, 46_000, "c5");
    delete(table, 55_000, 55_090, "c6");
    String large = fileOf(table, 29_999);
    String middle = fileOf(table, 54_999);
    String small = fileOf(table, 55_099);
    Tidying tidying = Tidying.of(table, COLUMNS, 0);
    assertThat(tidying.choose(splits(table), 5)).containsExactlyInAnyOrder(small, middle);
    assertThat(tidying.choose(splits(table), 20_009)).containsExactlyInAnyOrder(small, middle);
    assertThat(tidying.choose(splits(table), 20_010))
        .containsExactlyInAnyOrder(small, middle, large);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aFileWhoseSurvivorsMoveLeavesTheTableWithItsDeletes(TestSetup setup) {
    Table table = create(setup);
    List<String> before = rows(table, "id", "name");
    TreeMap<Object, RowLocation> places = locations(table, "id");
    String emptied = fileOf(table, 70);
    Set<String> chosen = Tidying.of(table, COLUMNS, 0).choose(splits(table), 0);
    CommitResult result =
        commit(
            table,
            write(
                table,
                writer ->
                    places.forEach(
                        (id, place) -> {
                          if (chosen.contains(place.file())) {
                            writer.delete(place);
                            writer.insert(row(id, "n" + id), 0);
                          }
                        })),
            "c7");
    assertThat(rows(table, "id", "name")).isEqualTo(before);
    assertThat(result.removedFiles()).isEqualTo(1);
    assertThat(result.touchedFiles()).isZero();
    assertThat(tasks(table).stream().map(task -> task.file().location()).toList())
        .hasSize(3)
        .doesNotContain(emptied);
    Map<String, String> summary = table.currentSnapshot().summary();
    assertThat(summary).containsEntry("total-records", "239");
    assertThat(summary).containsEntry("total-position-deletes", "60");
    assertThat(
            tasks(table).stream()
                .flatMap(task -> task.deletes().stream())
                .map(delete -> delete.recordCount())
                .collect(Collectors.summingLong(Long::longValue)))
        .isEqualTo(60);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesWithEqualityDeletesStayAsTheyAre(TestSetup setup) throws Exception {
    Table table = create(setup);
    Schema idOnly = table.schema().select("id");
    EqualityDeleteWriter<org.apache.flink.table.data.RowData> writer =
        new FlinkFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(new int[] {table.schema().findField("id").fieldId()})
            .equalityDeleteRowSchema(idOnly)
            .build()
            .newEqualityDeleteWriter(
                OutputFileFactory.builderFor(table, 9, 9)
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(),
                table.spec(),
                null);
    try (writer) {
      writer.write(row(70L));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    assertThat(Tidying.of(table, COLUMNS, 0).choose(splits(table), 1_000_000)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void filesInAnotherFormatThanTheTableWritesStayAsTheyAre(TestSetup setup) {
    Table table = create(setup);
    table.updateProperties().set("write.format.default", "avro").commit();
    assertThat(Tidying.of(table, COLUMNS, 0).choose(splits(table), 1_000_000)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void rowsThatAreNotKnownWholeDoNotMove(TestSetup setup) {
    Table table = create(setup);
    table.updateSchema().addColumn("note", Types.StringType.get()).commit();
    assertThat(Tidying.of(table, COLUMNS, 0).choose(splits(table), 1_000_000)).isEmpty();
    assertThat(
            Tidying.of(table, List.of("note", "name", "id", "more"), 0).choose(splits(table), 1000))
        .hasSize(1);
    table
        .updateSchema()
        .addColumn(
            "opening", Types.StructType.of(NestedField.optional(90, "from", Types.TimeType.get())))
        .commit();
    assertThat(
            Tidying.of(table, List.of("id", "name", "note", "opening"), 0)
                .choose(splits(table), 1000))
        .as("times of the day have microseconds here and milliseconds in Flink")
        .isEmpty();
  }
}
