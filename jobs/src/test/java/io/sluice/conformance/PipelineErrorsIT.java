package io.sluice.conformance;

import static io.sluice.conformance.Definition.of;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What is refused in names, graphs, sources and settings, with code, place and message. */
class PipelineErrorsIT {

  private static final String IDS =
      "read_files('${dir}/in', format => 'json', schema => 'id INT, val STRING')";

  private static final String T = "CREATE STREAMING TABLE t AS SELECT * FROM " + IDS + ";\n";

  private static final List<Definition> NAMES =
      List.of(
          of(
              "an unknown table",
              T.replace(" t ", " visits ")
                  + "CREATE STREAMING TABLE u AS SELECT id FROM §STREAM vists;",
              ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
              "there is no table or view 'vists'. Did you mean 'visits'?"),
          of(
              "an unknown table of another namespace",
              "CREATE STREAMING TABLE u AS SELECT id FROM §STREAM(elsewhere.customers);",
              ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
              "there is no table or view 'elsewhere.customers'."),
          of(
              "an unknown table in a view",
              T
                  + "CREATE VIEW v AS SELECT * FROM §STREAM ttt;\n"
                  + "CREATE STREAMING TABLE u AS SELECT id FROM STREAM v;",
              ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
              "there is no table or view 'ttt'."),
          of(
              "an unknown column",
              "CREATE STREAMING TABLE u AS\nSELECT id, §vall FROM " + IDS + ";",
              ErrorCode.INVALID_QUERY,
              "Column 'vall' not found in any table. Did you mean 'val'?"),
          of(
              "an unknown column in a condition",
              "CREATE STREAMING TABLE u AS\nSELECT id FROM " + IDS + " r WHERE r.§idd > 1;",
              ErrorCode.INVALID_QUERY,
              "Column 'idd' not found in table 'r'. Did you mean 'id'?"),
          of(
              "an unknown function",
              "CREATE STREAMING TABLE u AS\nSELECT §upperr(val) AS v FROM " + IDS + ";",
              ErrorCode.INVALID_QUERY,
              "No match found for function signature upperr(<CHARACTER>)"),
          of(
              "a misplaced word",
              "CREATE STREAMING TABLE u AS\nSELECT id FROM " + IDS + " WHERE id §> GROUP BY id;",
              ErrorCode.INVALID_QUERY,
              "'> GROUP' cannot stand here in a query or expression."),
          of(
              "a query that is too deep for the planner",
              "CREATE STREAMING TABLE u AS\n§SELECT "
                  + "id + ".repeat(20_000)
                  + "id AS v FROM "
                  + IDS
                  + ";",
              ErrorCode.INVALID_QUERY,
              "the query is nested too deep for Flink's planner."),
          of(
              "a time zone that does not exist",
              "§SET 'table.local-time-zone' = 'Mars/Olympus';\n" + T,
              ErrorCode.INVALID_OPTION,
              "table.local-time-zone cannot be 'Mars/Olympus'. Use a name such as"),
          of(
              "an update that shall not end",
              "§SET 'execution.runtime-mode' = 'streaming';\n" + T,
              ErrorCode.INVALID_OPTION,
              "execution.runtime-mode cannot be 'streaming'. Leave it out"),
          of(
              "two columns that differ in case only",
              "§CREATE STREAMING TABLE u AS SELECT id, val AS ID FROM " + IDS + ";",
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "flow 'u' delivers both 'id' and 'ID', names that differ in case only"),
          of(
              "a partition field without a column",
              "CREATE STREAMING TABLE §u PARTITIONED BY (nope) AS SELECT * FROM " + IDS + ";",
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "the table cannot be partitioned by nope:"),
          of(
              "a partition field of the wrong type",
              "CREATE STREAMING TABLE §u PARTITIONED BY (ID, days(val)) AS SELECT * FROM "
                  + IDS
                  + ";",
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "the table cannot be partitioned by days(val):"),
          of(
              "an option that is like no other",
              "CREATE STREAMING TABLE u AS SELECT * FROM §STREAM read_files('${dir}/in', nix => 1);",
              ErrorCode.UNKNOWN_OPTION,
              "read_files has no option 'nix'. The options are format"),
          of(
              "a table in another catalog",
              "CREATE STREAMING TABLE §elsewhere.sales.u AS SELECT * FROM " + IDS + ";",
              ErrorCode.INVALID_NAME,
              "table elsewhere.sales.u would lie in another catalog"),
          of(
              "a table with the name of a companion",
              T + "CREATE STREAMING TABLE §T__LOG AS SELECT * FROM " + IDS + ";",
              ErrorCode.INVALID_NAME,
              "the name of table default.T__LOG belongs to what Sluice keeps beside a table"),
          of(
              "two tables with one name",
              T + "CREATE STREAMING TABLE §T AS SELECT * FROM " + IDS + ";",
              ErrorCode.DUPLICATE_NAME,
              "there is another table or view 'T' at test.sql:1:24."),
          of(
              "a view with the name of a table",
              T + "CREATE VIEW §t AS SELECT 1 AS one;",
              ErrorCode.DUPLICATE_NAME,
              "there is another table or view 't' at test.sql:1:24."),
          of(
              "two flows with one name",
              "CREATE STREAMING TABLE u;\nCREATE FLOW f AS INSERT INTO u BY NAME SELECT * FROM STREAM "
                  + IDS
                  + ";\n§CREATE FLOW f AS INSERT INTO u BY NAME SELECT * FROM STREAM "
                  + IDS,
              ErrorCode.DUPLICATE_NAME,
              "there is another flow 'f' at test.sql:2:1."),
          of(
              "a flow into a table that is not declared",
              T
                  + "§CREATE FLOW f AS INSERT INTO targett BY NAME SELECT * FROM STREAM "
                  + IDS
                  + ";\nCREATE STREAMING TABLE target AS SELECT * FROM "
                  + IDS,
              ErrorCode.TARGET_NOT_FOUND,
              "flow 'f' writes into 'default.targett', which is not declared. Did you mean 'target'?"),
          of(
              "a flow into a view",
              "CREATE VIEW v AS SELECT 1 AS one;\n§CREATE FLOW f AS INSERT INTO v BY NAME SELECT *"
                  + " FROM STREAM "
                  + IDS,
              ErrorCode.TARGET_NOT_FOUND,
              "flow 'f' writes into 'default.v', which is a view."),
          of(
              "tables that read each other",
              "CREATE STREAMING TABLE §a AS SELECT * FROM STREAM c;\n"
                  + "CREATE VIEW b AS SELECT * FROM STREAM a;\n"
                  + "CREATE STREAMING TABLE c AS SELECT * FROM STREAM b;",
              ErrorCode.DEPENDENCY_CYCLE,
              "these read each other in a circle: default.a -> default.c -> default.b -> default.a."),
          of(
              "a table that reads itself",
              "CREATE STREAMING TABLE §a AS SELECT * FROM STREAM a;",
              ErrorCode.DEPENDENCY_CYCLE,
              "these read each other in a circle: default.a -> default.a."),
          of(
              "a flow without a stream",
              T + "CREATE STREAMING TABLE u AS SELECT COUNT(*) AS n FROM §t;",
              ErrorCode.BATCH_SOURCE,
              "flow 'u' reads no source incrementally."),
          of(
              "a table without full refresh behind one with it",
              T
                  + "CREATE VIEW v AS SELECT id FROM STREAM t;\n"
                  + "§CREATE STREAMING TABLE u TBLPROPERTIES ('pipelines.reset.allowed' = 'false') AS"
                  + " SELECT id FROM STREAM v;",
              ErrorCode.INVALID_RESETTABLE_DEPENDENCY,
              "flow 'u' streams from default.t into default.u, which has"
                  + " 'pipelines.reset.allowed' = 'false': after a full refresh of default.t it could"
                  + " not go on. Set 'pipelines.reset.allowed' = 'false' for default.t too"),
          of(
              "types that have nothing in common",
              "CREATE STREAMING TABLE u;\n"
                  + "CREATE FLOW f AS INSERT INTO u BY NAME SELECT id FROM STREAM "
                  + IDS
                  + ";\n"
                  + "§CREATE FLOW g AS INSERT INTO u BY NAME SELECT ARRAY[id] AS id FROM STREAM "
                  + IDS,
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "column 'id' of table default.u comes from another flow as INT and comes from flow 'g'"
                  + " as ARRAY<INT>. CAST it in the query to one type"));

