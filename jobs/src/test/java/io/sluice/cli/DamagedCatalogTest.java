package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.catalog.CatalogConfig;
import io.sluice.catalog.CatalogConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command against a catalog that is locked, or a table whose metadata is no longer good. */
class DamagedCatalogTest {

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("status", "pipeline.sql"),
          List.of("validate", "pipeline.sql"),
          List.of("run", "pipeline.sql"),
          List.of("stop", "pipeline.sql"),
          List.of("query", "SELECT * FROM people"),
          List.of("query", "SELECT * FROM people", "--as-of-business", "1"),
          List.of("explain-key", "people", "id=1"));

  @TempDir private Path folder;

  private Map<String, String> environment() {
    return Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString());
  }

  /** The only error of a command that ends with 1. */
  private String error(List<String> command, Path catalog) {
    StringWriter err = new StringWriter();
    PrintWriter out = new PrintWriter(new StringWriter());
    Console console = new Console(out, new PrintWriter(err, true), environment(), false);
    String[] arguments =
        Stream.concat(
                command.stream()
                    .map(word -> word.endsWith(".sql") ? folder.resolve(word).toString() : word),
                Stream.of("--catalog-config", catalog.toString()))
            .toArray(String[]::new);
    int code = Sluice.execute(console, arguments);
    List<String> errors =
        err.toString().lines().filter(line -> line.startsWith("error: ")).distinct().toList();
    assertThat(errors).as(command + ": " + err).hasSize(1);
    assertThat(errors.get(0)).as("of " + command).doesNotContain("fault of Sluice", "Exception");
    assertThat(code).as(errors.get(0)).isEqualTo(1);
    return errors.get(0);
  }

  private void writePipeline() throws IOException {
    Files.createDirectories(folder.resolve("feed"));
    Files.writeString(
        folder.resolve("pipeline.sql"),
        """
        CREATE STREAMING TABLE people;
        CREATE FLOW lines AS INSERT INTO people BY NAME
        SELECT * FROM STREAM read_files('%s/feed', format => 'json', schema => 'id INT');
        """
            .formatted(folder));
  }

  private Path catalog(String name) {
    return Path.of("../catalog-config").resolve(name + ".yaml");
  }

  /** Makes the table and gives its metadata file. */
  private Path table(Path catalog) throws IOException {
    try (CatalogConnection connection =
        CatalogConnection.open(CatalogConfig.load(catalog, environment()))) {
      connection
          .catalog()
          .createTable(
              connection.identifier(List.of("people")),
              new Schema(Types.NestedField.optional(1, "id", Types.IntegerType.get())));
    }
    try (Stream<Path> files = Files.list(folder.resolve("warehouse/default/people/metadata"))) {
      return files
          .filter(file -> file.toString().endsWith(".metadata.json"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Writes another content, without the checksum that would tell of it. */
  private static void replace(Path file, String content) throws IOException {
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    Files.writeString(file, content);
  }

  @Test
  void a_metadata_file_with_another_checksum_is_named_by_every_command() throws IOException {
    writePipeline();
    Path metadata = table(catalog("hadoop"));
    Files.writeString(metadata, Files.readString(metadata).replace("people", "poeple"));
    for (List<String> command : COMMANDS) {
      assertThat(error(command, catalog("hadoop")))
          .contains("[STORAGE]", "default.people", metadata.toString(), "checksum");
    }
  }

  @Test
  void a_metadata_file_that_is_cut_off_is_named_by_every_command() throws IOException {
    writePipeline();
    Path metadata = table(catalog("hadoop"));
    String text = Files.readString(metadata);
    replace(metadata, text.substring(0, text.length() / 2));
    for (List<String> command : COMMANDS) {
      assertThat(error(command, catalog("hadoop")))
          .contains("[STORAGE]", "default.people", metadata.toString(), "it ends too early")
          .contains("Restore the file");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"''|it ends too early", "{}|it is no metadata", "<html>|it is no JSON"})
  void a_metadata_file_with_something_else_in_it_is_an_error_of_the_table(
      String content, String reason) throws IOException {
    writePipeline();
    replace(table(catalog("hadoop")), content);
    for (List<String> command : List.of(COMMANDS.get(0), COMMANDS.get(4))) {
      assertThat(error(command, catalog("hadoop")))
          .contains("[STORAGE]", "default.people", reason, "Restore the file");
    }
  }

  @Test
  void a_metadata_file_that_is_gone_is_named_by_every_command() throws IOException {
    writePipeline();
    Path metadata = table(catalog("local"));
    Files.delete(metadata);
    for (List<String> command : COMMANDS) {
      assertThat(error(command, catalog("local")))
          .contains("[STORAGE]", metadata.toString(), "is missing");
    }
  }

  @Test
  void a_locked_catalog_file_is_told_after_the_timeout_of_its_uri() throws Exception {
    writePipeline();
    table(catalog("local"));
    String uri = "jdbc:sqlite:" + folder.resolve("warehouse/catalog.db");
    Path impatient = folder.resolve("catalog.yaml");
    Files.writeString(
        impatient,
        Files.readString(catalog("local")).replaceAll("busy_timeout=\\d+", "busy_timeout=1000"));
    try (Connection other = DriverManager.getConnection(uri)) {
      other.createStatement().execute("BEGIN EXCLUSIVE");
      for (List<String> command : COMMANDS) {
        Instant begun = Instant.now();
        assertThat(error(command, impatient))
            .contains("[CATALOG_UNAVAILABLE]", "locked by another process", "busy_timeout");
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(3));
      }
    }
  }
}
