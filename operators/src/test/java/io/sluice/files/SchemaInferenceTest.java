package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaInferenceTest {

  @TempDir Path folder;

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private ReadFilesOptions options(String... options) {
    Map<String, String> map = Reading.pairs(options);
    map.putIfAbsent("format", "json");
    return ReadFilesOptions.of(folder.toString(), map);
  }

  private FileSchema infer(String... options) {
    ReadFilesOptions parsed = options(options);
    return SchemaInference.infer(FileListing.list(parsed), parsed);
  }

  static String columns(FileSchema schema) {
    String text = schema.data().asSummaryString();
    return text.substring("ROW<".length(), text.length() - "> NOT NULL".length());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "true false null | BOOLEAN",
        "1 -5 9223372036854775807 | BIGINT",
        "1 2.5 | DOUBLE",
        "2.5 1 | DOUBLE",
        "1.0 | DOUBLE",
        "\"2025-01-01\" | DATE",
        "\"2025-01-01T10:00:00Z\" | TIMESTAMP_LTZ(6)",
        "\"2025-01-01T10:00\" \"2025-01-01\" | TIMESTAMP_LTZ(6)",
        "\"2025-01-01\" \"2025-02-30\" | STRING",
        "\"a\" | STRING",
        "1 \"a\" | STRING",
        "1 \"1\" | STRING",
        "true 1 | STRING",
        "null null | STRING",
        "9223372036854775808 | STRING",
        "9223372036854775808 1 | STRING",
        "1e400 | STRING",
        "[1] [2.5] | ARRAY<DOUBLE>",
        "[] [null] | ARRAY<STRING>",
        "[[1],[]] | ARRAY<ARRAY<BIGINT>>",
        "[1] 1 | STRING",
        "{\"a\":1} {\"b\":\"x\",\"A\":2.5} | ROW<`a` DOUBLE, `b` STRING>",
        "[{\"a\":1},{\"a\":null,\"b\":true}] | ARRAY<ROW<`a` BIGINT, `b` BOOLEAN>>",
        "{} | STRING",
        "{\"a\":1} [1] | STRING",
      })
  void jsonValuesHaveTheTypeThatTakesThemAll(String values, String type) throws IOException {
    StringBuilder content = new StringBuilder();
    for (String value : values.split(" ")) {
      content.append("{\"v\":").append(value).append("}\n");
    }
    write("a.json", content.toString());

    assertThat(columns(infer())).isEqualTo("`v` " + type + ", `_rescued_data` STRING");
    Reading reading = Reading.of(folder.toString(), Map.of("format", "json"));
    assertThat(reading.malformed).isEmpty();
    assertThat(reading.column("_rescued_data")).containsOnlyNulls();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "true;FALSE | BOOLEAN",
        "1;-2 | BIGINT",
        "1;2.50 | DOUBLE",
        "1e3 | DOUBLE",
        "007 | STRING",
        "+5 | STRING",
        "9223372036854775808 | STRING",
        "2025-01-01 | DATE",
        "2025-01-01 10:00:00 | TIMESTAMP_LTZ(6)",
        "a;1 | STRING",
        "NaN | STRING",
      })
  void csvFieldsAreTypedByTheirText(String values, String type) throws IOException {
    write("a.csv", "k," + String.join("\nk,", values.split(";")) + "\nk,\n");

    assertThat(columns(infer("format", "csv")))
        .isEqualTo("`_c0` STRING, `_c1` " + type + ", `_rescued_data` STRING");
  }

  @Test
  void withoutTypesEveryColumnOfTextFilesIsAString() throws IOException {
    write("a.json", "{\"i\":1,\"b\":true,\"n\":{\"x\":[1]},\"nothing\":null}\n");
    assertThat(columns(infer("inferColumnTypes", "false")))
        .isEqualTo("`i` STRING, `b` STRING, `n` STRING, `nothing` STRING, `_rescued_data` STRING");

    Files.delete(folder.resolve("a.json"));
    write("a.csv", "i,b\n1,true\n");
    assertThat(columns(infer("format", "csv", "inferColumnTypes", "false", "header", "true")))
        .isEqualTo("`i` STRING, `b` STRING, `_rescued_data` STRING");
  }

  @Test
  void columnsComeInTheOrderOfTheirFirstAppearanceByPath() throws IOException {
    write("2.json", "{\"c\":1,\"a\":2.5}\n");
    write("1.json", "{\"b\":1}\n{\"a\":1,\"B\":2}\n");

    assertThat(columns(infer()))
        .isEqualTo("`b` BIGINT, `a` DOUBLE, `c` BIGINT, `_rescued_data` STRING");
  }

  @Test
  void aFieldWithoutANameIsNoColumn() throws IOException {
    write("1.json", "{\"\":1,\"id\":2,\"  \":3,\"nested\":{\"\":4},\"row\":{\"\":5,\"x\":6}}\n");

    assertThat(columns(infer()))
        .isEqualTo("`id` BIGINT, `nested` STRING, `row` ROW<`x` BIGINT>, `_rescued_data` STRING");
  }

  @Test
  void theOrderOfTheListDoesNotMatter() throws IOException {
    Random random = new Random(3);
    for (int file = 0; file < 30; file++) {
      write(file + ".json", "{\"f" + random.nextInt(9) + "\":" + random.nextInt(9) / 2.0 + "}\n");
    }
    ReadFilesOptions options = options();
    List<FileEntry> files = new ArrayList<>(FileListing.list(options));
    FileSchema expected = SchemaInference.infer(files, options);
    for (int round = 0; round < 10; round++) {
      Collections.shuffle(files, random);
      assertThat(SchemaInference.infer(files, options)).isEqualTo(expected);
    }
  }

  @Test
  void aHeaderWithoutRecordsStillNamesColumns() throws IOException {
    write("a.csv", "id,,name\n");

    assertThat(columns(infer("format", "csv", "header", "true")))
        .isEqualTo("`id` STRING, `_c1` STRING, `name` STRING, `_rescued_data` STRING");
  }

  @Test
  void malformedLinesDoNotStopInference() throws IOException {
    write("a.json", "{\"a\":1}\nnonsense\n[1]\n{\"b\":2}\n{\"c\":\n");

    assertThat(columns(infer())).startsWith("`a` BIGINT, `b` BIGINT,");
  }

  @Test
  void addNewColumnsWidensADeclaredSchemaAndRescueDoesNot() throws IOException {
    write("a.json", "{\"id\":1,\"new\":true}\n");

    ReadFilesOptions adding = options("schema", "id INT", "schemaEvolutionMode", "addNewColumns");
    assertThat(columns(SchemaInference.resolve(FileListing.list(adding), adding)))
        .isEqualTo("`id` INT, `new` BOOLEAN, `_rescued_data` STRING");
    ReadFilesOptions rescuing = options("schema", "id INT", "schemaEvolutionMode", "rescue");
    assertThat(columns(SchemaInference.resolve(FileListing.list(rescuing), rescuing)))
        .isEqualTo("`id` INT, `_rescued_data` STRING");
    ReadFilesOptions plain = options("schema", "id INT");
    assertThat(columns(SchemaInference.resolve(List.of(), plain))).isEqualTo("`id` INT");
  }

  @Test
  void filesWithoutDataGiveNoSchema() throws IOException {
    assertThatThrownBy(this::infer)
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_NOT_INFERRED))
        .hasMessageContaining("there are no files");

    write("empty.json", "");
    assertThatThrownBy(this::infer).hasMessageContaining("no file has data");
  }

  @Test
  void aTypeThatChangesBetweenRunsKeepsTheColumnAndRescuesTheValue() throws IOException {
    write("1.json", "{\"id\":1,\"amount\":5}\n");
    FileSchema first = infer();
    write("2.json", "{\"id\":\"A7\",\"amount\":5.5,\"extra\":1}\n");
    FileSchema second = FileSchema.widen(first, infer());

    assertThat(columns(second))
        .isEqualTo("`id` BIGINT, `amount` BIGINT, `extra` BIGINT, `_rescued_data` STRING");
    Reading reading = Reading.of(options(), second, false, Long.MAX_VALUE);
    assertThat(reading.json("id")).containsExactly("1", "null");
    assertThat(reading.json("extra")).containsExactly("null", "1");
    assertThat(reading.column("_rescued_data").get(1).toString())
        .startsWith("{\"id\":\"A7\",\"amount\":5.5,\"_file_path\":");
  }

  @Test
  void veryDeepAndVeryWideObjectsEndInStrings() throws IOException {
    StringBuilder wide = new StringBuilder("{\"k0\":0");
    for (int index = 1; index <= Guess.Fields.MAX_NESTED_FIELDS; index++) {
      wide.append(",\"k").append(index).append("\":").append(index);
    }
    String deep = "[".repeat(200) + "]".repeat(200);
    write("a.json", "{\"deep\":" + deep + ",\"wide\":" + wide + "}}\n");

    Reading reading = Reading.of(folder.toString(), Map.of("format", "json"));

    assertThat(columns(reading.schema))
        .isEqualTo(
            "`deep` "
                + "ARRAY<".repeat(32)
                + "STRING"
                + ">".repeat(32)
                + ", `wide` STRING, `_rescued_data` STRING");
    assertThat(reading.column("wide").get(0)).hasToString(wide + "}");
  }

  @Test
  void aFileThatVanishesBeforeInferenceIsAnError() throws IOException {
    write("a.json", "{\"id\":1}\n");
    ReadFilesOptions options = options();
    List<FileEntry> files = FileListing.list(options);
    Files.delete(folder.resolve("a.json"));

    assertThatThrownBy(() -> SchemaInference.infer(files, options))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED))
        .hasMessageContaining("a.json");
  }

  @Test
  void aFieldNamedLikeTheRescueColumnIsRescuedItself() throws IOException {
    write("a.json", "{\"id\":1,\"_rescued_data\":\"x\"}\n");

    Reading reading = Reading.of(folder.toString(), Map.of("format", "json"));

    assertThat(reading.column("_rescued_data").get(0).toString())
        .startsWith("{\"_rescued_data\":\"x\",");
  }

  @Test
  void aSampleHoldsTheNewestTheOldestAndASpreadOfTheRest() throws IOException {
    List<FileEntry> files = new ArrayList<>();
    for (int index = 0; index < 5_000; index++) {
      files.add(new FileEntry(String.format("/in/%05d", index), 10, (index * 7919L) % 5_000));
    }
    FileEntry newest =
        files.stream()
            .max((a, b) -> Long.compare(a.modificationTimeMs(), b.modificationTimeMs()))
            .orElseThrow();

    InferenceSample sample = InferenceSample.of(files);

    assertThat(sample.files()).hasSizeLessThanOrEqualTo(InferenceSample.MAX_FILES).isSorted();
    assertThat(sample.files()).contains(newest, files.get(0));
    assertThat(sample.files().size() * sample.bytesPerFile())
        .isLessThanOrEqualTo(InferenceSample.MAX_BYTES);
    Collections.shuffle(files, new Random(1));
    assertThat(InferenceSample.of(files)).isEqualTo(sample);
  }

  @Test
  void aColumnOfTheNewestFileIsSeenAmongManyOldOnes() throws IOException {
    for (int index = 0; index < 400; index++) {
      write(String.format("%03d.json", index), "{\"id\":1}\n");
      Files.setLastModifiedTime(
          folder.resolve(String.format("%03d.json", index)), FileTime.fromMillis(1_000));
    }
    write("201.json", "{\"id\":1,\"late\":true}\n");

    assertThat(columns(infer())).startsWith("`id` BIGINT, `late` BOOLEAN,");
  }
}
