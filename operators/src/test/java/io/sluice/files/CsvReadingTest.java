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

class CsvReadingTest {

  @TempDir Path folder;

  private Reading read(String content, String... options) throws IOException {
    return Reading.ofContent(folder.resolve("in.csv"), content, options);
  }

  @Test
  void quotesMayHoldDelimitersQuotesAndLineBreaks() throws IOException {
    String content = "1,\"a,b\"\r\n2,\"say \"\"hi\"\"\"\n3,\"two\nlines\r\nand more\"\n4,a\"b";

    Reading reading = read(content, "schema", "id INT, t STRING");

    assertThat(reading.json("id")).containsExactly("1", "2", "3", "4");
    assertThat(reading.column("t").stream().map(Object::toString))
        .containsExactly("a,b", "say \"hi\"", "two\nlines\r\nand more", "a\"b");
    for (int index = 0; index < 4; index++) {
      int offset = reading.offsets.get(index).intValue();
      assertThat(content.substring(offset)).startsWith(index + 1 + ",");
    }
  }

  @Test
  void anEmptyFieldIsNullAndAQuotedEmptyOneIsText() throws IOException {
    Reading reading = read("1,,\n2,\"\",5\n", "schema", "id INT, t STRING, n INT");

    assertThat(reading.json("t")).containsExactly("null", "\"\"");
    assertThat(reading.json("n")).containsExactly("null", "5");
  }

  @Test
  void aHeaderSaysWhichFieldIsWhichColumn() throws IOException {
    Reading reading =
        read(
            "\uFEFFName,ID,other\nx,1,z\n",
            "header",
            "true",
            "schema",
            "id INT, name STRING, n INT");

    assertThat(reading.json("id")).containsExactly("1");
    assertThat(reading.json("name")).containsExactly("\"x\"");
    assertThat(reading.json("n")).containsExactly("null");
    assertThat(reading.newColumns).containsExactly("other");
  }

  @Test
  void anotherDelimiterIsTaken() throws IOException {
    assertThat(read("1;a,b\n", "schema", "id INT, t STRING", "delimiter", ";").json("t"))
        .containsExactly("\"a,b\"");
    assertThat(read("1\ta,b\n", "schema", "id INT, t STRING", "delimiter", "\\t").json("t"))
        .containsExactly("\"a,b\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "BOOLEAN | TRUE | true",
        "TINYINT | -5 | -5",
        "INT | 12 | 12",
        "BIGINT |  12  | 12",
        "DOUBLE | 1e3 | 1000.0",
        "DOUBLE | NaN | \"NaN\"",
        "FLOAT | 2.5 | 2.5",
        "DECIMAL(10,2) | 12.5 | 12.50",
        "DATE | 2025-01-31 | \"2025-01-31\"",
        "TIMESTAMP | 2025-01-31 10:00:00+02:00 | \"2025-01-31T08:00:00Z\"",
        "BINARY | AQID | \"AQID\"",
      })
  void textsAreReadAsTheTypeOfTheirColumn(String type, String text, String json)
      throws IOException {
    assertThat(read("x," + text + "\n", "schema", "k STRING, v " + type).json("v"))
        .containsExactly(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "BOOLEAN | 1",
        "INT | 2147483648",
        "INT | 1.5",
        "INT | abc",
        "INT | \"\"",
        "DOUBLE | 0x1p3",
        "DOUBLE | 1d",
        "DOUBLE | 1e400",
        "DECIMAL(4,1) | 1.25",
        "DATE | 31.01.2025",
        "TIMESTAMP | 10:00",
      })
  void aTextThatDoesNotFitIsRescuedOrMalformed(String type, String text) throws IOException {
    Reading strict = read("x," + text + "\n", "schema", "k STRING, v " + type);
    assertThat(strict.rows).isEmpty();
    assertThat(strict.malformed)
        .singleElement()
        .satisfies(record -> assertThat(record.reason()).startsWith("column 'v' is "));

    Reading rescuing =
        read("x," + text + "\n", "schema", "k STRING, v " + type, "schemaEvolutionMode", "rescue");
    assertThat(rescuing.json("v")).containsExactly("null");
    assertThat(rescuing.column("_rescued_data").get(0).toString())
        .contains("{\"v\":\"" + text.replace("\"", "") + "\"");
  }

  @Test
  void raggedAndBrokenRecordsAreMalformedAndTheOthersAreRead() throws IOException {
    String content = "1,a\n2\n3,b,c\n\n\"4\"x,d\n5,\"e\"\n6,\"open\n7,f\n";

    Reading reading = read(content, "schema", "id INT, t STRING");

    assertThat(reading.json("id")).containsExactly("1", "5");
    assertThat(reading.malformed)
        .extracting(MalformedRecord::raw)
        .containsExactly("2", "3,b,c", "\"4\"x,d", "6,\"open\n7,f");
    assertThat(reading.malformed)
        .extracting(MalformedRecord::offset)
        .containsExactly(4L, 6L, 13L, (long) content.indexOf("6,"));
    assertThat(reading.malformed)
        .extracting(MalformedRecord::reason)
        .containsExactly(
            "the record has 1 fields, not 2",
            "the record has 3 fields, not 2",
            "there is text behind a closing quote",
            "a quote is not closed");
  }

  @Test
  void aQuoteThatIsNeverClosedDoesNotEatMoreThanTheLimit() throws IOException {
    String content = "1,\"" + "x\n".repeat(CsvRecords.MAX_RECORD_BYTES / 2 + 10) + "2,b\n";

    Reading reading = read(content, "schema", "id INT, t STRING");

    assertThat(reading.malformed.get(0).reason()).contains("is a quote not closed?");
    assertThat(reading.malformed.get(0).offset()).isZero();
    assertThat(reading.json("id")).containsExactly("2");
  }

  @Test
  void textThatIsNoUtf8IsMalformed() throws IOException {
    Files.write(folder.resolve("in.csv"), "1,Köln\n2,b\n".getBytes(StandardCharsets.ISO_8859_1));

    Reading reading =
        Reading.of(folder.resolve("in.csv").toString(), Map.of("schema", "id INT, t STRING"));

    assertThat(reading.json("id")).containsExactly("2");
    assertThat(reading.malformed.get(0).reason()).isEqualTo("field 2 is no UTF-8 text");
  }

  @Test
  void aHeaderThatNamesAColumnTwiceIsAnError() {
    assertThatThrownBy(() -> read("a,A\n1,2\n", "header", "true", "schema", "a INT"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD))
        .hasMessageContaining("twice");
  }

  @Test
  void nestedTypesAreRefused() {
    assertThatThrownBy(() -> read("1,2\n", "schema", "a INT, b ARRAY<INT>"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining("'b'")
        .hasMessageContaining("ARRAY<INT>");
  }

  @Test
  void recordsAcrossTheBufferEdgeAreWhole() throws IOException {
    StringBuilder content = new StringBuilder();
    for (int id = 0; id < 30_000; id++) {
      content.append(id).append(",\"value ").append(id).append(" ä\"\n");
    }

    Reading reading = read(content.toString(), "schema", "id INT, t STRING");

    assertThat(reading.rows).hasSize(30_000);
    assertThat(reading.malformed).isEmpty();
    assertThat(reading.column("t").get(29_999)).hasToString("value 29999 ä");
  }
}
