package io.sluice.sql;

import static io.sluice.sql.Parsing.problems;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every error names what was found, its place, and what to write instead. */
class SyntaxProblemsTest {

  private static final String FLOW = "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s ";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "CRATE STREAMING TABLE t | 1:1 | found 'CRATE' | mean CREATE?",
        "CREATE STREMING TABLE t | 1:8 | found 'STREMING' | mean STREAMING?",
        "CREATE STREAMING TABEL t | 1:18 | found 'TABEL' where TABLE or LIVE | mean TABLE?",
        "CREATE CATLOG c WITH ('a' = 'b') | 1:8 | found 'CATLOG' | mean CATALOG?",
        "CREATE STREAMING TABLE t COMENT 'x' | 1:26 | found 'COMENT' | mean COMMENT?",
        "CREATE STREAMING TABLE t (a INT COMENT 'x') | 1:33 | behind the type 'INT' | mean COMMENT?",
        "CREATE STREAMING TABLE t (CONSTRAINT c EXPEC (a)) | 1:40 | found 'EXPEC' | mean EXPECT?",
        "CREATE FLOW f AS AUTO CDC INTO t FORM s KEYS (a) | 1:34 | where FROM | mean FROM?",
        "CREATE FLOW f AS APPLY CHANGE INTO t | 1:24 | found 'CHANGE' | mean CHANGES?",
        "CREATE FLOW f AS INSERT INTO t BY NAM SELECT 1 | 1:35 | found 'NAM' | mean NAME?",
        "CREATE FLOW f AS INSERT INTO t SELCT 1 | 1:32 | found 'SELCT' | mean SELECT?",
        "REFERSH TABLE t | 1:1 | found 'REFERSH' | mean REFRESH?",
        "REFRESH TABLE t FUL | 1:17 | found 'FUL' | mean FULL?",
        "REFRESH TABLE t WHERE d > 1 ASINC | 1:29 | found 'ASINC' behind '1' | mean ASYNC?",
        "ALTER STREAMING TABLE t ADD SHEDULE EVERY 1 DAY | 1:29 | found 'SHEDULE' | mean SCHEDULE?",
        "CREATE STREAMING TABLE t SCHEDULE EVERY 1 DYA | 1:43 | found 'DYA' | mean DAY?"
      })
  void misspelledKeywordsGetTheNearestOne(String text, String place, String found, String remedy) {
    assertThat(problems(text))
        .singleElement()
        .asString()
        .startsWith("p.sql:" + place + ": [SYNTAX]")
        .contains(found)
        .endsWith(remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "KEY (a) SEQUENCE BY b | 1:48 | behind the source | mean KEYS?",
        "KEYS (a) SEQUENC BY b | 1:57 | found 'SEQUENC' | mean SEQUENCE?",
        "KEYS (a) SEQUENCE BY b STORD AS SCD TYPE 2 | 1:71 | behind 'b' | mean STORED?",
        "KEYS (a) SEQUENCE BY b STORED AS SDC TYPE 2 | 1:81 | found 'SDC' | mean SCD?",
        "KEYS (a) SEQUENCE BY b TRACK HISTRY ON a | 1:77 | found 'HISTRY' | mean TRACK HISTORY?",
        "KEYS (a) SEQUENCE BY b COLUMNS * EXCEP (a) | 1:81 | found 'EXCEP' | mean EXCEPT?",
        "KEYS (a) APPLY AS DELETE WHEN x = 'D' SEQUENC BY b | 1:86 | behind 'D' | mean SEQUENCE?",
        "KEYS (a) APPLY AS DELTE WHEN x SEQUENCE BY b | 1:66 | found 'DELTE' | mean DELETE?",
        "KEYS (a) SEQUENCE BY b IGNORE NULL UPDATE | 1:83 | found 'UPDATE' | mean UPDATES?"
      })
  void misspelledClausesGetTheNearestOne(
      String clauses, String place, String found, String remedy) {
    assertThat(problems(FLOW + clauses))
        .singleElement()
        .asString()
        .startsWith("p.sql:" + place + ": [SYNTAX]")
        .contains(found)
        .endsWith(remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "KEYS () SEQUENCE BY b | 1:48: [AUTOCDC_EMPTY_KEYS]",
        "KEYS (a.b) SEQUENCE BY b | 1:54: [AUTOCDC_MULTIPART_COLUMN_IDENTIFIER] 'a.b'",
        "KEYS (a) SEQUENCE BY b COLUMNS (c, d.e) | 1:83: [AUTOCDC_MULTIPART_COLUMN_IDENTIFIER]",
        "KEYS (a) SEQUENCE BY b SEQUENCE BY c | 1:71: [DUPLICATE_CLAUSE] the clause SEQUENCE BY",
        "KEYS (a) KEYS (b) SEQUENCE BY c | 1:57: [DUPLICATE_CLAUSE] the clause KEYS",
        "KEYS (a) SEQUENCE BY b COLUMNS a COLUMNS b | 1:81: [DUPLICATE_CLAUSE]",
        "KEYS (a) SEQUENCE BY b COLUMNS a COLUMNS * EXCEPT (b) |"
            + " 1:81: [AUTOCDC_INCOMPATIBLE_CLAUSES] COLUMNS",
        "KEYS (a) SEQUENCE BY b COLUMNS (a) EXCEPT (b) | 1:79: [AUTOCDC_INCOMPATIBLE_CLAUSES]",
        "KEYS (a) SEQUENCE BY b TRACK HISTORY ON a EXCEPT b |"
            + " 1:88: [AUTOCDC_INCOMPATIBLE_CLAUSES] TRACK HISTORY ON",
        "KEYS (a) SEQUENCE BY b IGNORE NULL UPDATES ON () |"
            + " 1:94: [AUTOCDC_IGNORE_NULL_EMPTY_COLUMN_LIST]",
        "KEYS (a) SEQUENCE BY b COLUMNS () | 1:79: [SYNTAX] the column list of COLUMNS is empty",
        "KEYS (a) SEQUENCE BY b STORED AS SCD TYPE 3 | 1:90: [SYNTAX] there is no SCD TYPE 3",
        "KEYS (a) SEQUENCE BY b STORED AS SCD TYPE BITEMPORAL |"
            + " 1:81: [SYNTAX] bitemporal is not an SCD type. Did you mean STORED AS BITEMPORAL?",
        "SEQUENCE BY b | 1:18: [SYNTAX] the change flow has no KEYS",
        "KEYS (a) | 1:18: [SYNTAX] the change flow has no SEQUENCE BY",
        "KEYS (a) SEQUENCE BY STORED AS SCD TYPE 2 | 1:69: [SYNTAX] found the clause STORED AS",
        "KEYS (a) SEQUENCE BY | 1:68: [SYNTAX] found the end of the statement where an expression",
        "KEYS (a SEQUENCE BY b | 1:56: [SYNTAX] found 'SEQUENCE' where ')' or ',' was expected",
        "KEYS (a) SEQUENCE BY (b | 1:69: [SYNTAX] this '(' is never closed",
        "WITH VERSION (SELECT 1) KEYS (a) SEQUENCE BY b | 1:48: [SYNTAX] WITH VERSION belongs"
      })
  void clausesAreChecked(String clauses, String problem) {
    assertThat(problems(FLOW + clauses)).singleElement().asString().startsWith("p.sql:" + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "STREAM(a b) | 1:48: [SYNTAX] found 'b' where ')' was expected in STREAM",
        "STREAM((SELECT 1)) | 1:39: [SYNTAX] STREAM(..) holds no table",
        "(a) | 1:40: [SYNTAX] found 'a' where a query was expected",
        "STREAM a AS b | 1:48: [SYNTAX] found 'AS' behind the source",
        "(SELECT 1) b | 1:50: [SYNTAX] found 'b' behind the source",
        "STREAM tumble(x) | 1:46: [SYNTAX] STREAM cannot read the function tumble",
        "tumble(x) | 1:39: [SYNTAX] 'tumble' is no source",
        "'/path' | 1:39: [SYNTAX] '/path' is no source"
      })
  void sourcesOfChangeFlowsAreChecked(String source, String problem) {
    assertThat(
            problems("CREATE FLOW f AS AUTO CDC INTO t FROM " + source + " KEYS (a) SEQUENCE BY b"))
        .first()
        .asString()
        .startsWith("p.sql:" + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SEQUENCE BY x | SEQUENCE BY cannot be combined",
        "APPLY AS DELETE WHEN x | APPLY AS DELETE WHEN cannot be combined",
        "IGNORE NULL UPDATES | IGNORE NULL UPDATES cannot be combined",
        "COLUMNS (a) | COLUMNS cannot be combined",
        "STORED AS BITEMPORAL | STORED AS BITEMPORAL cannot be combined"
      })
  void snapshotFlowsRefuseTheClausesOfChangeFeeds(String clause, String problem) {
    assertThat(
            problems(
                "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (SELECT 1 AS id) KEYS (id) "
                    + clause))
        .singleElement()
        .asString()
        .startsWith("p.sql:1:75: [AUTOCDC_INCOMPATIBLE_CLAUSES] " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "CREATE STREAMING TABLE t (a INT, b) | 1:34: [SYNTAX] the column 'b' has no type",
        "CREATE STREAMING TABLE t (a INT, A INT) | 1:34: [DUPLICATE_CLAUSE] the column 'A'",
        "CREATE STREAMING TABLE t (a INT, ) | 1:34: [SYNTAX] found ')' where CONSTRAINT or a name",
        "CREATE STREAMING TABLE t COMMENT 'a' COMMENT 'b' | 1:38: [DUPLICATE_CLAUSE]",
        "CREATE STREAMING TABLE t SCHEDULE EVERY 1 DAY TRIGGER ON UPDATE | 1:47: [DUPLICATE_CLAUSE]",
        "CREATE STREAMING TABLE t TBLPROPERTIES (a = 1, 'a' = 2) | 1:48: [DUPLICATE_CLAUSE]",
        "CREATE STREAMING TABLE t SCHEDULE EVERY 0 DAYS | 1:41: [SYNTAX] '0' is not a whole number",
        "CREATE STREAMING TABLE t SCHEDULE EVERY 5 MINUTES | 1:43: [SYNTAX] found 'MINUTES' where DAY",
        "CREATE OR REPLACE STREAMING TABLE t | 1:8: [SYNTAX] a STREAMING TABLE is not created",
        "CREATE TEMPORARY STREAMING TABLE t | 1:8: [SYNTAX] only views can be TEMPORARY",
        "CREATE OR REFRESH FLOW IF NOT EXISTS f AS INSERT INTO t SELECT 1 |"
            + " 1:24: [SYNTAX] OR REFRESH and IF NOT EXISTS exclude each other",
        "CREATE VIEW v (a INT) AS SELECT 1 | 1:16: [SYNTAX] the column 'a' of a view",
        "CREATE VIEW v AS | 1:17: [SYNTAX] found the end of the statement where SELECT",
        "CREATE VIEW v AS SELECT (1 | 1:25: [SYNTAX] this '(' is never closed",
        "CREATE VIEW v AS SELECT 1) | 1:26: [SYNTAX] this ')' closes nothing",
        "CREATE VIEW v AS SELECT a[1 | 1:26: [SYNTAX] this '[' is never closed. Add the missing ']'",
        "CREATE VIEW v COMMENT 'a AS SELECT 1 | 1:23: [SYNTAX] the string, opened by a single",
        "CREATE VIEW v AS SELECT 'a | 1:25: [SYNTAX] the string, opened by a single quote,",
        "CREATE VIEW v AS SELECT \"a | 1:25: [SYNTAX] the string, opened by a double quote,",
        "CREATE VIEW v AS SELECT `a | 1:25: [SYNTAX] the back-quoted name that begins here",
        "CREATE VIEW v AS SELECT 1 /* a | 1:27: [SYNTAX] the comment that begins here never ends",
        "SET a | 1:6: [SYNTAX] found the end of the statement where '='",
        "SET a = | 1:8: [SYNTAX] found the end of the statement",
        "SET a = 'b' 'c' | 1:13: [SYNTAX] found 'c' where the value of SET should end",
        "CREATE | 1:7: [SYNTAX] found the end of the statement where CATALOG",
        "ALTER VIEW v DROP SCHEDULE | 1:7: [SYNTAX] found 'VIEW' where MATERIALIZED or STREAMING",
        "REFRESH TABLE t SYNC ASYNC | 1:22: [DUPLICATE_CLAUSE] SYNC or ASYNC",
        "REFRESH TABLE t FULL FULL | 1:22: [DUPLICATE_CLAUSE] FULL",
        "CREATE FLOW f AS INSERT INTO t REPLACE USING () SEQUENCE BY a SELECT 1 |"
            + " 1:46: [SYNTAX] REPLACE USING () names no column",
        "SELECT * FROM read_files(format => 'json') | 1:15: [SYNTAX] read_files has no path",
        "SELECT * FROM read_files('a' + 'b') | 1:15: [SYNTAX] read_files has no path",
        "SELECT * FROM read_files('a', 'b') | 1:31: [SYNTAX] an option of read_files has no name",
        "SELECT * FROM read_files('a', x =>) | 1:31: [SYNTAX] the option x of read_files",
        "SELECT * FROM read_files('a', ) | 1:31: [SYNTAX] an argument of read_files is missing",
        "SELECT * FROM read_files('a', x => 1, X => 2) | 1:44: [DUPLICATE_CLAUSE] the option X",
        "SELECT * FROM STREAM a WITH (b) | 1:30: [SYNTAX] an option of WITH (..) is not of the form"
      })
  void otherMistakesAreReportedAtTheirPlace(String text, String problem) {
    assertThat(problems(text)).singleElement().asString().startsWith("p.sql:" + problem);
  }

  @Test
  void allStatementsAreCheckedInOneRun() {
    assertThat(
            problems(
                """
                CREATE STREAMING TABEL a;
                CREATE STREAMING TABLE b;
                CREATE FLOW f AS AUTO CDC INTO b FROM STREAM s KEYS () STORED AS SCD TYPE 9;
                rubbish;
                SELECT ${nowhere}
                """))
        .extracting(problem -> problem.substring(0, problem.indexOf(']') + 1))
        .containsExactly(
            "p.sql:1:18: [SYNTAX]",
            "p.sql:3:48: [AUTOCDC_EMPTY_KEYS]",
            "p.sql:3:75: [SYNTAX]",
            "p.sql:4:1: [SYNTAX]",
            "p.sql:5:8: [UNKNOWN_VARIABLE]");
  }

  @Test
  void aForgottenSemicolonIsFoundBeforeTheNextStatement() {
    assertThat(problems("SELECT 1 FROM a\nCREATE STREAMING TABLE t;\nCREATE VEW v AS SELECT 1"))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("p.sql:2:1: [SYNTAX] found CREATE STREAMING")
        .endsWith("End the statement before it with ';'");
  }

  @Test
  void withoutANearWordTheFormOfTheStatementIsShown() {
    assertThat(problems("CREATE FLOW f AS AUTO CDC INTO t KEYS (a)"))
        .singleElement()
        .asString()
        .contains("The form is: CREATE FLOW name AS AUTO CDC INTO target FROM source KEYS");
  }

  @Test
  void deepNestingIsRefusedInsteadOfOverflowing() {
    assertThat(problems("SELECT " + "(".repeat(5_000) + "1" + ")".repeat(5_000)))
        .first()
        .asString()
        .contains("nested more than 200 deep");
  }
}
