package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadFilesOptionsTest {

  @Test
  void namesAreKnownInAnyCase() {
    ReadFilesOptions options =
        ReadFilesOptions.of("/in", Map.of("FORMAT", "JSON", "MaxFilesPerTrigger", "100"));

    assertThat(options.format()).isEqualTo(Format.JSON);
    assertThat(options.maxFilesPerTrigger()).hasValue(100);
    assertThat(options.inferColumnTypes()).isTrue();
  }

  @Test
  void anUnknownNameIsAnErrorWithTheNearestNameAndTheList() {
    assertThatThrownBy(
            () -> ReadFilesOptions.of("/in", Map.of("format", "json", "modifedAfter", "2025")))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OPTION))
        .hasMessageContaining("'modifedAfter'")
        .hasMessageContaining("Did you mean 'modifiedAfter'?")
        .hasMessageContaining("pathGlobFilter");
  }

  @ParameterizedTest
  @CsvSource({
    "format, xml, 'json, csv, parquet or avro'",
    "inferColumnTypes, yes, true or false",
    "schemaEvolutionMode, grow, failOnNewColumns",
    "modifiedAfter, yesterday, ISO-8601",
    "modifiedBefore, 2025-02-30, ISO-8601",
    "maxFilesPerTrigger, 0, above 0",
    "maxFilesPerTrigger, many, above 0",
    "pathGlobFilter, 'a[', not closed",
    "header, 1, true or false",
    "delimiter, '||', one ASCII character",
  })
  void aBadValueIsAnErrorThatSaysWhatIsPossible(String name, String value, String possible) {
    Map<String, String> options =
        name.equals("format") ? Map.of(name, value) : Map.of("format", "csv", name, value);

    assertThatThrownBy(() -> ReadFilesOptions.of("/in", options))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining(value)
        .hasMessageContaining(possible);
  }

  @Test
  void csvOptionsAreRefusedForOtherFormatsRatherThanIgnored() {
    assertThatThrownBy(() -> ReadFilesOptions.of("/in", Map.of("format", "json", "header", "true")))
        .hasMessageContaining("Only format => 'csv' knows it");
  }

  @ParameterizedTest
  @CsvSource({
    "2024-12-31T23:59:59.999+00:00, 2024-12-31T23:59:59.999Z",
    "2025-01-01, 2025-01-01T00:00:00Z",
    "2025-01-01 12:30:00, 2025-01-01T12:30:00Z",
    "2025-01-01T12:30:00+02:00, 2025-01-01T10:30:00Z",
    "2025-01-01T12:30Z, 2025-01-01T12:30:00Z",
  })
  void instantsAreIsoTextsAndUtcWithoutZone(String text, Instant expected) {
    ReadFilesOptions options =
        ReadFilesOptions.of("/in", Map.of("format", "json", "modifiedAfter", text));

    assertThat(options.modifiedAfter()).hasValue(expected);
  }

  @Test
  void theEvolutionModeDependsOnWhetherASchemaIsDeclared() {
    assertThat(ReadFilesOptions.of("/a.json", Map.of()).mode())
        .isEqualTo(SchemaEvolutionMode.ADD_NEW_COLUMNS);
    assertThat(ReadFilesOptions.of("/a.json", Map.of("schema", "id INT")).mode())
        .isEqualTo(SchemaEvolutionMode.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "/in/*.json, JSON",
    "/in/x.jsonl.gz, JSON",
    "/in/x.CSV, CSV",
    "/in/x.parquet, PARQUET",
    "/in/**/x.avro, AVRO",
  })
  void theFormatIsFoundByTheEndingOfThePath(String path, Format format) {
    assertThat(ReadFilesOptions.of(path, Map.of()).format()).isEqualTo(format);
  }

  @Test
  void theFormatIsFoundByTheFilesWhereThePathDoesNotSayIt(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("a.csv"), "1\n");
    Files.writeString(folder.resolve("README"), "no data");

    assertThat(ReadFilesOptions.of(folder.toString(), Map.of()).format()).isEqualTo(Format.CSV);

    Files.writeString(folder.resolve("b.json"), "{}\n");
    assertThatThrownBy(() -> ReadFilesOptions.of(folder.toString(), Map.of()))
        .hasMessageContaining("[JSON, CSV]")
        .hasMessageContaining("Add format");
  }

  @Test
  void optionsComeBackFromTheirMapAndFromSerialization() throws Exception {
    ReadFilesOptions options =
        ReadFilesOptions.of(
            "/in/*",
            Map.of(
                "format", "csv",
                "schema", "id INT",
                "modifiedAfter", "2025-01-01T00:00:00.000001Z",
                "modifiedBefore", "2026-01-01",
                "maxFilesPerTrigger", "7",
                "pathGlobFilter", "*.csv",
                "header", "true",
                "delimiter", "\\t"));

    assertThat(options.delimiter()).isEqualTo('\t');
    assertThat(ReadFilesOptions.of(options.path(), options.toMap())).isEqualTo(options);
    assertThat(InstantiationUtil.clone(options)).isEqualTo(options);
  }
}
