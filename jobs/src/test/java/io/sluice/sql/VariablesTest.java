package io.sluice.sql;

import static io.sluice.sql.Parsing.problems;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariablesTest {

  private static List<Statement> parse(
      String text, Map<String, String> set, Map<String, String> environment) {
    return PipelineParser.parse("p.sql", text, set, environment).statements();
  }

  private static String lastQuery(
      String text, Map<String, String> set, Map<String, String> environment) {
    List<Statement> statements = parse(text, set, environment);
    return ((QueryStatement) statements.get(statements.size() - 1)).query().toString();
  }

  @Test
  void variablesAreReplacedInStringsNamesAndCode() {
    assertThat(
            lastQuery(
                "SELECT '${dir}/x', \"${dir}\", `a_${n}`, b${n}, ${n} + 1 FROM ${schema}.t",
                Map.of("dir", "/in", "n", "7", "schema", "raw"),
                Map.of()))
        .isEqualTo("SELECT '/in/x', \"/in\", `a_7`, b7, 7 + 1 FROM raw.t");
  }

  @Test
  void theSetOptionWinsOverTheStatementAndTheStatementOverTheEnvironment() {
    String text = "SET 'a' = '2'; SELECT ${a}";

    assertThat(lastQuery(text, Map.of("a", "1"), Map.of("a", "3"))).isEqualTo("SELECT 1");
    assertThat(lastQuery(text, Map.of(), Map.of("a", "3"))).isEqualTo("SELECT 2");
    assertThat(lastQuery("SELECT ${a}", Map.of(), Map.of("a", "3"))).isEqualTo("SELECT 3");
  }

  @Test
  void settingsCountFromTheirPlaceOnAndMayUseEarlierOnes() {
    assertThat(
            lastQuery(
                "SET root = '/data'; SET in.path = '${root}/in'; SELECT '${in.path}'",
                Map.of(),
                Map.of()))
        .isEqualTo("SELECT '/data/in'");
    assertThat(problems("SELECT ${a}; SET a = 1"))
        .singleElement()
        .asString()
        .startsWith("p.sql:1:8: [UNKNOWN_VARIABLE] the variable ${a} has no value");
  }

  @Test
  void defaultsStepInForMissingValues() {
    assertThat(lastQuery("SELECT '${a:-x/y z}', '${b:-}'", Map.of(), Map.of()))
        .isEqualTo("SELECT 'x/y z', ''");
    assertThat(lastQuery("SELECT '${a:-x}'", Map.of("a", "1"), Map.of())).isEqualTo("SELECT '1'");
  }

  @Test
  void valuesAreNotSearchedForVariables() {
    assertThat(lastQuery("SELECT '${a}'", Map.of("a", "${b}"), Map.of()))
        .isEqualTo("SELECT '${b}'");
  }

  @Test
  void aValueMayHoldWholeStatements() {
    assertThat(parse("${both}", Map.of("both", "SELECT 1; SELECT 2"), Map.of())).hasSize(2);
  }

  @Test
  void commentsAreLeftAlone() {
    assertThat(lastQuery("-- ${a}\n/* ${b} ; ' */ SELECT 1", Map.of(), Map.of()))
        .isEqualTo("SELECT 1");
  }

  @Test
  void hintsAreNoComments() {
    assertThat(lastQuery("SELECT 1 FROM t /*+ OPTIONS('k'='${a}') */", Map.of("a", "v"), Map.of()))
        .isEqualTo("SELECT 1 FROM t /*+ OPTIONS('k'='v') */");
  }

  @Test
  void placesReferToTheOriginalText() {
    List<Statement> statements =
        parse(
            "SELECT '${a}', ${a} FROM x; SELECT 1;\n  SELECT ${a} FROM\n y",
            Map.of("a", "12345\n67890"),
            Map.of());

    assertThat(statements)
        .extracting(statement -> statement.at().toString())
        .containsExactly("p.sql:1:1", "p.sql:1:29", "p.sql:2:3");
    assertThat(((QueryStatement) statements.get(0)).query().sources().get(0).at().toString())
        .isEqualTo("p.sql:1:26");
    assertThat(((QueryStatement) statements.get(2)).query().sources().get(0).at().toString())
        .isEqualTo("p.sql:3:2");
  }

  @Test
  void columnsCountCharactersBeyondTheBasicPlaneOnce() {
    List<Statement> statements = parse("SELECT '😀é' FROM x", Map.of(), Map.of());

    assertThat(((QueryStatement) statements.get(0)).query().sources().get(0).at().toString())
        .isEqualTo("p.sql:1:18");
  }

  @Test
  void unknownNamesGetTheNearestOneAndTheWaysToSetThem() {
    assertThat(problems("SET begin_year = 2025; SELECT\n ${begin_yaer}"))
        .singleElement()
        .asString()
        .isEqualTo(
            "p.sql:2:2: [UNKNOWN_VARIABLE] the variable ${begin_yaer} has no value; did you mean"
                + " ${begin_year}?. Give it with --set begin_yaer=.., a SET statement earlier in"
                + " the file, an environment variable, or a default: ${begin_yaer:-..}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT ${", "SELECT ${}", "SELECT ${a b}", "SELECT '${1}'"})
  void brokenVariablesAreErrors(String text) {
    assertThat(problems(text).get(0)).contains("[SYNTAX] '${' does not begin a variable");
  }
}