  private static Definition files(String name, String call, ErrorCode code, String message) {
    return of(name, "CREATE STREAMING TABLE u AS SELECT * FROM " + call + ";", code, message);
  }

  private static final List<Definition> SOURCES =
      List.of(
          files(
              "an unknown option",
              "§read_files('${dir}/in', formatt => 'json')",
              ErrorCode.UNKNOWN_OPTION,
              "read_files has no option 'formatt'. Did you mean 'format'?"),
          files(
              "an option with a value that it cannot have",
              "§read_files('${dir}/in', format => 'json', schemaEvolutionMode => 'sometimes')",
              ErrorCode.INVALID_OPTION,
              "read_files option 'schemaEvolutionMode' has the value 'sometimes'. It must be one of addNewColumns,"),
          files(
              "a number that is none",
              "§read_files('${dir}/in', format => 'json', maxFilesPerTrigger => 0)",
              ErrorCode.INVALID_OPTION,
              "read_files option 'maxFilesPerTrigger' has the value '0'. It must be a whole number above 0."),
          files(
              "an option twice",
              "read_files('${dir}/in', format => 'json', format => §'csv')",
              ErrorCode.DUPLICATE_CLAUSE,
              "the option format is written twice."),
          files(
              "a schema with an unknown type",
              "§read_files('${dir}/in', format => 'json', schema => 'id INTT')",
              ErrorCode.INVALID_OPTION,
              "read_files schema => 'id INTT', column 'id': 'INTT' at character 4: no such type is known."),
          files(
              "a folder that is not there",
              "§read_files('${dir}/nowhere', format => 'json')",
              ErrorCode.SOURCE_NOT_FOUND,
              "read_files('"),
          files(
              "nothing to infer a schema from",
              "§read_files('${dir}/in/*.nothing', format => 'json')",
              ErrorCode.SCHEMA_NOT_INFERRED,
              ""),
          of(
              "an unknown variable",
              "CREATE STREAMING TABLE u AS SELECT * FROM read_files('§${nodir}/in', format => 'json');",
              ErrorCode.UNKNOWN_VARIABLE,
              "the variable ${nodir} has no value. Give it with --set nodir=..,"),
          of(
              "an unknown setting",
              "§SET 'sluice.tiess' = 'FAIL';\n" + T,
              ErrorCode.UNKNOWN_OPTION,
              "there is no setting sluice.tiess. Did you mean sluice.ties?"),
          of(
              "a setting with a value that it cannot have",
              "§SET 'sluice.ties' = 'MAYBE';\n" + T,
              ErrorCode.INVALID_OPTION,
              "sluice.ties cannot be 'MAYBE'. Use one of [FAIL, RESOLVE]"));

