package io.sluice.sql;

import static io.sluice.sql.Parsing.render;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DialectTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "\"a\" | 'a'",
        "\"it's\" | 'it''s'",
        "\"say \\\"x\\\" \\\\ \\'y\\'\" | 'say \"x\" \\ ''y'''",
        "\"a\"\"b\" | 'a\"b'",
        "\"\\d+\" | '\\d+'",
        "'a\"b' | 'a\"b'",
        "current_date() | CURRENT_DATE",
        "Current_Timestamp( ) | CURRENT_TIMESTAMP",
        "current_date | current_date",
        "t.current_date() | t.current_date()",
        "date_add(d, 7) | TIMESTAMPADD(DAY, 7, CAST(d AS DATE))",
        "date_add(current_date(), -7) | TIMESTAMPADD(DAY, -7, CAST(CURRENT_DATE AS DATE))",
        "DATE_SUB(d, n + 1) | TIMESTAMPADD(DAY, -(n + 1), CAST(d AS DATE))",
        "date_add(date_sub(f(a, b), 1), 2) | TIMESTAMPADD(DAY, 2, CAST(TIMESTAMPADD(DAY, -(1),"
            + " CAST(f(a, b) AS DATE)) AS DATE))",
        "date_add(d) | date_add(d)",
        "STRUCT(a, \"b\") | ROW(a, 'b')",
        "date_add(ARRAY[a, b][1], 2) | TIMESTAMPADD(DAY, 2, CAST(ARRAY[a, b][1] AS DATE))",
        "a == b | a = b",
        "a != b AND c <> d | a <> b AND c <> d",
        "a::string | CAST(a AS string)",
        "t.a::DECIMAL(10, 2) + 1 | CAST(t.a AS DECIMAL(10, 2)) + 1",
        "f(a, b)::INT | CAST(f(a, b) AS INT)",
        "(a + b)::INT | CAST((a + b) AS INT)",
        "x AND (a + b)::INT > 1 | x AND CAST((a + b) AS INT) > 1",
        "'5'::INT | CAST('5' AS INT)",
        "date_add(d, 1)::STRING | CAST(TIMESTAMPADD(DAY, 1, CAST(d AS DATE)) AS STRING)",
        "a::INT::STRING | a::INT::STRING",
        "a[1]::INT | a[1]::INT"
      })
  void expressionsAreTranslated(String written, String flink) {
    assertThat(SqlExpression.parse(written).render().text()).isEqualTo(flink);
    assertThat(render("SELECT " + written + " FROM (VALUES (1)) AS t (z)"))
        .isEqualTo("SELECT " + flink + " FROM (VALUES (1)) AS t (z)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "year(timestamp) >= '2025' | year(`timestamp`) >= '2025'",
        "timestamp | `timestamp`",
        "timestamp >= ts | `timestamp` >= ts",
        "ts < Timestamp AND date = d | ts < `Timestamp` AND `date` = d",
        "t.timestamp | t.`timestamp`",
        "timestamp.sub | `timestamp`.sub",
        "user.position.offset | `user`.`position`.`offset`",
        "value * 2 + order | `value` * 2 + `order`",
        "value['k'] | `value`['k']",
        "CASE value WHEN 1 THEN start ELSE end END | CASE `value` WHEN 1 THEN `start` ELSE `end` END",
        "count(offset) OVER (PARTITION BY user ORDER BY time DESC ROWS 3 PRECEDING) | count(`offset`)"
            + " OVER (PARTITION BY `user` ORDER BY `time` DESC ROWS 3 PRECEDING)",
        "EXTRACT(DAY FROM date) | EXTRACT(DAY FROM `date`)",
        "FLOOR(time TO HOUR) | FLOOR(`time` TO HOUR)",
        "TIMESTAMPDIFF(HOUR, time, date) | TIMESTAMPDIFF(HOUR, `time`, `date`)",
        "hour BETWEEN day AND month | `hour` BETWEEN `day` AND `month`",
        "NOT value IS NULL | NOT `value` IS NULL",
        "user LIKE 'a%' | `user` LIKE 'a%'",
        "user ILIKE value | `user` ILIKE `value`",
        "`timestamp` + value | `timestamp` + `value`"
      })
  void reservedWordsThatCanOnlyBeColumnsAreQuoted(String written, String flink) {
    assertThat(SqlExpression.parse(written).render().text()).isEqualTo(flink);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TIMESTAMP '2025-01-01 00:00:00'",
        "DATE '2025-01-01' + INTERVAL '1' DAY - INTERVAL '1-2' YEAR TO MONTH",
        "TIME '10:00:00'",
        "CAST(x AS TIMESTAMP(3))",
        "CAST(x AS DATE)",
        "TRY_CAST(x AS ROW<a TIMESTAMP, b ARRAY<DATE>>)",
        "year(a) + month(b) + hour(c) + count(*) + position('a' IN d)",
        "TIMESTAMPADD(DAY, 1, x)",
        "EXTRACT(YEAR FROM x)",
        "CEIL(x TO MONTH)",
        "x AT TIME ZONE 'UTC'",
        "sum(x) OVER (ORDER BY y ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
        "JSON_QUERY(x, '$' NULL ON EMPTY)",
        "JSON_OBJECT('a' VALUE b)",
        "x IS JSON OBJECT",
        "ARRAY[1, 2]",
        "MAP['a', 1]",
        "x NOT IN (1, 2) AND y IS NOT NULL OR z BETWEEN 1 AND 2",
        "a || b",
        "f(x => 1)",
        "_UTF16'x'",
        "x -> y"
      })
  void everythingElseReachesFlinkUntouched(String expression) {
    assertThat(SqlExpression.parse(expression).render().text()).isEqualTo(expression);
    assertThat(render("SELECT " + expression + " FROM (VALUES (1)) AS t (v)"))
        .isEqualTo("SELECT " + expression + " FROM (VALUES (1)) AS t (v)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT timestamp, year, user AS date FROM a | SELECT `timestamp`, `year`, `user` AS `date`"
            + " FROM <a> AS `a`",
        "SELECT timestamp ts, sum(value) sum, max(x) AS max FROM a GROUP BY timestamp, hour ORDER BY"
            + " hour DESC | SELECT `timestamp` ts, sum(`value`) `sum`, max(x) AS `max` FROM <a> AS"
            + " `a` GROUP BY `timestamp`, `hour` ORDER BY `hour` DESC",
        "SELECT x FROM a LIMIT 5 OFFSET 3 | SELECT x FROM <a> AS `a` LIMIT 5 OFFSET 3",
        "SELECT DISTINCT value FROM a JOIN b ON a.time = b.time | SELECT DISTINCT `value` FROM <a>"
            + " AS `a` JOIN <b> AS `b` ON `a`.`time` = `b`.`time`",
        "SELECT * FROM UNNEST(a) AS t (order, value) | SELECT * FROM UNNEST(a) AS t (`order`,"
            + " `value`)",
        "SELECT * FROM TUMBLE(TABLE a, DESCRIPTOR(timestamp), INTERVAL '1' HOUR) | SELECT * FROM"
            + " TUMBLE(TABLE <a>, DESCRIPTOR(`timestamp`), INTERVAL '1' HOUR)"
      })
  void reservedWordsAreQuotedInQueries(String written, String flink) {
    assertThat(render(written)).isEqualTo(flink);
  }

  @Test
  void commentsGoAndLinesStay() {
    assertThat(render("SELECT a, -- first\n  /* second\n */ b\nFROM t"))
        .isEqualTo("SELECT a,\nb\nFROM <t> AS `t`");
  }

  @Test
  void hintsStay() {
    assertThat(render("SELECT /*+ BROADCAST(t) */ a FROM t x"))
        .isEqualTo("SELECT /*+ BROADCAST(t) */ a FROM <t> x");
  }
}
