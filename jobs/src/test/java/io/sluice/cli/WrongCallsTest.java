package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of the command line that cannot work: exit code 2 and one clear line. */
class WrongCallsTest {

  @TempDir private Path folder;

  private Outcome call(String... arguments) {
    return Outcome.of(folder, arguments);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String pipeline() throws IOException {
    Files.createDirectories(folder.resolve("feed"));
    return file(
        "pipeline.sql",
        """
        CREATE STREAMING TABLE people;
        CREATE FLOW lines AS INSERT INTO people BY NAME
        SELECT * FROM STREAM read_files('%s/feed', format => 'json', schema => 'id INT');
        """
            .formatted(folder));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run|FILE",
        "walk x.sql|there is no command 'walk'",
        "rnu x.sql|Did you mean 'run'?",
        "run --paralellism 2 x.sql|there is no option '--paralellism'. Did you mean '--parallelism'?",
        "run --parallelism two x.sql|two",
        "run --parallelism|--parallelism",
        "run --set x.sql --set|--set",
        "run --set novalue x.sql|Value for option '--set'",
        "run --output xml x.sql|xml",
        "run a.sql b.sql|the argument 'b.sql' is one too many",
        "query|SQL",
        "|Name a command"
      })
  void arguments_that_do_not_fit_are_named(String arguments, String named) {
    Outcome outcome = call(arguments == null ? new String[0] : arguments.split(" "));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.error()).contains(named);
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "validate", "status"})
  void a_pipeline_that_is_no_text_file_is_named_and_no_warehouse_is_made(String command)
      throws IOException {
    Path missing = folder.resolve("missing.sql");
    assertThat(call(command, missing.toString()).error()).contains("no file " + missing);
    assertThat(call(command, folder.toString()).error()).contains(folder + " is a folder");
    Path binary = folder.resolve("binary.sql");
    Files.write(binary, new byte[] {0, (byte) 0xC3, 0x28, (byte) 0xFF, 1, 2});
    assertThat(call(command, binary.toString()).error()).contains(binary + " is no UTF-8 text");
    Path nothing = Files.createFile(folder.resolve("empty.sql"));
    for (Path file : List.of(missing, folder, binary)) {
      assertThat(call(command, file.toString()).code()).isEqualTo(2);
    }
    assertThat(folder.resolve("warehouse")).doesNotExist();
    assertThat(nothing).isEmptyFile();
  }

  @Test
  void a_file_without_statements_is_refused() throws IOException {
    Outcome outcome = call("run", file("empty.sql", "-- nothing here\n"));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.error()).contains("empty.sql");
  }

  @Test
  void control_characters_in_a_pipeline_are_a_syntax_error_with_a_place() throws IOException {
    Outcome outcome = call("run", file("zero.sql", "CREATE STREAMING TABLE a;\n\u0000\u0001"));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.error()).contains("zero.sql:2:1", "SYNTAX");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--parallelism=0|--parallelism cannot be 0",
        "--parallelism=-3|--parallelism cannot be -3",
        "--set|--set",
        "--set=novalue|novalue",
        "--set=sluice.parallelism=zero|sluice.parallelism",
        "--set=sluice.tie=FAIL|sluice.ties",
        "--refresh=peeple|people",
        "--full-refresh=default.pepole|people",
        "--full-refresh=|no table ''",
        "--catalog-config=/nowhere/catalog.yaml|/nowhere/catalog.yaml"
      })
  void options_with_values_that_cannot_be_are_named(String option, String named)
      throws IOException {
    Outcome outcome = call("run", pipeline(), option);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.error()).contains(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not: [closed|is no YAML",
        "just text|is not a mapping",
        "''|is not a mapping",
        "name: x|names no catalog-impl",
        "catalog-impl: a.b.C\\nextra: 1|extra",
        "catalog-impl: no.such.Catalog|no.such.Catalog",
        "catalog-impl: java.lang.String|java.lang.String",
        "catalog-impl: org.apache.iceberg.jdbc.JdbcCatalog|URI",
        "catalog-impl: a.b.C\\nproperties: text|properties",
        "catalog-impl: ${UNKNOWN_VARIABLE}|UNKNOWN_VARIABLE"
      })
  void a_catalog_configuration_that_cannot_work_is_named(String yaml, String named)
      throws IOException {
    String config = file("catalog.yaml", yaml.replace("\\n", "\n"));
    Outcome outcome = call("run", pipeline(), "--catalog-config", config);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err().replace("java.lang.String", "").replace(named, ""))
        .doesNotContain("Exception", "java.lang.");
    assertThat(outcome.err()).contains("CATALOG_CONFIG").contains(named);
    assertThat(outcome.err().lines().count()).isEqualTo(1);
  }

  @Test
  void a_catalog_configuration_that_is_a_folder_or_binary_is_named() throws IOException {
    Outcome isFolder = call("run", pipeline(), "--catalog-config", folder.toString());
    assertThat(isFolder.code()).isEqualTo(2);
    assertThat(isFolder.error()).contains(folder.toString());
    Path binary = Files.write(folder.resolve("x.yaml"), new byte[] {(byte) 0xC3, 0x28, 0});
    Outcome isBinary = call("run", pipeline(), "--catalog-config", binary.toString());
    assertThat(isBinary.code()).isEqualTo(2);
    assertThat(isBinary.error()).contains(binary.toString());
  }

  @Test
  void a_query_with_errors_gives_its_place_and_code_2() {
    Outcome outcome = call("query", "SELEC 1");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.error()).contains("<inline>:1:1", "INVALID_QUERY");
    Outcome missing = call("query", "SELECT *\n FROM nowhere");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.error()).contains("<inline>:2:7", "TABLE_OR_VIEW_NOT_FOUND", "'nowhere'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SHOW TABLES",
        "DROP TABLE people",
        "DELETE FROM people",
        "INSERT INTO people SELECT 1",
        "CREATE VIEW v AS SELECT 1"
      })
  void a_statement_that_is_no_query_is_told_what_belongs_there(String statement) {
    Outcome outcome = call("query", statement);
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.error()).contains("<inline>:1:1", "INVALID_QUERY", "Begin it with SELECT");
  }

  @Test
  void json_output_stays_json_when_the_update_fails() throws IOException {
    Files.createDirectories(folder.resolve("feed"));
    Files.writeString(
        folder.resolve("feed/1.json"),
        "{\"id\":\"\u2603 \\\"quoted\\\"\\n\"}\n",
        StandardCharsets.UTF_8);
    Outcome outcome = call("run", pipeline(), "--output", "json");
    assertThat(outcome.code()).isEqualTo(1);
    JsonNode root = new ObjectMapper().readTree(outcome.out());
    assertThat(root.path("succeeded").asBoolean(true)).isFalse();
    JsonNode problem = root.at("/failures/0/problems/0");
    assertThat(problem.path("code").asText()).isEqualTo("INVALID_EVENT");
    assertThat(problem.path("message").asText()).contains("1.json (byte 0)");
  }

  @Test
  void json_output_stays_json_when_the_definition_is_wrong() throws IOException {
    String wrong = file("wrong.sql", "CREATE STREAMIN TABLE x;\nCREATE FLOW y AS INSERT INTO z;");
    for (String command : List.of("run", "validate", "status")) {
      Outcome outcome = call(command, wrong, "--output", "json");
      assertThat(outcome.code()).isEqualTo(2);
      JsonNode root = new ObjectMapper().readTree(outcome.out());
      assertThat(root.path("succeeded").asBoolean(true)).isFalse();
      assertThat(root.at("/problems/0/code").asText()).isEqualTo("SYNTAX");
      assertThat(root.at("/problems/0/at").asText()).endsWith("wrong.sql:1:8");
    }
  }
}
