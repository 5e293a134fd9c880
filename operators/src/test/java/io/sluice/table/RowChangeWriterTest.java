package io.sluice.table;

import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowChangeWriterTest {

  @TempDir Path folder;

  /** A new job manager counts attempts anew, and what an earlier one wrote may be committed. */
  @Test
  void writersOfTheSameNameNeverWriteTheSameFile() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    for (long i = 0; i < 3; i++) {
      try (RowChangeWriter writer = new RowChangeWriter(table, 0, 0, "run")) {
        writer.insert(row(i, "n"), 0);
        commit(table, writer.complete(), "c" + i);
      }
    }
    assertThat(rows(table, "id")).containsExactly("0", "1", "2");
  }

  @Test
  void groupsLieInDifferentFilesSoThatBoundsSeparateThem() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    List<WriteOutcome> outcomes =
        write(
            table,
            writer ->
                IntStream.range(0, 100)
                    .forEach(i -> writer.insert(row((long) i, "n"), i < 50 ? 0 : 1)));
    List<DataFile> files = outcomes.stream().flatMap(o -> o.dataFiles().stream()).toList();
    assertThat(files).hasSize(2);
    assertThat(files)
        .extracting(
            file -> {
              Object value =
                  Conversions.fromByteBuffer(Types.LongType.get(), file.lowerBounds().get(1));
              return value;
            })
        .containsExactlyInAnyOrder(0L, 50L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bucket(3, id)",
        "truncate(10, id)",
        "name",
        "truncate(2, name)",
        "identity(name)"
      })
  void everyRowLiesInThePartitionOfItsValues(String partitioning) {
    Table table = TestSetup.HADOOP_V3.createIdName(folder, partitioning);
    commit(
        table,
        write(
            table,
            writer -> {
              for (int i = 0; i < 30; i++) {
                writer.insert(row((long) i, "n" + i % 4), 0);
              }
              writer.insert(row(99L, null), 0);
            }),
        "c");
    assertThat(rows(table, "id")).hasSize(31);
    assertThat(tasks(table)).hasSizeGreaterThan(1);
    for (var task : tasks(table)) {
      List<String> inPartition = new ArrayList<>();
      LocatedRowReader reader = new LocatedRowReader(table, table.schema());
      RowSplit split =
          LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of()).stream()
              .filter(s -> s.file().location().equals(task.file().location()))
              .findFirst()
              .orElseThrow();
      var key = new org.apache.iceberg.PartitionKey(table.spec(), table.schema());
      var wrapper =
          new org.apache.iceberg.flink.RowDataWrapper(
              FlinkSchemaUtil.convert(table.schema()), table.schema().asStruct());
      reader.read(
          split,
          Selection.all(),
          (row, file, position) -> {
            key.partition(wrapper.wrap(row));
            inPartition.add(key.toPath());
          });
      assertThat(inPartition).isNotEmpty().containsOnly(inPartition.get(0));
      assertThat(table.spec().partitionToPath(task.file().partition()))
          .isEqualTo(inPartition.get(0));
    }
  }

  @Test
  void aFileRollsAtTheTargetSizeOfTheTable() {
    Table table =
        TestSetup.HADOOP_V3.create(
            folder,
            TestSetup.ID_NAME,
            List.of("id"),
            Map.of("write.target-file-size-bytes", "20000"));
    List<WriteOutcome> outcomes =
        write(
            table,
            writer ->
                IntStream.range(0, 20_000)
                    .forEach(
                        i -> writer.insert(row((long) i, Integer.toHexString(i * 0x9E3779B9)), 0)));
    assertThat(outcomes.stream().mapToInt(o -> o.dataFiles().size()).sum()).isGreaterThan(4);
    commit(table, outcomes, "c");
    assertThat(rows(table, "id")).hasSize(20_000);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void morePartitionsThanOpenFilesStillMakeOneFileEach(TestSetup setup) {
    Table table = setup.createIdName(folder, "truncate(10, id)");
    List<WriteOutcome> outcomes;
    try (RowChangeWriter writer =
        new RowChangeWriter(
            table, FlinkSchemaUtil.convert(table.schema()), 0, 0, "op", 4, 1 << 20)) {
      for (int round = 0; round < 10; round++) {
        for (int partition = 0; partition < 15; partition++) {
          writer.insert(row(partition * 10L + round, "n"), 0);
        }
      }
      outcomes = writer.complete();
    }
    assertThat(outcomes.stream().mapToInt(o -> o.dataFiles().size()).sum()).isEqualTo(15);
    commit(table, outcomes, "c");
    assertThat(rows(table, "id")).hasSize(150).doesNotHaveDuplicates();
  }

  @Test
  void theLargestFileIsFinishedEarlyWhenOpenFilesHoldTooMuch() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder, "bucket(4, id)");
    List<WriteOutcome> outcomes;
    try (RowChangeWriter writer =
        new RowChangeWriter(
            table, FlinkSchemaUtil.convert(table.schema()), 0, 0, "op", 8, 100_000)) {
      IntStream.range(0, 40_000)
          .forEach(i -> writer.insert(row((long) i, Integer.toHexString(i * 0x9E3779B9)), 0));
      outcomes = writer.complete();
    }
    assertThat(outcomes.stream().mapToInt(o -> o.dataFiles().size()).sum()).isBetween(6, 30);
    commit(table, outcomes, "c");
    assertThat(rows(table, "id")).hasSize(40_000).doesNotHaveDuplicates();
  }

  @Test
  void outcomesStayBelowOneMebibyteWhateverIsDeleted() throws IOException {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    List<WriteOutcome> outcomes =
        write(
            table,
            writer -> {
              for (long position = 0; position < 6_000_000; position += 2) {
                writer.delete(new RowLocation("big", position));
              }
              for (int file = 0; file < 5_000; file++) {
                writer.delete(new RowLocation("a-rather-long-name-of-a-file-" + file, 7));
              }
            });
    assertThat(outcomes).hasSizeGreaterThan(2);
    for (WriteOutcome outcome : outcomes) {
      assertThat(WriteOutcome.SERIALIZER.serialize(outcome)).hasSizeLessThan(1 << 20);
    }
    Map<String, DeletedPositions> merged = WriteOutcome.mergeDeleted(outcomes);
    assertThat(merged).hasSize(5_001);
    assertThat(merged.get("big").count()).isEqualTo(3_000_000);
    assertThat(merged.get("big").contains(5_999_998)).isTrue();
    assertThat(merged.get("big").contains(5_999_999)).isFalse();
  }

  @Test
  void anAbortedWriterLeavesNoFile() throws IOException {
    Table table = TestSetup.HADOOP_V3.createIdName(folder, "truncate(10, id)");
    try (RowChangeWriter writer =
        new RowChangeWriter(
            table, FlinkSchemaUtil.convert(table.schema()), 0, 0, "op", 2, 1 << 20)) {
      IntStream.range(0, 50).forEach(i -> writer.insert(row((long) i, "n"), 0));
    }
    try (var files = Files.walk(folder)) {
      assertThat(files.filter(path -> path.toString().endsWith(".parquet"))).isEmpty();
    }
  }

  @Test
  void aCompletedWriterKeepsItsFilesAndGoesOnEmpty() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    try (RowChangeWriter writer = new RowChangeWriter(table, 0, 0, "op")) {
      writer.insert(row(1L, "a"), 0);
      commit(table, writer.complete(), "c1");
      assertThat(writer.complete()).isEmpty();
      writer.insert(row(2L, "b"), 0);
      commit(table, writer.complete(), "c2");
    }
    assertThat(rows(table, "id", "name")).containsExactly("1|a", "2|b");
  }

  @Test
  void narrowIntegersAreWrittenIntoIntColumns() {
    Schema schema =
        new Schema(
            NestedField.optional(1, "tiny", Types.IntegerType.get()),
            NestedField.optional(2, "small", Types.IntegerType.get()),
            NestedField.optional(3, "big", Types.LongType.get()));
    Table table = TestSetup.HADOOP_V3.create(folder, schema, List.of(), "tiny");
    RowType type =
        RowType.of(
            new LogicalType[] {new TinyIntType(), new SmallIntType(), new BigIntType()},
            new String[] {"tiny", "small", "big"});
    try (RowChangeWriter writer = new RowChangeWriter(table, type, 0, 0, "op")) {
      RowData narrow = GenericRowData.of((byte) 7, (short) 300, 5L);
      writer.insert(narrow, 0);
      commit(table, writer.complete(), "c1");
    }
    assertThat(rows(table, "tiny", "small", "big")).containsExactly("7|300|5");
  }

  @Test
  void aNegativeGroupIsRefused() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    try (RowChangeWriter writer = new RowChangeWriter(table, 0, 0, "op")) {
      assertThatThrownBy(() -> writer.insert(row(1L, "a"), -1))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new RowLocation("f", -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
