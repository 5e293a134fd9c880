package io.sluice.conformance;

import static io.sluice.conformance.Definition.changes;
import static io.sluice.conformance.Definition.flow;
import static io.sluice.conformance.Definition.joining;
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

/** What is refused in AUTO CDC flows (semantics section 19), with code, place and message. */
class ChangeFlowErrorsIT {

  private static final String KEYED = "KEYS (id) SEQUENCE BY seq ";

  private static final List<Definition> CLAUSES =
      List.of(
          flow(
              "§KEYS () SEQUENCE BY seq", ErrorCode.AUTOCDC_EMPTY_KEYS, "KEYS () names no column."),
          flow(
              "KEYS (id, §t.val) SEQUENCE BY seq",
              ErrorCode.AUTOCDC_MULTIPART_COLUMN_IDENTIFIER,
              "'t.val' is a qualified name"),
          flow(
              KEYED + "COLUMNS (id, §a.val)",
              ErrorCode.AUTOCDC_MULTIPART_COLUMN_IDENTIFIER,
              "'a.val' is a qualified name"),
          flow(
              KEYED + "COLUMNS (id, §vall)",
              ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
              "flow 'f': COLUMNS names column 'vall', which its source does not have. Did you mean"
                  + " 'val'?"),
          flow(
              KEYED + "COLUMNS * EXCEPT (§sequence)",
              ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
              "flow 'f': COLUMNS names column 'sequence', which its source does not have."),
          flow(
              KEYED + "STORED AS SCD TYPE 2 TRACK HISTORY ON (val, §opp)",
              ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
              "flow 'f': TRACK HISTORY ON names column 'opp', which its source does not have. Did"
                  + " you mean 'op'?"),
          flow(
              "KEYS (§idd) SEQUENCE BY seq",
              ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
              "flow 'f': KEYS names column 'idd', which its source does not have. Did you mean"
                  + " 'id'?"),
          flow(
              KEYED + "IGNORE NULL UPDATES ON §()",
              ErrorCode.AUTOCDC_IGNORE_NULL_EMPTY_COLUMN_LIST,
              "the column list of IGNORE NULL UPDATES is empty."),
          flow(
              "KEYS (§id) SEQUENCE BY seq COLUMNS * EXCEPT (id)",
              ErrorCode.AUTOCDC_KEY_COLUMN_EXCLUDED,
              "flow 'f': COLUMNS leaves out the key column 'id'."),
          flow(
              "KEYS (§id) SEQUENCE BY seq COLUMNS (val)",
              ErrorCode.AUTOCDC_KEY_COLUMN_EXCLUDED,
              "flow 'f': COLUMNS leaves out the key column 'id'."),
          flow(
              "KEYS (id) SEQUENCE BY §tags",
              ErrorCode.AUTOCDC_NON_ORDERABLE_SEQUENCE,
              "flow 'f': SEQUENCE BY tags has type ARRAY<STRING>, which has no order."),
          flow(
              "KEYS (id) SEQUENCE BY STRUCT(seq, §MAP['a', seq])",
              ErrorCode.AUTOCDC_NON_ORDERABLE_SEQUENCE,
              "flow 'f': SEQUENCE BY MAP['a', seq] has type MAP<"),
          flow(
              "KEYS (id) SEQUENCE BY §seqq",
              ErrorCode.INVALID_QUERY,
              "Column 'seqq' not found in any table. Did you mean 'seq'?"),
          flow(
              KEYED + "APPLY AS DELETE WHEN §seq + 1",
              ErrorCode.INVALID_QUERY,
              "flow 'f': APPLY AS DELETE WHEN has type INT instead of BOOLEAN."),
          flow(
              KEYED + "APPLY AS DELETE WHEN §opp = 'D'",
              ErrorCode.INVALID_QUERY,
              "Column 'opp' not found in any table. Did you mean 'op'?"),
          flow(
              KEYED + "§TRACK HISTORY ON val",
              ErrorCode.AUTOCDC_TRACK_HISTORY_WITH_SCD1,
              "TRACK HISTORY ON needs STORED AS SCD TYPE 2: SCD type 1 keeps no history."),
          flow(
              KEYED + "STORED AS SCD TYPE 2 APPLY AS TRUNCATE WHEN §op = 'T'",
              ErrorCode.AUTOCDC_TRUNCATE_NEEDS_SCD1,
              "APPLY AS TRUNCATE WHEN works with SCD TYPE 1 only."),
          flow(
              KEYED + "IGNORE NULL UPDATES COLUMNS TO UPDATE §tags",
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "COLUMNS TO UPDATE and IGNORE NULL UPDATES exclude each other."),
          flow(
              KEYED + "SYSTEM SEQUENCE BY seq STORED AS BITEMPORAL COLUMNS TO UPDATE §tags",
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "COLUMNS TO UPDATE cannot be combined with STORED AS BITEMPORAL."),
          flow(
              KEYED + "§STORED AS BITEMPORAL",
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "STORED AS BITEMPORAL and SYSTEM SEQUENCE BY belong together, one of them is missing."),
          flow(
              KEYED + "SYSTEM SEQUENCE BY §seq STORED AS SCD TYPE 2",
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "STORED AS BITEMPORAL and SYSTEM SEQUENCE BY belong together, one of them is missing."),
          flow(
              KEYED + "STORED AS §SCD TYPE BITEMPORAL SYSTEM SEQUENCE BY seq",
              ErrorCode.SYNTAX,
              "bitemporal is not an SCD type. Did you mean STORED AS BITEMPORAL?"),
          flow(
              KEYED + "SYSTEM SEQUENCE BY §tags STORED AS BITEMPORAL",
              ErrorCode.AUTOCDC_NON_ORDERABLE_SEQUENCE,
              "flow 'f': SYSTEM SEQUENCE BY tags has type ARRAY<STRING>, which has no order."),
          flow(
              KEYED
                  + "SYSTEM SEQUENCE BY seq STORED AS BITEMPORAL APPLY AS TRUNCATE WHEN §op = 'T'",
              ErrorCode.AUTOCDC_TRUNCATE_NEEDS_SCD1,
              "APPLY AS TRUNCATE WHEN works with SCD TYPE 1 only."),
          flow(
              KEYED + "COLUMNS (id) §COLUMNS * EXCEPT (val)",
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "COLUMNS has a list of columns to include and one to exclude."),
          flow(
              KEYED + "STORED AS SCD TYPE 2 TRACK HISTORY ON §(val) EXCEPT (op)",
              ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
              "TRACK HISTORY ON has a list of columns to include and one to exclude."),
          flow(
              KEYED + "§SEQUENCE BY id",
              ErrorCode.DUPLICATE_CLAUSE,
              "the clause SEQUENCE BY is written twice."),
          flow(
              "KEYS (id, §ID) SEQUENCE BY seq",
              ErrorCode.DUPLICATE_NAME,
              "flow 'f' names the key column 'ID' twice."),
          flow(
              "KEYS (§tags) SEQUENCE BY seq",
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "key column 'tags' has type ARRAY<STRING>, which cannot be a key."));

