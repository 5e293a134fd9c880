package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonReadingTest {

  @TempDir Path folder;

  private Reading read(String schema, String content, String... mode) throws IOException {
    Path file = folder.resolve("in.json");
    return mode.length == 0
        ? Reading.ofContent(file, content, "schema", schema)
        : Reading.ofContent(file, content, "schema", schema, "schemaEvolutionMode", mode[0]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "BOOLEAN | true | true",
        "TINYINT | -128 | -128",
        "SMALLINT | 32767 | 32767",
        "INT | -2147483648 | -2147483648",
        "BIGINT | 9223372036854775807 | 9223372036854775807",
        "FLOAT | 1.5 | 1.5",
        "DOUBLE | 1e-3 | 0.001",
        "DOUBLE | 12 | 12.0",
        "DECIMAL(10,2) | 12.3 | 12.30",
        "DECIMAL(10,2) | 12345678.90 | 12345678.90",
        "DECIMAL(38,10) | 1234567890123456789012345678.0123456789 | 1234567890123456789012345678.0123456789",
        "DECIMAL(10,2) | 0e999999999 | 0.00",
        "STRING | \"a\\u00e4\\n\\\"日本𝄞\" | \"aä\\n\\\"日本𝄞\"",
        "STRING | 1.50 | \"1.50\"",
        "STRING | false | \"false\"",
        "STRING | { \"a\" : [1, 2.50] } | \"{\\\"a\\\":[1,2.50]}\"",
        "VARCHAR(3) | \"ä𝄞c\" | \"ä𝄞c\"",
        "BINARY | \"AQID\" | \"AQID\"",
        "DATE | \"2024-02-29\" | \"2024-02-29\"",
        "DATE | \"2024-02-29Z\" | \"2024-02-29\"",
        "TIME(3) | \"12:34:56.789\" | \"12:34:56.789\"",
        "TIME(3) | \"12:34:56.789Z\" | \"12:34:56.789\"",
        "TIMESTAMP | \"2025-01-01T01:00:00.123456789+01:00\" | \"2025-01-01T00:00:00.123456Z\"",
        "TIMESTAMP | \"2025-01-01\" | \"2025-01-01T00:00:00Z\"",
        "TIMESTAMP_NTZ(3) | \"2025-01-01 10:00:00.1239\" | \"2025-01-01T10:00:00.123\"",
        "ARRAY<INT> | [1,null,3] | [1,null,3]",
        "MAP<STRING,INT> | {\"x\":1} | {\"x\":1}",
        "MAP<INT,STRING> | {\"7\":\"x\"} | {\"7\":\"x\"}",
        "STRUCT<a: INT, b: ARRAY<STRUCT<c: STRING>>> | {\"b\":[{\"c\":\"x\"},{}],\"a\":1} | {\"a\":1,\"b\":[{\"c\":\"x\"},{\"c\":null}]}",
      })
  void valuesOfEveryTypeAreRead(String type, String json, String expected) throws IOException {
    Reading reading = read("v " + type, "{\"v\":" + json + "}\n{\"v\":null}\n{}\n");

    assertThat(reading.malformed).isEmpty();
    assertThat(reading.json("v")).containsExactly(expected, "null", "null");
  }

  @Test
  void namesMatchExactlyFirstAndElseInAnyCase() throws IOException {
    Reading reading = read("Id INT, name STRING", "{\"ID\":1,\"NAME\":\"a\"}\n{\"Id\":2}\n");

    assertThat(reading.json("Id")).containsExactly("1", "2");
    assertThat(reading.json("name")).containsExactly("\"a\"", "null");
  }

  @Test
  void fieldsMayComeInAnotherOrderInEveryRecord() throws IOException {
    Reading reading =
        read(
            "a INT, b INT, c INT",
            "{\"a\":1,\"b\":2,\"c\":3}\n{\"c\":3,\"a\":1,\"b\":2}\n{\"b\":2}\n{\"c\":3,\"b\":2,\"a\":1}\n");

    assertThat(reading.json("a")).containsExactly("1", "1", "null", "1");
    assertThat(reading.json("b")).containsExactly("2", "2", "2", "2");
    assertThat(reading.json("c")).containsExactly("3", "3", "null", "3");
  }

  @Test
  void notNullIsCheckedAtEveryDepth() throws IOException {
    Reading reading =
        read(
            "id INT NOT NULL, s STRUCT<a: INT NOT NULL>, l ARRAY<INT NOT NULL>, m MAP<STRING, INT"
                + " NOT NULL>",
            "{\"id\":1,\"s\":{\"a\":1},\"l\":[1],\"m\":{\"x\":1}}\n"
                + "{\"s\":{\"a\":1}}\n"
                + "{\"id\":1,\"s\":{}}\n"
                + "{\"id\":1,\"l\":[1,null]}\n"
                + "{\"id\":1,\"m\":{\"x\":null}}\n"
                + "{\"id\":1}\n");

    assertThat(reading.rows).hasSize(2);
    assertThat(reading.malformed)
        .extracting(MalformedRecord::reason)
        .containsExactly(
            "column 'id' is NOT NULL and has no value",
            "column 's.a' is NOT NULL and has no value",
            "column 'l[1]' is NOT NULL and has no value",
            "column 'm[0]' is NOT NULL and has no value");
  }

  @Test
  void deepNestingIsReadAndBeyondTheParsersLimitMalformed() throws IOException {
    String type = "ARRAY<".repeat(50) + "INT" + ">".repeat(50);
    Reading reading = read("v " + type, "{\"v\":" + "[".repeat(50) + "1" + "]".repeat(50) + "}\n");
    assertThat(reading.json("v")).containsExactly("[".repeat(50) + "1" + "]".repeat(50));

    Reading tooDeep =
        read("v STRING", "{\"v\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}\n{\"v\":1}\n");
    assertThat(tooDeep.malformed).hasSize(1);
    assertThat(tooDeep.json("v")).containsExactly("\"1\"");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstRecord() throws IOException {
    Reading reading = read("id INT", "\uFEFF{\"id\":1}\n{\"id\":2}\n");

    assertThat(reading.json("id")).containsExactly("1", "2");
    assertThat(reading.offsets).containsExactly(0L, 12L);
  }

  @Test
  void compressedFilesAreReadWholeWithOffsetsOfTheirContent() throws IOException {
    Path file = folder.resolve("in.json.gz");
    try (OutputStream stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write("{\"id\":1}\n{\"id\":2}\n".getBytes(StandardCharsets.UTF_8));
    }

    Reading reading = Reading.of(file.toString(), Map.of());

    assertThat(reading.json("id")).containsExactly("1", "2");
    assertThat(reading.offsets).containsExactly(0L, 9L);
  }

  @Test
  void aDamagedCompressedFileIsAnErrorThatNamesIt() throws IOException {
    Path file = folder.resolve("in.json.gz");
    try (OutputStream stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write("{\"id\":1}\n".repeat(1000).getBytes(StandardCharsets.UTF_8));
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));

    assertThatThrownBy(() -> Reading.of(file.toString(), Map.of("schema", "id INT")))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD))
        .hasMessageContaining("in.json.gz");
  }

  @Test
  void splitsAtEveryByteGiveEveryRecordOnce() throws IOException {
    StringBuilder content = new StringBuilder("\uFEFF");
    for (int id = 0; id < 12; id++) {
      content.append("{\"id\":").append(id).append(",\"t\":\"ä日𝄞\"}");
      content.append(id == 11 ? "" : id % 3 == 0 ? "\r\n" : "\n");
    }
    Path file = folder.resolve("in.json");
    Files.writeString(file, content);
    ReadFilesOptions options = ReadFilesOptions.of(file.toString(), Map.of());
    FileSchema schema = FileSchema.declared("id INT, t STRING");
    Reading whole = Reading.of(options, schema, false, Long.MAX_VALUE);
    assertThat(whole.rows).hasSize(12);

    for (long target = 1; target <= Files.size(file); target++) {
      Reading cut = Reading.of(options, schema, false, target);
      assertThat(cut.rows).as("splits of %d bytes", target).isEqualTo(whole.rows);
      assertThat(cut.offsets).isEqualTo(whole.offsets);
    }
    FileEntry entry = FileListing.list(options).get(0);
    for (long cut = 0; cut <= entry.size(); cut++) {
      Reading two =
          Reading.of(
              options,
              schema,
              false,
              List.of(
                  new FileSplit(entry, 0, 0, cut),
                  new FileSplit(entry, 0, cut, entry.size() - cut)));
      assertThat(two.offsets).as("cut at byte %d", cut).isEqualTo(whole.offsets);
    }
  }
}
