package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What does not fit its column is rescued, and what cannot be read is malformed. */
class JsonFaultsTest {

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
        "BOOLEAN | \"true\"",
        "BOOLEAN | 1",
        "TINYINT | 128",
        "SMALLINT | -32769",
        "INT | 2147483648",
        "INT | \"12\"",
        "INT | 1.0",
        "INT | true",
        "BIGINT | 9223372036854775808",
        "BIGINT | 1e3",
        "FLOAT | 1e39",
        "DOUBLE | 1e400",
        "DOUBLE | \"1.5\"",
        "DECIMAL(10,2) | 1.234",
        "DECIMAL(10,2) | 123456789",
        "DECIMAL(10,2) | 1e999999999",
        "DECIMAL(10,2) | 1e-999999999",
        "DECIMAL(10,2) | \"1.5\"",
        "VARCHAR(3) | \"abcd\"",
        "BINARY | \"A!\"",
        "BINARY(2) | \"AQID\"",
        "DATE | \"2025-02-29\"",
        "DATE | 20089",
        "DATE | \"Z\"",
        "DATE | \"2024-02-29ZZ\"",
        "TIME | \"25:00\"",
        "TIMESTAMP | 1735689600",
        "TIMESTAMP | \"soon\"",
        "TIMESTAMP_NTZ | \"2025-01-01T00:00:00Z\"",
        "ARRAY<INT> | 5",
        "ARRAY<INT> | {\"a\":1}",
        "MAP<STRING,INT> | [1]",
        "STRUCT<a: INT> | \"a\"",
      })
  void aValueThatDoesNotFitIsRescuedOrMalformedAndNeverJustNull(String type, String json)
      throws IOException {
    String line = "{\"id\":1,\"v\":" + json + ",\"w\":2}";

    Reading strict = read("id INT, v " + type + ", w INT", line + "\n");
    assertThat(strict.rows).isEmpty();
    assertThat(strict.malformed)
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.reason()).startsWith("column 'v' is ").contains("found");
              assertThat(record.raw()).isEqualTo(line);
              assertThat(record.offset()).isZero();
            });

    Reading rescuing = read("id INT, v " + type + ", w INT", line + "\n", "rescue");
    assertThat(rescuing.malformed).isEmpty();
    assertThat(rescuing.json("v")).containsExactly("null");
    assertThat(rescuing.json("w")).containsExactly("2");
    assertThat(rescuing.column("_rescued_data").get(0).toString())
        .matches("\\{\"v\":.+,\"_file_path\":\".*/in.json\"}");
  }

  @Test
  void whatIsRescuedIsTheValueAsItWas() throws IOException {
    Reading reading =
        read(
            "id INT, tags ARRAY<INT>, addr STRUCT<zip: INT>, items ARRAY<STRUCT<n: INT>>",
            "{\"id\":12345678901234567890,\"x\":1.500,\"tags\":[1,\"two\",3],"
                + "\"addr\":{\"zip\":\"A1\",\"city\":\"Köln\"},"
                + "\"items\":[{\"n\":1},{\"n\":\"b\",\"m\":{\"deep\":[1.0]}}]}\n",
            "rescue");

    assertThat(reading.column("_rescued_data").get(0).toString())
        .startsWith(
            "{\"id\":12345678901234567890,\"x\":1.500,\"tags[1]\":\"two\",\"addr.zip\":\"A1\","
                + "\"addr.city\":\"Köln\",\"items[1].n\":\"b\",\"items[1].m\":{\"deep\":[1.0]},");
    assertThat(reading.json("tags")).containsExactly("[1,null,3]");
    assertThat(reading.json("items")).containsExactly("[{\"n\":1},{\"n\":null}]");
    assertThat(reading.newColumns).containsExactly("x", "addr.city", "items[1].m");
  }

  @Test
  void nothingIsRescuedFromARecordThatFits() throws IOException {
    Reading reading = read("id INT", "{\"id\":1}\n{\"id\":2,\"new\":null}\n", "rescue");

    assertThat(reading.column("_rescued_data")).containsExactly(null, null);
    assertThat(reading.newColumns).containsExactly("new");
  }

  @Test
  void unknownFieldsAreIgnoredInModeNoneAndAnErrorInModeFail() throws IOException {
    String content = "{\"id\":1,\"x\":{\"y\":[1,{}]},\"z\":\"}\"}\n";

    assertThat(read("id INT", content).json("id")).containsExactly("1");
    assertThatThrownBy(() -> read("id INT", content, "failOnNewColumns"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEW_COLUMNS))
        .hasMessageContaining("'x'")
        .hasMessageContaining("in.json");
  }

  @Test
  void unreadableLinesAreReportedWithTheirExactOffsetAndTheOthersAreRead() throws IOException {
    String content =
        "{\"id\":1}\n"
            + "{\"id\":2\n"
            + "\n"
            + "[{\"id\":3}]\r\n"
            + "null\n"
            + "{\"id\":4} {\"id\":5}\n"
            + "{\"id\":\"ä}\n"
            + "{'id':7}\n"
            + "   \t\n"
            + "{\"id\":01}\n"
            + "{\"id\":8}";

    Reading reading = read("id INT", content);

    assertThat(reading.json("id")).containsExactly("1", "8");
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    assertThat(reading.offsets).containsExactly(0L, (long) bytes.length - "{\"id\":8}".length());
    assertThat(reading.malformed).hasSize(7);
    for (MalformedRecord record : reading.malformed) {
      byte[] raw = record.raw().getBytes(StandardCharsets.UTF_8);
      int offset = (int) record.offset();
      assertThat(new String(bytes, offset, raw.length, StandardCharsets.UTF_8))
          .isEqualTo(record.raw());
      assertThat(bytes[offset - 1]).isEqualTo((byte) '\n');
      assertThat(bytes[offset + raw.length]).isIn((byte) '\n', (byte) '\r');
    }
  }

  @Test
  void halfOfASurrogatePairIsNoText() throws IOException {
    Reading reading =
        read(
            "id STRING",
            "{\"id\":\"\\ud800\"}\n{\"id\":\"a\\ud83d\\ude00\"}\n{\"id\":\"\\ude00\\ud83d\"}\n");

    assertThat(reading.column("id")).extracting(Object::toString).containsExactly("a\ud83d\ude00");
    assertThat(reading.malformed)
        .extracting(MalformedRecord::reason)
        .containsExactly(
            "column 'id' is STRING, found the text '\\ud800'",
            "column 'id' is STRING, found the text '\\ude00\\ud83d'");
  }

  @Test
  void aLineThatIsNoJsonIsMalformedEvenWhereValuesAreRescued() throws IOException {
    Reading reading = read("id INT", "{\"x\":1,\"id\":\n", "rescue");

    assertThat(reading.rows).isEmpty();
    assertThat(reading.malformed).hasSize(1);
  }

  @Test
  void invalidUtf8IsMalformed() throws IOException {
    Path file = folder.resolve("in.json");
    Files.write(file, new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xC3, '"', '}', '\n'});

    assertThat(Reading.of(file.toString(), Map.of("schema", "a STRING")).malformed).hasSize(1);
  }

  @Test
  void longTextsOfMalformedRecordsAreCut() throws IOException {
    Reading reading = read("id INT", "{\"id\":\"" + "ä".repeat(9_000) + "\n");

    assertThat(reading.malformed.get(0).raw()).hasSize(FileRowReader.MAX_RAW_CHARACTERS);
  }

  @Test
  void twoFieldsForOneColumnMakeTheRecordMalformed() throws IOException {
    Reading reading =
        read(
            "id INT, s STRUCT<a: INT>",
            "{\"id\":1,\"id\":1}\n{\"id\":1,\"ID\":2}\n{\"s\":{\"a\":1,\"A\":null}}\n");

    assertThat(reading.rows).isEmpty();
    assertThat(reading.malformed)
        .extracting(MalformedRecord::reason)
        .allMatch(reason -> reason.contains("two fields for the column"));
    assertThat(reading.malformed.get(2).reason()).contains("'s.A'");
  }
}
