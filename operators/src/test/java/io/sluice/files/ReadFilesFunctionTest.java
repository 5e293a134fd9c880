package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadFilesFunctionTest {

  @TempDir Path folder;
  private ReadFilesOptions options;
  private FileSchema schema;
  private List<FileSplit> splits;

  @BeforeEach
  void writeFiles() throws IOException {
    Files.writeString(folder.resolve("a.json"), "{\"id\":1,\"s\":\"x\"}\nbroken\n{\"id\":2}\n");
    Files.writeString(folder.resolve("b.json"), "{\"id\":3,\"extra\":{\"y\":1}}\n");
    options = ReadFilesOptions.of(folder.toString(), Map.of("format", "json"));
    schema = FileSchema.declared("id INT, s STRING").withRescuedData();
    splits = Reading.inOrder(FileSplits.split(FileListing.list(options), options, Long.MAX_VALUE));
  }

  @Test
  void rowsCarryTheOrdinalOfTheirFileAndTheirOffset() throws Exception {
    ReadFilesFunction function = new ReadFilesFunction(options, schema, true, true, "in");
    assertThat(function.producedType().getFieldNames())
        .containsExactly(
            "id", "s", "_rescued_data", "_metadata", "__file_ordinal", "__file_offset");

    try (var harness = harness(function)) {
      for (FileSplit split : splits) {
        harness.processElement(split, 0);
      }
      List<RowData> rows = harness.extractOutputValues();
      assertThat(rows).extracting(row -> row.getInt(0)).containsExactly(1, 2, 3);
      assertThat(rows).extracting(row -> row.getInt(4)).containsExactly(0, 0, 1);
      assertThat(rows).extracting(row -> row.getLong(5)).containsExactly(0L, 24L, 0L);
      assertThat(rows.get(2).getString(2).toString()).startsWith("{\"extra\":{\"y\":1},");
      assertThat(rows.get(2).getRow(3, 4).getString(1)).hasToString("b.json");
    }
  }

  @Test
  void malformedRecordsLeaveByTheSideOutput() throws Exception {
    try (var harness = harness(new ReadFilesFunction(options, schema, false, false, "in"))) {
      harness.processElement(splits.get(0), 0);

      assertThat(harness.getSideOutput(ReadFilesFunction.MALFORMED))
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.getValue().offset()).isEqualTo(17);
                assertThat(record.getValue().raw()).isEqualTo("broken");
                assertThat(record.getValue().path()).endsWith("/a.json");
                assertThat(record.getValue().reason()).startsWith("no valid JSON");
              });
    }
  }

  @Test
  void countersTellRowsBytesMalformedRecordsAndNewColumns() throws Exception {
    ReadFilesFunction function = new ReadFilesFunction(options, schema, false, true, "flow.in");
    try (var harness = harness(function)) {
      for (FileSplit split : splits) {
        harness.processElement(split, 0);
      }
      var context = function.getRuntimeContext();
      assertThat(context.getAccumulator("flow.in.rowsRead").getLocalValue()).isEqualTo(3L);
      assertThat(context.getAccumulator("flow.in.malformedRecords").getLocalValue()).isEqualTo(1L);
      assertThat(context.getAccumulator("flow.in.bytesRead").getLocalValue())
          .isEqualTo(Files.size(folder.resolve("a.json")) + Files.size(folder.resolve("b.json")));
      assertThat(context.getAccumulator("flow.in.newColumns").getLocalValue())
          .isEqualTo(new TreeSet<>(List.of("extra")));
    }
  }

  @Test
  void rowsOfEveryKindOfTypeCanBeSerializedByFlink() throws Exception {
    Files.writeString(
        folder.resolve("b.json"),
        "{\"id\":3,\"a\":[{\"x\":1.5,\"t\":\"2025-01-01T00:00:00.000001Z\"}],\"m\":{\"k\":[1]},"
            + "\"d\":12.5,\"b\":\"AQID\",\"day\":\"2025-01-01\",\"deep\":{\"er\":{\"s\":\"ä\"}}}\n");
    FileSchema wide =
        FileSchema.declared(
            "id TINYINT, a ARRAY<STRUCT<x: DOUBLE, t: TIMESTAMP>>, m MAP<STRING, ARRAY<BIGINT>>,"
                + " d DECIMAL(30,2), b BINARY, day DATE, deep STRUCT<er: STRUCT<s: STRING>>");
    ReadFilesFunction function = new ReadFilesFunction(options, wide, true, true, "in");
    var serializer = InternalTypeInfo.of(function.producedType()).toRowSerializer();
    FileEntry file = FileListing.list(options).get(1);
    try (var harness = harness(InstantiationUtil.clone(function))) {
      harness.processElement(new FileSplit(file, 1, 0, file.size()), 0);

      RowData row = harness.extractOutputValues().get(0);
      RowData binary = serializer.toBinaryRow(row).copy();
      assertThat(binary.getByte(0)).isEqualTo((byte) 3);
      assertThat(binary.getArray(1).getRow(0, 2).getTimestamp(1, 6).toInstant())
          .hasToString("2025-01-01T00:00:00.000001Z");
      assertThat(binary.getMap(2).valueArray().getArray(0).getLong(0)).isEqualTo(1);
      assertThat(binary.getDecimal(3, 30, 2)).hasToString("12.50");
      assertThat(binary.getBinary(4)).containsExactly(1, 2, 3);
      assertThat(binary.getRow(6, 1).getRow(0, 1).getString(0)).hasToString("ä");
    }
  }

  @Test
  void splitsAndMalformedRecordsHaveSerializersOfFlinksOwn() {
    assertThat(TypeInformation.of(FileSplit.class)).isInstanceOf(PojoTypeInfo.class);
    assertThat(TypeInformation.of(MalformedRecord.class)).isInstanceOf(PojoTypeInfo.class);
  }

  @Test
  void namesAreMergedOverTasks() {
    NameSet first = new NameSet();
    first.add("b");
    NameSet second = first.clone();
    second.add("a");
    first.add("c");
    first.merge(second);

    assertThat(new ArrayList<>(first.getLocalValue())).containsExactly("a", "b", "c");
    first.resetLocal();
    assertThat(first.getLocalValue()).isEmpty();
  }

  private static OneInputStreamOperatorTestHarness<FileSplit, RowData> harness(
      ReadFilesFunction function) throws Exception {
    OneInputStreamOperatorTestHarness<FileSplit, RowData> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ProcessOperator<>(function),
            TypeInformation.of(FileSplit.class)
                .createSerializer(
                    new org.apache.flink.api.common.serialization.SerializerConfigImpl()));
    harness.setup(
        InternalTypeInfo.of(function.producedType())
            .createSerializer(
                new org.apache.flink.api.common.serialization.SerializerConfigImpl()));
    harness.open();
    return harness;
  }
}
