package io.sluice.sql;

import static io.sluice.sql.Parsing.problems;
import static io.sluice.sql.Parsing.statements;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each keyword of each form, misspelled: the error stands at the keyword and names it. */
class MisspelledKeywordsTest {

  private static final List<String> FORMS =
      List.of(
          "CREATE OR REFRESH STREAMING TABLE t (a INT NOT NULL COMMENT 'x', CONSTRAINT c EXPECT (a)"
              + " ON VIOLATION FAIL UPDATE) PARTITIONED BY (a) COMMENT 'y' TBLPROPERTIES (b = 'c')"
              + " SCHEDULE REFRESH EVERY 2 HOURS FLOW AUTO CDC FROM STREAM s KEYS (a) SEQUENCE BY b",
          "CREATE STREAMING TABLE t SCHEDULE CRON 'x' AT TIME ZONE 'y'",
          "CREATE STREAMING TABLE t TRIGGER ON UPDATE AT MOST EVERY INTERVAL 5 MINUTES",
          "CREATE OR REPLACE MATERIALIZED VIEW v AS SELECT 1",
          "CREATE TEMPORARY VIEW v COMMENT 'x' AS SELECT 1",
          "CREATE FLOW f COMMENT 'x' AS AUTO CDC ONCE INTO t FROM (SELECT 1) KEYS (a) IGNORE NULL"
              + " UPDATES ON * EXCEPT (b) COLUMNS * EXCEPT (c) STORED AS SCD TYPE 2 TRACK HISTORY ON"
              + " (d) COLUMNS TO UPDATE e APPLY AS DELETE WHEN f SYSTEM SEQUENCE BY g SEQUENCE BY h",
          "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (a) APPLY AS TRUNCATE WHEN b SEQUENCE"
              + " BY c STORED AS BITEMPORAL",
          "APPLY CHANGES INTO t FROM STREAM s KEYS (a) SEQUENCE BY b",
          "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (SELECT 1) WITH VERSION (SELECT 2) KEYS"
              + " (a) STORED AS SCD TYPE 2 TRACK HISTORY ON a",
          "CREATE FLOW f AS INSERT INTO t BY NAME REPLACE WHERE a SELECT 1",
          "CREATE FLOW f AS INSERT INTO t BY NAME REPLACE USING (a) SEQUENCE BY b SELECT 1",
          "ALTER STREAMING TABLE t ADD SCHEDULE EVERY 1 WEEK",
          "ALTER MATERIALIZED VIEW v DROP SCHEDULE",
          "REFRESH STREAMING TABLE t FULL ASYNC",
          "DROP MATERIALIZED VIEW IF EXISTS v",
          "INSERT INTO t BY NAME (a) VALUES (1)",
          "UPDATE t SET a = 1 WHERE b",
          "DELETE FROM t WHERE b",
          "USE CATALOG c");

  /** A keyword that, misspelled, is a legal name or is reported at the word behind it. */
  private static final List<String> NOT_AT_THEIR_PLACE =
      List.of("STREAM s", "SNAPSHOT (", "CATALOG c", "INT NOT", "VERSION (");

  private static final Pattern KEYWORD = Pattern.compile("[A-Z]{4,}");

  record Case(String text, String misspelled, int column, String keyword) {
    @Override
    public String toString() {
      return keyword + " at " + column + " of " + text;
    }
  }

  static Stream<Case> keywords() {
    List<Case> cases = new ArrayList<>();
    for (String form : FORMS) {
      Matcher matcher = KEYWORD.matcher(form);
      while (matcher.find()) {
        String rest = form.substring(matcher.start());
        if (NOT_AT_THEIR_PLACE.stream().noneMatch(rest::startsWith)) {
          cases.add(misspell(form, matcher));
        }
      }
    }
    return cases.stream();
  }

  /** Swaps the second and the third letter. */
  private static Case misspell(String form, Matcher keyword) {
    String word = keyword.group();
    String wrong = "" + word.charAt(0) + word.charAt(2) + word.charAt(1) + word.substring(3);
    if (wrong.equals(word)) {
      wrong = word + "X";
    }
    String text = form.substring(0, keyword.start()) + wrong + form.substring(keyword.end());
    return new Case(form, text, keyword.start() + 1, word);
  }

  @ParameterizedTest
  @MethodSource("keywords")
  void theErrorStandsAtTheKeywordAndNamesIt(Case example) {
    assertThat(statements(example.text())).as("the form itself is right").hasSize(1);

    assertThat(problems(example.misspelled()))
        .first()
        .asString()
        .startsWith("p.sql:1:" + example.column() + ": [SYNTAX]")
        .contains("Did you mean")
        .contains(example.keyword());
  }
}
