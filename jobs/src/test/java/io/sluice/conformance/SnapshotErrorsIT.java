package io.sluice.conformance;

import static io.sluice.conformance.Definition.of;
import static io.sluice.conformance.Snapshots.FILES;
import static io.sluice.conformance.Snapshots.NEXT;
import static io.sluice.conformance.Snapshots.ROWS;
import static io.sluice.conformance.Snapshots.flow;
import static io.sluice.conformance.Snapshots.table;

import io.sluice.errors.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Definitions with snapshot flows that are refused before anything runs (semantics 12, 19). */
class SnapshotErrorsIT {

  private static final String FEED =
      "FROM STREAM read_files('${dir}/changes', format => 'json',"
          + " schema => 'id INT, town STRING, seq INT')";
  private static final String ALL = "FROM SNAPSHOT (SELECT id, town FROM " + FILES + ")\n";

  private static String feed(String clauses) {
    return "CREATE FLOW changes AS AUTO CDC INTO t " + FEED + " " + clauses + ";\n";
  }

  private static Definition version(String name, String query, ErrorCode code, String message) {
    return of(
        name,
        table("t") + flow("t", ALL + "WITH VERSION (" + query + ")", ""),
        code,
        "flow 't_snapshots': " + message);
  }

  private static Definition misplaced(String name, String sql, String function) {
    return of(
        name,
        sql,
        ErrorCode.UNRESOLVABLE_TABLE_VALUED_FUNCTION,
        function + "() has no meaning here");
  }

