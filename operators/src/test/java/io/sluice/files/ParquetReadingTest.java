package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.shaded.org.apache.parquet.example.data.Group;
import org.apache.iceberg.shaded.org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.ParquetWriter;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.iceberg.shaded.org.apache.parquet.io.api.Binary;
import org.apache.iceberg.shaded.org.apache.parquet.schema.MessageType;
import org.apache.iceberg.shaded.org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files of other writers: without Iceberg's field ids. */
class ParquetReadingTest {

  @TempDir Path folder;

  @SafeVarargs
  private void parquet(String name, String schema, Consumer<Group>... rows) throws IOException {
    parquet(name, schema, 128 << 20, List.of(rows));
  }

  private void parquet(String name, String schema, long rowGroupBytes, List<Consumer<Group>> rows)
      throws IOException {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    SimpleGroupFactory groups = new SimpleGroupFactory(type);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path)
            .withConf(new Configuration())
            .withType(type)
            .withRowGroupSize(rowGroupBytes)
            .withPageSize(512)
            .build()) {
      for (Consumer<Group> row : rows) {
        Group group = groups.newGroup();
        row.accept(group);
        writer.write(group);
      }
    }
    Files.deleteIfExists(folder.resolve("." + name + ".crc"));
  }

  private Reading read(String... options) {
    Map<String, String> map = Reading.pairs(options);
    map.put("format", "parquet");
    return Reading.of(folder.toString(), map);
  }

  @Test
  void parquetOfOtherWritersIsReadByName() throws IOException {
    Binary int96 =
        Binary.fromConstantByteArray(
            ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(3_723_000_000_000L)
                .putInt(2_440_588 + 19_723)
                .array());
    parquet(
        "a.parquet",
        "message m { required int32 i; optional int64 l; optional float f; optional double d;"
            + " optional boolean b; optional binary s (STRING); optional binary raw;"
            + " optional int32 day (DATE); optional int64 ms (TIMESTAMP(MILLIS,true));"
            + " optional int64 us (TIMESTAMP(MICROS,false)); optional int96 old;"
            + " optional int32 dec (DECIMAL(9,2)); optional fixed_len_byte_array(9) big"
            + " (DECIMAL(20,5)); optional binary e (ENUM);"
            + " optional group addr { optional binary city (STRING); optional int32 zip; }"
            + " optional group tags (LIST) { repeated group list { optional int32 element; } }"
            + " optional group props (MAP) { repeated group key_value { required binary key"
            + " (STRING); optional int64 value; } } }",
        row -> {
          row.append("i", 1).append("l", 2L).append("f", 1.5f).append("d", 2.5).append("b", true);
          row.append("s", "Köln").append("raw", Binary.fromConstantByteArray(new byte[] {1, 2, 3}));
          row.append("day", 19_723).append("ms", 1_704_067_200_123L);
          row.append("us", 1_704_067_200_123_456L).append("old", int96).append("dec", 12_345);
          row.append(
              "big", Binary.fromConstantByteArray(new byte[] {0, 0, 0, 0, 0, 0, 0, 0x0F, 0x42}));
          row.append("e", "RED");
          row.addGroup("addr").append("city", "Ulm").append("zip", 89_073);
          Group tags = row.addGroup("tags");
          tags.addGroup("list").append("element", 7);
          tags.addGroup("list");
          row.addGroup("props").addGroup("key_value").append("key", "x").append("value", 9L);
        },
        row -> row.append("i", 2));

    Reading reading = read();

    assertThat(reading.schema.data().asSummaryString())
        .isEqualTo(
            "ROW<`i` INT, `l` BIGINT, `f` FLOAT, `d` DOUBLE, `b` BOOLEAN, `s` STRING, `raw` BYTES,"
                + " `day` DATE, `ms` TIMESTAMP_LTZ(6), `us` TIMESTAMP(6), `old` TIMESTAMP_LTZ(6),"
                + " `dec` DECIMAL(9, 2), `big` DECIMAL(20, 5), `e` STRING, `addr` ROW<`city` STRING,"
                + " `zip` INT>, `tags` ARRAY<INT>, `props` MAP<STRING NOT NULL, BIGINT>,"
                + " `_rescued_data` STRING> NOT NULL");
    assertThat(reading.json("i")).containsExactly("1", "2");
    assertThat(reading.json("s")).containsExactly("\"Köln\"", "null");
    assertThat(reading.json("raw").get(0)).isEqualTo("\"AQID\"");
    assertThat(reading.json("day").get(0)).isEqualTo("\"2024-01-01\"");
    assertThat(reading.json("ms").get(0)).isEqualTo("\"2024-01-01T00:00:00.123Z\"");
    assertThat(reading.json("us").get(0)).isEqualTo("\"2024-01-01T00:00:00.123456\"");
    assertThat(reading.json("old").get(0)).isEqualTo("\"2024-01-01T01:02:03Z\"");
    assertThat(reading.json("dec").get(0)).isEqualTo("123.45");
    assertThat(reading.json("big").get(0)).isEqualTo("0.03906");
    assertThat(reading.json("e").get(0)).isEqualTo("\"RED\"");
    assertThat(reading.json("addr")).containsExactly("{\"city\":\"Ulm\",\"zip\":89073}", "null");
    assertThat(reading.json("tags")).containsExactly("[7,null]", "null");
    assertThat(reading.json("props")).containsExactly("{\"x\":9}", "null");
    assertThat(reading.column("_rescued_data")).containsOnlyNulls();
    assertThat(reading.offsets).containsExactly(0L, 1L);
  }

  @Test
  void narrowerTypesOfEarlierFilesAreWidened() throws IOException {
    parquet(
        "1.parquet",
        "message m { required int32 n; required float x; required int32 p" + " (DECIMAL(5,2)); }",
        row -> row.append("n", 1).append("x", 1.5f).append("p", 150));
    parquet(
        "2.parquet",
        "message m { required double X; required int64 n; required int32 p" + " (DECIMAL(7,3)); }",
        row -> row.append("X", 2.5).append("n", 5_000_000_000L).append("p", 1));

    Reading reading = read();

    assertThat(reading.schema.data().asSummaryString())
        .startsWith("ROW<`n` BIGINT, `x` DOUBLE, `p` DECIMAL(7, 3),");
    assertThat(reading.json("n")).containsExactly("1", "5000000000");
    assertThat(reading.json("x")).containsExactly("1.5", "2.5");
    assertThat(reading.json("p")).containsExactly("1.500", "0.001");
  }

  @Test
  void aTypeThatCannotBeTheColumnsIsAnErrorOrRescued() throws IOException {
    parquet("1.parquet", "message m { required int32 n; }", row -> row.append("n", 1));
    parquet("2.parquet", "message m { required binary n (STRING); }", row -> row.append("n", "x"));

    assertThatThrownBy(() -> read("schema", "n INT"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD))
        .hasMessageContaining("2.parquet")
        .hasMessageContaining("'n' is INT")
        .hasMessageContaining("the file has STRING");

    Reading rescuing = read();
    assertThat(rescuing.json("n")).containsExactly("1", "null");
    assertThat(rescuing.column("_rescued_data").get(1).toString()).startsWith("{\"n\":\"x\",");
  }

  @Test
  void valuesTooLargeForADeclaredColumnAreMalformedNotCut() throws IOException {
    parquet(
        "1.parquet",
        "message m { required int64 n; required binary s (STRING); }",
        row -> row.append("n", 5L).append("s", "abc"),
        row -> row.append("n", 5_000_000_000L).append("s", "abc"),
        row -> row.append("n", 6L).append("s", "abcd"));

    Reading reading = read("schema", "n INT, s VARCHAR(3)");

    assertThat(reading.json("n")).containsExactly("5");
    assertThat(reading.malformed).extracting(MalformedRecord::offset).containsExactly(1L, 2L);
    assertThat(reading.malformed.get(0).reason()).isEqualTo("column 'n' is INT, found 5000000000");
    assertThat(reading.malformed.get(0).raw()).isEqualTo("{\"n\":5000000000,\"s\":\"abc\"}");
  }

  @Test
  void columnsWithoutAPlaceFollowTheEvolutionMode() throws IOException {
    parquet(
        "1.parquet",
        "message m { required int32 n; optional group x { optional int32 y; } }",
        row -> row.append("n", 1).addGroup("x").append("y", 2));

    assertThat(read("schema", "n INT").newColumns).containsExactly("x");
    assertThat(
            read("schema", "n INT", "schemaEvolutionMode", "rescue")
                .column("_rescued_data")
                .get(0)
                .toString())
        .startsWith("{\"x\":{\"y\":2},\"_file_path\":");
    assertThatThrownBy(() -> read("schema", "n INT", "schemaEvolutionMode", "failOnNewColumns"))
        .hasMessageContaining("'x'");
  }

  @Test
  void parquetSplitsGiveEveryRowOnceWithItsNumber() throws IOException {
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int index = 0; index < 3_000; index++) {
      int id = index;
      rows.add(row -> row.append("id", id).append("s", "value number " + id));
    }
    parquet(
        "a.parquet", "message m { required int32 id; required binary s (STRING); }", 4_096, rows);
    ReadFilesOptions options = ReadFilesOptions.of(folder + "/a.parquet", Map.of());
    FileSchema schema = FileSchema.declared("id INT, s STRING");

    for (long target : new long[] {1 << 30, 10_000, 5_000, 1_000}) {
      Reading reading = Reading.of(options, schema, false, target);

      assertThat(reading.rows).as("splits of %d bytes", target).hasSize(3_000);
      for (int index = 0; index < 3_000; index++) {
        assertThat(reading.offsets.get(index)).isEqualTo(index);
        assertThat(reading.rows.get(index).getInt(0)).isEqualTo(index);
      }
    }
  }

  @Test
  void aFileThatIsNoParquetIsAnErrorThatNamesIt() throws IOException {
    Files.writeString(folder.resolve("a.parquet"), "not parquet at all");

    assertThatThrownBy(() -> read("schema", "n INT"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD))
        .hasMessageContaining("a.parquet")
        .hasMessageNotContaining("FileEntry");
  }

  @Test
  void aTypeThatNoReaderKnowsIsAnErrorThatNamesTheFile() throws IOException {
    parquet(
        "a.parquet",
        "message m { required int64 n (INTEGER(64,false)); }",
        row -> row.append("n", 1L));

    assertThatThrownBy(() -> read("schema", "n BIGINT"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD))
        .hasMessageContaining("a.parquet");
  }
}