  @TestFactory
  Stream<DynamicTest> refused(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/1.json", "{'id':1}");
    return Stream.concat(NAMES.stream(), SOURCES.stream())
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }

  @Test
  void all_problems_of_a_file_are_in_one_report(@TempDir Path folder) {
    String names =
        """
        SET 'sluice.tied' = 'x';
        CREATE STREAMING TABLE a AS SELECT * FROM STREAM b;
        CREATE STREAMING TABLE b AS SELECT * FROM STREAM a;
        CREATE FLOW f AS INSERT INTO nowhere BY NAME SELECT * FROM STREAM a;
        CREATE STREAMING TABLE a;
        """;
    String columns =
        T
            + """
            CREATE STREAMING TABLE one;
            CREATE FLOW one_f AS AUTO CDC INTO one FROM STREAM t
            KEYS (idd) APPLY AS DELETE WHEN val SEQUENCE BY missing COLUMNS (id, vall);
            CREATE STREAMING TABLE two AS SELECT nothing FROM STREAM t;
            CREATE STREAMING TABLE three AS SELECT * FROM STREAM unknown;
            CREATE STREAMING TABLE after_three AS SELECT * FROM STREAM three;
            """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      assertThat(scene.refused(names))
          .extracting(Problem::code)
          .containsExactlyInAnyOrder(
              ErrorCode.UNKNOWN_OPTION,
              ErrorCode.DUPLICATE_NAME,
              ErrorCode.TARGET_NOT_FOUND,
              ErrorCode.DEPENDENCY_CYCLE);
      assertThat(scene.refused(columns))
          .extracting(problem -> problem.code() + " " + problem.location().orElseThrow().line())
          .containsExactlyInAnyOrder(
              "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA 4",
              "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA 4",
              "INVALID_QUERY 4",
              "INVALID_QUERY 4",
              "INVALID_QUERY 5",
              "TABLE_OR_VIEW_NOT_FOUND 6");
    }
  }
}