  private static final List<Definition> REFUSED =
      List.of(
          of(
              "two snapshot flows",
              table("t")
                  + flow("t", ROWS + NEXT, "")
                  + "§"
                  + flow("more", "", "t", ROWS + NEXT, ""),
              ErrorCode.MULTIPLE_QUERIES_FOR_TABLE,
              "flow 'more' is the second snapshot flow of default.t, after 't_snapshots'"),
          of(
              "another key than the change feed",
              table("t")
                  + feed("KEYS (id, town) SEQUENCE BY seq COLUMNS (id, town)")
                  + "§"
                  + flow("t", ROWS + NEXT, ""),
              ErrorCode.INTEROP_KEYS_MISMATCH,
              "the snapshot flow 't_snapshots' of default.t has keys [id], the AUTO CDC flow"
                  + " 'changes' has keys [id, town]"),
          of(
              "partial updates beside snapshots",
              table("t")
                  + "§"
                  + feed("KEYS (id) IGNORE NULL UPDATES SEQUENCE BY seq COLUMNS (id, town)")
                  + flow("t", ROWS + NEXT, ""),
              ErrorCode.INTEROP_IGNORE_NULL_UNSUPPORTED,
              "flow 'changes' writes partial updates into default.t, which has a snapshot flow"),
          of(
              "SCD type 2 with a change feed",
              table("t")
                  + feed("KEYS (id) SEQUENCE BY seq COLUMNS (id, town) STORED AS SCD TYPE 2")
                  + "§"
                  + flow("t", ROWS + NEXT, "STORED AS SCD TYPE 2"),
              ErrorCode.INTEROP_SCD_TYPE_NOT_SUPPORTED,
              "the snapshot flow 't_snapshots' and the AUTO CDC flow 'changes' of default.t are"),
          of(
              "a version of another type than the sequence",
              table("t")
                  + feed("KEYS (id) SEQUENCE BY seq COLUMNS (id, town)")
                  + "§"
                  + flow("t", ALL + "WITH VERSION (SELECT 'v1' AS v)", ""),
              ErrorCode.INTEROP_SEQUENCE_TYPE_MISMATCH,
              "the flows of default.t disagree: 'changes' is sequenced by INT, 't_snapshots' by"),
          of(
              "no version beside a sequence of another type",
              table("t")
                  + feed("KEYS (id) SEQUENCE BY seq COLUMNS (id, town)")
                  + "§"
                  + flow("t", ALL, ""),
              ErrorCode.INTEROP_SEQUENCE_TYPE_MISMATCH,
              "the flows of default.t disagree"),
          version(
              "a version query with two columns",
              "§SELECT 1 AS a, 2 AS b",
              ErrorCode.INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY,
              "WITH VERSION gives 2 columns [a, b]"),
          version(
              "a version without an order",
              "§SELECT ARRAY[1] AS v",
              ErrorCode.INVALID_SNAPSHOT_VERSION_TYPE,
              "the version has type ARRAY<INT NOT NULL>, which has no order"),
          of(
              "an unknown column in the version query",
              table("t")
                  + flow("t", ALL + "WITH VERSION (SELECT §vers AS v FROM " + FILES + ")", ""),
              ErrorCode.INVALID_QUERY,
              "Column 'vers' not found"),
          misplaced(
              "last_snapshot_version in the snapshot query",
              table("t")
                  + flow("t", "FROM SNAPSHOT (SELECT * FROM §last_snapshot_version())" + NEXT, ""),
              "last_snapshot_version"),
          misplaced(
              "current_snapshot_version in the version query",
              table("t")
                  + flow("t", ALL + "WITH VERSION (SELECT * FROM §current_snapshot_version())", ""),
              "current_snapshot_version"),
          misplaced(
              "current_snapshot_version without WITH VERSION",
              table("t") + flow("t", ROWS.replace("current_s", "§current_s"), ""),
              "current_snapshot_version"),
          misplaced(
              "a version function in a view",
              "CREATE VIEW v AS SELECT version AS id, 'x' AS town FROM §current_snapshot_version();\n"
                  + table("t")
                  + flow("t", "FROM SNAPSHOT (SELECT * FROM v)" + NEXT, ""),
              "current_snapshot_version"),
          misplaced(
              "a version function in an append flow",
              table("t")
                  + "CREATE FLOW f AS INSERT INTO ONCE t BY NAME SELECT * FROM"
                  + " §last_snapshot_version();",
              "last_snapshot_version"),
          of(
              "an argument of a version function",
              table("t")
                  + flow("t", ALL + "WITH VERSION (SELECT * FROM §last_snapshot_version(1))", ""),
              ErrorCode.UNRESOLVABLE_TABLE_VALUED_FUNCTION,
              "last_snapshot_version takes no argument"),
          of(
              "a stream in a snapshot",
              table("t") + flow("t", "FROM SNAPSHOT (SELECT * FROM §STREAM " + FILES + ")", ""),
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "flow 't_snapshots': STREAM cannot stand in a snapshot or version query"),
          of(
              "history of SCD type 1",
              table("t") + flow("t", ROWS + NEXT, "§TRACK HISTORY ON (town)"),
              ErrorCode.AUTOCDC_TRACK_HISTORY_WITH_SCD1,
              "TRACK HISTORY ON needs STORED AS SCD TYPE 2"),
          of(
              "an unknown key",
              table("t") + flow("t", ROWS + NEXT, "").replace("KEYS (id)", "KEYS (§it)"),
              ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
              "flow 't_snapshots': KEYS names column 'it'"),
          of(
              "an append flow beside a snapshot flow",
              table("t")
                  + flow("t", ROWS + NEXT, "")
                  + "§CREATE FLOW f AS INSERT INTO ONCE t BY NAME SELECT id, town FROM "
                  + FILES
                  + ";",
              ErrorCode.AUTOCDC_APPEND_INTO_CDC_TARGET,
              "flow 'f' appends to default.t, which is kept by AUTO CDC ('t_snapshots')"),
          of(
              "an unknown option of list_files",
              table("t")
                  + flow(
                      "t",
                      ALL
                          + "WITH VERSION (SELECT MIN(path) AS p FROM list_files('${dir}/in',"
                          + " header => §true))",
                      ""),
              ErrorCode.UNKNOWN_OPTION,
              "list_files has no option header"),
          of(
              "a ratio above one",
              "§SET 'sluice.snapshot.max-delete-ratio' = '1.5';\n"
                  + table("t")
                  + flow("t", ROWS + NEXT, ""),
              ErrorCode.INVALID_OPTION,
              "sluice.snapshot.max-delete-ratio cannot be '1.5'"),
          of(
              "a refresh that must not exist",
              table("t")
                  + flow("t", ROWS, "")
                      .replace("CREATE FLOW", "CREATE OR REFRESH FLOW §IF NOT EXISTS"),
              ErrorCode.SYNTAX,
              "OR REFRESH and IF NOT EXISTS exclude each other in CREATE FLOW"));

  @TestFactory
  Stream<DynamicTest> refused(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/1.json", Snapshots.row(1, 1, "Oslo"));
    scene.json("changes/1.json", "{'id':1,'town':'Oslo','seq':1}");
    return REFUSED.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }
}
