package io.sluice.sql;

import static io.sluice.sql.Parsing.render;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuerySourcesTest {

  private static List<String> sources(String query) {
    return Query.parse(query).sources().stream().map(Parsing::mark).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT * FROM a | <a>",
        "SELECT * FROM a.b | <a.b>",
        "SELECT * FROM a.`b c`.d | <a.`b c`.d>",
        "SELECT * FROM LIVE.a | <a>",
        "SELECT * FROM STREAM a | <stream a>",
        "SELECT * FROM STREAM(a.b) x | <stream a.b>",
        "SELECT * FROM stream( LIVE.a ) | <stream a>",
        "SELECT * FROM STREAM read_files('/p') | <stream /p>",
        "SELECT * FROM STREAM(read_files('/p')) | <stream /p>",
        "SELECT * FROM a, b x, STREAM c | <a> <b> <stream c>",
        "SELECT * FROM a JOIN b ON a.x = b.x LEFT JOIN c USING (x), d | <a> <b> <c> <d>",
        "SELECT * FROM a CROSS JOIN b NATURAL JOIN STREAM(c) | <a> <b> <stream c>",
        "SELECT * FROM (a JOIN (b JOIN c ON 1 = 1) ON 2 = 2) | <a> <b> <c>",
        "SELECT * FROM (SELECT * FROM (SELECT * FROM a)) x | <a>",
        "SELECT * FROM ((SELECT * FROM a) UNION (SELECT * FROM b)) | <a> <b>",
        "SELECT (SELECT max(x) FROM a), EXISTS (SELECT 1 FROM b) FROM c | <a> <b> <c>",
        "SELECT 1 FROM a WHERE x IN (SELECT x FROM b WHERE y = (SELECT 1 FROM c)) | <a> <b> <c>",
        "SELECT 1 FROM a UNION ALL SELECT 2 FROM b INTERSECT SELECT 3 FROM c | <a> <b> <c>",
        "WITH x AS (SELECT * FROM a), y AS (SELECT * FROM x, b) SELECT * FROM y, x | <a> <b>",
        "WITH a AS (SELECT * FROM a) SELECT * FROM a | <a>",
        "SELECT * FROM (WITH x AS (SELECT 1 FROM a) SELECT * FROM x), x | <a> <x>",
        "WITH RECURSIVE x AS (SELECT 1 FROM x) SELECT * FROM x | ^^",
        "WITH x (c, d) AS (SELECT 1, 2 FROM a) SELECT * FROM s.x | <a> <s.x>",
        "SELECT EXTRACT(DAY FROM b), TRIM(LEADING 'x' FROM c), SUBSTRING(d FROM 2) FROM a | <a>",
        "SELECT OVERLAY(x PLACING 'y' FROM 2) FROM a WHERE b IS NOT DISTINCT FROM c | <a>",
        "SELECT b IS DISTINCT FROM c, d FROM a | <a>",
        "SELECT DISTINCT x FROM a | <a>",
        "SELECT * FROM UNNEST(ARRAY[1, 2]) AS t (x), a | <a>",
        "SELECT * FROM a, LATERAL TABLE(split(a.x)) AS t (y) | <a>",
        "SELECT * FROM a, LATERAL (SELECT * FROM b WHERE b.x = a.x) | <a> <b>",
        "SELECT * FROM (VALUES (1, 2), (3, 4)) AS v (x, y) | ^^",
        "VALUES (1), (2) | ^^",
        "SELECT * FROM TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '1' DAY) | <a>",
        "SELECT * FROM TABLE(HOP(TABLE b.a, DESCRIPTOR(ts), INTERVAL '1' DAY)) x JOIN c ON 1 = 1 |"
            + " <b.a> <c>",
        "SELECT * FROM f(input => TABLE a PARTITION BY k, n => 1) | <a>",
        "SELECT * FROM a JOIN b ON a.x = ARRAY[c, d][1], e | <a> <b> <e>",
        "SELECT ARRAY[(SELECT x FROM a), 2] FROM b | <a> <b>",
        "TABLE a | <a>",
        "SELECT * FROM a FOR SYSTEM_TIME AS OF x.proc AS y JOIN b ON 1 = 1 | <a> <b>",
        "SELECT * FROM a /*+ OPTIONS('x' = 'FROM z') */ JOIN b ON 1 = 1 | <a> <b>",
        "SELECT ' FROM b', \" FROM c\", ` FROM d` FROM a | <a>",
        "SELECT * FROM a MATCH_RECOGNIZE (PARTITION BY x ORDER BY y MEASURES A.z AS z, B.z AS w"
            + " PATTERN (A B) DEFINE A AS A.z > 1, B AS B.z > 2) | <a>",
        "SELECT * FROM table_changes('a', 1, 2), list_files('/x') | <table_changes> <list_files>",
        "SELECT * FROM stream | <stream>",
        "SELECT * FROM stream WHERE stream.x > 1 | <stream>",
        "SELECT * FROM `stream` s | <stream>",
        "SELECT f.from, f.join FROM f WHERE f.table = 1 | <f>",
        "SELECT x FROM a GROUP BY x, y HAVING z > 1 ORDER BY x, y LIMIT 3 | <a>"
      })
  void everythingThatAQueryReadsIsFound(String query, String expected) {
    assertThat(String.join(" ", sources(query))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT * FROM STREAM a | SELECT * FROM <stream a> AS `a`",
        "SELECT * FROM a AS x | SELECT * FROM <a> AS x",
        "SELECT * FROM a x, STREAM(b) y | SELECT * FROM <a> x, <stream b> y",
        "SELECT * FROM a WHERE b | SELECT * FROM <a> AS `a` WHERE b",
        "SELECT * FROM c.a JOIN d.b ON c.a.x = d.b.x |"
            + " SELECT * FROM <c.a> AS `a` JOIN <d.b> AS `b` ON `a`.x = `b`.x",
        "SELECT LIVE.a.x, LIVE.a.* FROM LIVE.a | SELECT `a`.x, `a`.* FROM <a> AS `a`",
        "SELECT A.x FROM a | SELECT `a`.x FROM <a> AS `a`",
        "SELECT a.x FROM c.a y | SELECT a.x FROM <c.a> y",
        "SELECT * FROM a /*+ OPTIONS('k'='v') */ WHERE b |"
            + " SELECT * FROM <a> /*+ OPTIONS('k'='v') */ AS `a` WHERE b",
        "SELECT * FROM a /*+ OPTIONS('k'='v') */ x | SELECT * FROM <a> /*+ OPTIONS('k'='v') */ x",
        "SELECT * FROM o JOIN r FOR SYSTEM_TIME AS OF o.p AS r2 ON o.x = r2.x |"
            + " SELECT * FROM <o> AS `o` JOIN <r> FOR SYSTEM_TIME AS OF `o`.p AS r2 ON `o`.x = r2.x",
        "SELECT * FROM o JOIN r FOR SYSTEM_TIME AS OF o.p ON 1 = 1 |"
            + " SELECT * FROM <o> AS `o` JOIN <r> FOR SYSTEM_TIME AS OF `o`.p AS `r` ON 1 = 1",
        "SELECT * FROM TUMBLE(TABLE a, DESCRIPTOR(t), INTERVAL '1' DAY) |"
            + " SELECT * FROM TUMBLE(TABLE <a>, DESCRIPTOR(t), INTERVAL '1' DAY)",
        "SELECT * FROM STREAM a WITH (readChangeFeed = true) WHERE b |"
            + " SELECT * FROM <stream a> AS `a` WHERE b",
        "SELECT * FROM STREAM(a) WITH (x = 'y') z | SELECT * FROM <stream a> z",
        "SELECT * FROM read_files('/p', format => 'csv') WHERE b | SELECT * FROM </p> WHERE b",
        "WITH Recent AS (SELECT 1) SELECT * FROM recent r | WITH Recent AS (SELECT 1) SELECT * FROM"
            + " `Recent` r",
        "SELECT * FROM a MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS A.x > 1) AS m |"
            + " SELECT * FROM <a> MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS A.x > 1) AS m"
      })
  void sourcesAreReplacedAndKeepTheirNames(String query, String rendered) {
    assertThat(render(query).replace('\n', ' ')).isEqualTo(rendered);
  }

  @Test
  void referencesKnowTheirPlaceAndOptions() {
    List<SourceReference> sources =
        Query.parse(
                "SELECT *\nFROM STREAM read_files(\n  \"/in/*\", format => \"json\", `n` => 5,\n"
                    + "  hints => 'a INT', flag => true) f, STREAM(b) s")
            .sources();

    SourceReference.ReadFiles files = (SourceReference.ReadFiles) sources.get(0);
    assertThat(files.at().toString()).isEqualTo("<inline>:2:6");
    assertThat(files.path()).isEqualTo("/in/*");
    assertThat(files.stream()).isTrue();
    assertThat(files.options().keySet()).containsExactly("format", "n", "hints", "flag");
    assertThat(files.options().get("n").text()).isEqualTo("5");
    assertThat(files.options().get("format").text()).isEqualTo("json");
    assertThat(files.options().get("hints").at().toString()).isEqualTo("<inline>:4:12");
    assertThat(sources.get(1).at().toString()).isEqualTo("<inline>:4:38");
  }

  @Test
  void argumentsOfOtherFunctionsAreKept() {
    SourceReference.FunctionReference function =
        (SourceReference.FunctionReference)
            Query.parse("SELECT * FROM scd2_changes(TABLE old.prices, start, end_of => b, 'k')")
                .sources()
                .get(0);

    assertThat(function.name()).isEqualTo("scd2_changes");
    assertThat(function.arguments()).hasSize(4);
    assertThat(function.arguments().get(0).table().map(SourceReference.TableReference::name))
        .contains(QualifiedName.of("old", "prices"));
    assertThat(function.arguments().get(2).name()).contains("end_of");
    assertThat(function.arguments().get(3).value().text()).isEqualTo("k");
  }

  @ParameterizedTest
  @ValueSource(strings = {"_metadata", "_METADATA", "file_path"})
  void mentionedNamesAreFound(String name) {
    assertThat(Query.parse("SELECT _metadata.file_path, '_other' FROM a").mentions(name)).isTrue();
  }

  @Test
  void commentsHoldNoSources() {
    assertThat(sources("SELECT x.from_date FROM a -- FROM b\n, c /* , d */")).hasSize(2);
  }

  @Test
  void namesInStringsAreNotMentioned() {
    assertThat(Query.parse("SELECT '_metadata', \"_metadata\" FROM a").mentions("_metadata"))
        .isFalse();
  }
}
