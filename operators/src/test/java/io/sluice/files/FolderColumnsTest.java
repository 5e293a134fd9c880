package io.sluice.files;

import static io.sluice.files.SchemaInferenceTest.columns;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders {@code name=value} are columns. */
class FolderColumnsTest {

  @TempDir Path folder;

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  @Test
  void foldersBecomeColumnsBehindTheData() throws IOException {
    write("year=2024/month=01/kind=A%2FB/a.json", "{\"id\":1}\n");
    write("year=2025/month=12/kind=x/day=2025-12-31/a.json", "{\"id\":2}\n");
    write("plain/a.json", "{\"id\":3}\n");
    write("year=__HIVE_DEFAULT_PARTITION__/a.json", "{\"id\":4}\n");

    Reading reading = Reading.of(folder.toString(), Map.of("format", "json"));

    assertThat(columns(reading.schema))
        .isEqualTo(
            "`id` BIGINT, `year` BIGINT, `month` BIGINT, `kind` STRING, `day` DATE,"
                + " `_rescued_data` STRING");
    assertThat(reading.json("id")).containsExactly("3", "1", "2", "4");
    assertThat(reading.json("year")).containsExactly("null", "2024", "2025", "null");
    assertThat(reading.json("month")).containsExactly("null", "1", "12", "null");
    assertThat(reading.json("kind")).containsExactly("null", "\"A/B\"", "\"x\"", "null");
    assertThat(reading.json("day")).containsExactly("null", "null", "\"2025-12-31\"", "null");
  }

  @Test
  void aFolderInTheLiteralPartOfThePathCountsToo() throws IOException {
    write("year=2024/01/a.json", "{\"id\":1}\n");

    assertThat(Reading.of(folder + "/year=2024/*", Map.of("format", "json")).json("year"))
        .containsExactly("2024");
  }

  @Test
  void dataWinsOverTheFolderOfTheSameName() throws IOException {
    write("year=2024/a.json", "{\"Year\":\"MMXXIV\"}\n{\"other\":1}\n{\"Year\":null}\n");

    Reading reading = Reading.of(folder.toString(), Map.of("format", "json"));

    assertThat(columns(reading.schema))
        .isEqualTo("`Year` STRING, `other` BIGINT, `_rescued_data` STRING");
    assertThat(reading.json("Year")).containsExactly("\"MMXXIV\"", "\"2024\"", "null");
  }

  @Test
  void declaredColumnsAreFilledFromFoldersAndUndeclaredFoldersAreAdded() throws IOException {
    write("year=2024/region=eu/a.json", "{\"id\":1}\n");

    Reading reading =
        Reading.of(folder.toString(), Map.of("format", "json", "schema", "year INT, id INT"));

    assertThat(columns(reading.schema)).isEqualTo("`year` INT, `id` INT, `region` STRING");
    assertThat(reading.json("year")).containsExactly("2024");
    assertThat(reading.json("region")).containsExactly("\"eu\"");
  }

  @Test
  void aFolderThatDoesNotFitItsColumnIsRescuedOrMalformed() throws IOException {
    write("year=soon/a.json", "{\"id\":1}\n");

    Reading strict =
        Reading.of(folder.toString(), Map.of("format", "json", "schema", "id INT, year INT"));
    assertThat(strict.malformed.get(0).reason()).contains("'year'").contains("soon");

    Reading rescuing =
        Reading.of(
            folder.toString(),
            Map.of(
                "format", "json", "schema", "id INT, year INT", "schemaEvolutionMode", "rescue"));
    assertThat(rescuing.json("year")).containsExactly("null");
    assertThat(rescuing.column("_rescued_data").get(0).toString()).contains("\"year\":\"soon\"");
  }
}