  private static String reading(String source, String clauses) {
    return "CREATE STREAMING TABLE t;\nCREATE FLOW f AS AUTO CDC INTO t FROM "
        + source
        + "\n"
        + clauses
        + ";";
  }

  private static final List<Definition> SOURCES =
      List.of(
          of(
              "the source has a reserved column",
              "CREATE STREAMING TABLE t;\n§CREATE FLOW f AS AUTO CDC INTO t FROM"
                  + " (SELECT id, seq, val AS __start_at FROM "
                  + Definition.FEED
                  + ") KEYS (id) SEQUENCE BY seq;",
              ErrorCode.AUTOCDC_RESERVED_COLUMN,
              "flow 'f' delivers column '__start_at', a name that Sluice uses itself. Rename it in"
                  + " the source query or leave it out with COLUMNS * EXCEPT (__start_at)"),
          of(
              "the source has the column of SCD type 1",
              "CREATE STREAMING TABLE t;\n§CREATE FLOW f AS AUTO CDC INTO t FROM"
                  + " (SELECT id, seq, val AS __SEQUENCE FROM "
                  + Definition.FEED
                  + ") KEYS (id) SEQUENCE BY seq;",
              ErrorCode.AUTOCDC_RESERVED_COLUMN,
              "flow 'f' delivers column '__SEQUENCE'"),
          of(
              "a batch source of files",
              reading(
                  "§read_files('${dir}/in', format => 'json', schema => 'id INT, seq INT')", KEYED),
              ErrorCode.AUTOCDC_BATCH_SOURCE,
              "flow 'f' reads no source incrementally. Write STREAM in front of the source"),
          of(
              "a batch source of a table",
              "CREATE STREAMING TABLE s AS SELECT * FROM "
                  + Definition.FEED
                  + ";\n"
                  + reading("(SELECT * FROM §s)", KEYED),
              ErrorCode.AUTOCDC_BATCH_SOURCE,
              "flow 'f' reads no source incrementally."),
          of(
              "an append flow into a table kept by changes",
              changes("f", "t", KEYED)
                  + "§CREATE FLOW g AS INSERT INTO t BY NAME SELECT id FROM "
                  + Definition.FEED,
              ErrorCode.AUTOCDC_APPEND_INTO_CDC_TARGET,
              "flow 'g' appends to default.t, which is kept by AUTO CDC ('f'). Write the flow as"
                  + " AUTO CDC"),
          of(
              "the same with ONCE",
              changes("f", "t", KEYED)
                  + "§CREATE FLOW g AS INSERT INTO ONCE t BY NAME SELECT id FROM "
                  + Definition.FEED,
              ErrorCode.AUTOCDC_APPEND_INTO_CDC_TARGET,
              "flow 'g' appends to default.t, which is kept by AUTO CDC ('f'). Replay the rows with"
                  + " AUTO CDC ONCE INTO t"),
          of(
              "a table of CREATE TABLE with a flow",
              "CREATE TABLE t §FLOW AUTO CDC FROM " + Definition.FEED + " " + KEYED + ";",
              ErrorCode.MANAGED_TABLE_DOES_NOT_SUPPORT_CDC,
              "AUTO CDC keeps streaming tables, not those of CREATE TABLE. Write CREATE STREAMING"
                  + " TABLE"),
          of(
              "a connector table as target",
              "CREATE TABLE t (id INT) WITH ('connector' = 'blackhole');\n"
                  + joining("f", "t", "^" + KEYED),
              ErrorCode.AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE,
              "flow 'f' keeps 'default.t', a connector table whose rows cannot be deleted. Keep a"
                  + " table of CREATE STREAMING TABLE"),
          of(
              "flows with other keys",
              changes("f", "t", KEYED) + joining("g", "t", "^KEYS (val) SEQUENCE BY seq"),
              ErrorCode.AUTOCDC_FLOWS_DISAGREE,
              "the flows of default.t disagree: 'f' has keys [id], 'g' has keys [val]."),
          of(
              "flows with another storage type",
              changes("f", "t", KEYED) + joining("g", "t", "^" + KEYED + "STORED AS SCD TYPE 2"),
              ErrorCode.AUTOCDC_FLOWS_DISAGREE,
              "the flows of default.t disagree: 'f' has AUTO CDC SCD 1, 'g' has AUTO CDC SCD 2."),
          of(
              "flows with another type of sequence",
              changes("f", "t", KEYED)
                  + joining("g", "t", "KEYS (id) SEQUENCE BY §CAST(seq AS BIGINT)"),
              ErrorCode.AUTOCDC_FLOWS_DISAGREE,
              "the flows of default.t disagree: 'f' is sequenced by INT, 'g' by BIGINT. CAST one"),
          of(
              "flows that track other columns",
              changes("f", "t", KEYED + "STORED AS SCD TYPE 2 TRACK HISTORY ON (val)")
                  + joining("g", "t", "^" + KEYED + "STORED AS SCD TYPE 2 TRACK HISTORY ON (op)"),
              ErrorCode.AUTOCDC_FLOWS_DISAGREE,
              "the flows of default.t disagree: 'f' tracks [val], 'g' tracks [op]."),
          of(
              "declared columns without bounds",
              "CREATE STREAMING TABLE §t (id INT, val STRING);\n"
                  + joining("f", "t", KEYED + "COLUMNS (id, val) STORED AS SCD TYPE 2"),
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "table default.t is SCD type 2 and declares its columns, but __START_AT"),
          of(
              "declared bounds of another type",
              "CREATE STREAMING TABLE t (id INT, val STRING, __START_AT INT, §__END_AT BIGINT);\n"
                  + joining("f", "t", KEYED + "COLUMNS (id, val) STORED AS SCD TYPE 2"),
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "table default.t is SCD type 2 and declares its columns, but __END_AT has another"
                  + " type than the sequence. Declare __END_AT INT, or leave the column list out"),
          of(
              "a declared column of another type",
              "CREATE STREAMING TABLE t (id INT, val INT);\n"
                  + joining("f", "t", "^" + KEYED + "COLUMNS (id, val)"),
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "column 'val' of table default.t is declared as INT and comes from flow 'f' as"
                  + " STRING. CAST it in the query to one type"));

  @Test
  void changes_into_a_plain_table_are_refused(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      assertThat(
              scene.refused(
                  "CREATE TABLE t (id INT) TBLPROPERTIES ('a' = 'b');\n"
                      + joining("f", "t", KEYED)))
          .extracting(Problem::toString)
          .anySatisfy(
              text ->
                  assertThat(text)
                      .startsWith(
                          "test.sql:2:1: [MANAGED_TABLE_DOES_NOT_SUPPORT_CDC] flow 'f' keeps"
                              + " 'default.t', a table of CREATE TABLE."));
    }
  }

  @TestFactory
  Stream<DynamicTest> refused(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/1.json", "{'id':1}");
    return Stream.concat(CLAUSES.stream(), SOURCES.stream())
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }
}
