package io.sluice.sql;

import static io.sluice.sql.Parsing.changes;
import static io.sluice.sql.Parsing.flow;
import static io.sluice.sql.Parsing.statement;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowsTest {

  @ParameterizedTest
  @CsvSource({
    "INSERT INTO t BY NAME SELECT 1 AS a, false, true",
    "INSERT INTO ONCE t BY NAME SELECT 1 AS a, true, true",
    "INSERT ONCE INTO t BY NAME SELECT 1 AS a, true, true",
    "insert into t select 1, false, false",
    "INSERT INTO t BY NAME WITH x AS (SELECT 1) SELECT * FROM x, false, true",
    "INSERT INTO t BY NAME (SELECT 1), false, true"
  })
  void appendFlowsRunAlwaysOrOnce(String body, boolean once, boolean byName) {
    FlowBody.Append append = flow(FlowBody.Append.class, body);

    assertThat(append.once()).isEqualTo(once);
    assertThat(append.byName()).isEqualTo(byName);
  }

  @Test
  void aFlowHasNameCommentAndTarget() {
    CreateFlow flow =
        statement(
            CreateFlow.class,
            "CREATE OR REFRESH FLOW seed COMMENT 'old rows'\nAS INSERT INTO LIVE.orders BY NAME"
                + " SELECT * FROM old");

    assertThat(flow.name()).isEqualTo(QualifiedName.of("SEED"));
    assertThat(flow.nameAt().toString()).isEqualTo("p.sql:1:24");
    assertThat(flow.comment()).contains("old rows");
    assertThat(flow.orRefresh()).isTrue();
    assertThat(flow.target()).isEqualTo(QualifiedName.of("orders"));
    assertThat(flow.targetAt().toString()).isEqualTo("p.sql:2:16");
    assertThat(
            statement(CreateFlow.class, "CREATE FLOW IF NOT EXISTS f AS INSERT INTO a.b.c SELECT 1")
                .ifNotExists())
        .isTrue();
  }

  @Test
  void aChangeFlowTakesEveryClause() {
    FlowBody.AutoCdc flow =
        flow(
            FlowBody.AutoCdc.class,
            """
            AUTO CDC ONCE INTO t
            FROM stream(feed)
            KEYS (region, `account no`)
            IGNORE NULL UPDATES ON (phone, mail)
            APPLY AS DELETE WHEN op = 'D' AND (kind <> 'x' OR kind IS NULL)
            APPLY AS TRUNCATE WHEN op = "T"
            SEQUENCE BY STRUCT(ts, txn)
            SYSTEM SEQUENCE BY ingested
            COLUMNS * EXCEPT (op, ts)
            STORED AS BITEMPORAL
            TRACK HISTORY ON * EXCEPT (mail)
            COLUMNS TO UPDATE changed
            """);

    assertThat(flow.once()).isTrue();
    assertThat(flow.keys()).extracting(Identifier::text).containsExactly("region", "account no");
    assertThat(flow.keys()).extracting(Identifier::quoted).containsExactly(false, true);
    assertThat(flow.nullUpdates().get().columns().get().columns()).hasSize(2);
    assertThat(flow.deleteWhen().get().toString())
        .isEqualTo("op = 'D' AND (kind <> 'x' OR kind IS NULL)");
    assertThat(flow.truncateWhen().get().render().text()).isEqualTo("op = 'T'");
    assertThat(flow.sequenceBy().toString()).isEqualTo("STRUCT(ts, txn)");
    assertThat(flow.systemSequenceBy().get().toString()).isEqualTo("ingested");
    assertThat(flow.columns().get().except()).isTrue();
    assertThat(flow.columns().get().at().toString()).isEqualTo("p.sql:9:1");
    assertThat(flow.storedAs().get().type()).isEqualTo(StoredAs.Type.BITEMPORAL);
    assertThat(flow.trackHistory().get().columns())
        .extracting(Identifier::text)
        .containsExactly("mail");
    assertThat(flow.columnsToUpdate().get().text()).isEqualTo("changed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a IS NOT DISTINCT FROM b",
        "a NOT LIKE 'x' ESCAPE '!' OR b ILIKE 'y'",
        "a BETWEEN SYMMETRIC 1 AND 2",
        "a IS JSON OBJECT AND b IS NOT TRUE",
        "a > CURRENT_TIMESTAMP - INTERVAL '1' DAY",
        "a < TIMESTAMP '2020-01-01 00:00:00' AT TIME ZONE 'UTC'",
        "CASE a WHEN 1 THEN b ELSE NULL END IN (1, 2)",
        "a SIMILAR TO 'x' AND EXISTS (SELECT 1)",
        "CAST(a AS TIMESTAMP(3) WITH LOCAL TIME ZONE) = DATE '2020-01-01'",
        "tags[1] = 'x' AND props['k'] = ANY (SELECT 'y')",
        "INTERVAL '1-2' YEAR TO MONTH > a",
        "keys = 1 OR stored = 2 OR columns = 3",
        "a COLLATE b = c MULTISET UNION d"
      })
  void conditionsMayUseAllOfFlinksExpressions(String condition) {
    FlowBody.AutoCdc flow = changes("APPLY AS DELETE WHEN " + condition + " COLUMNS (a)");

    assertThat(flow.deleteWhen().get()).hasToString(condition);
    assertThat(flow.columns()).isPresent();
  }

  @Test
  void clausesComeInAnyOrder() {
    FlowBody.AutoCdc flow =
        flow(
            FlowBody.AutoCdc.class,
            "AUTO CDC INTO t FROM STREAM s STORED AS SCD TYPE 2 COLUMNS a, b SEQUENCE BY ts + 1"
                + " TRACK HISTORY ON a KEYS id APPLY AS DELETE WHEN gone IGNORE NULL UPDATES");

    assertThat(flow.storedAs().get().type()).isEqualTo(StoredAs.Type.SCD_TYPE_2);
    assertThat(flow.columns().get().columns())
        .extracting(Identifier::text)
        .containsExactly("a", "b");
    assertThat(flow.sequenceBy().toString()).isEqualTo("ts + 1");
    assertThat(flow.trackHistory().get().except()).isFalse();
    assertThat(flow.keys()).extracting(Identifier::text).containsExactly("id");
    assertThat(flow.deleteWhen().get().toString()).isEqualTo("gone");
    assertThat(flow.nullUpdates().get().columns()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "COLUMNS (a) | false | a",
        "COLUMNS a, b | false | a b",
        "COLUMNS * EXCEPT (a, b) | true | a b",
        "COLUMNS * EXCEPT a, b STORED AS SCD TYPE 1 | true | a b",
        "COLUMNS * | true | ^^",
        "COLUMNS (to, columns, keys) | false | to columns keys"
      })
  void columnListsComeWithAndWithoutParentheses(String clause, boolean except, String names) {
    ColumnSelection columns = changes(clause).columns().get();

    assertThat(columns.except()).isEqualTo(except);
    assertThat(String.join(" ", columns.columns().stream().map(Identifier::text).toList()))
        .isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "STREAM s | SELECT * FROM <stream s> AS `s` | false",
        "STREAM(s) | SELECT * FROM <stream s> AS `s` | false",
        "stream ( a.b.s ) | SELECT * FROM <stream a.b.s> AS `s` | false",
        "LIVE.s | SELECT * FROM <s> AS `s` | true",
        "s | SELECT * FROM <s> AS `s` | true",
        "STREAM s WITH (readChangeFeed = true) | SELECT * FROM <stream s> AS `s` | false",
        "STREAM read_files('/in', format => 'json') | SELECT * FROM <stream /in> | false",
        "read_files('/in', format => 'json') | SELECT * FROM </in> | true",
        "(SELECT a FROM STREAM s WHERE b) | SELECT a FROM <stream s> AS `s` WHERE b | false",
        "(SELECT a FROM s) | SELECT a FROM <s> AS `s` | false",
        "stream | SELECT * FROM <stream> AS `stream` | true",
        "STREAM keys | SELECT * FROM <stream keys> AS `keys` | false",
        "STREAM columns | SELECT * FROM <stream columns> AS `columns` | false",
        "snapshot | SELECT * FROM <snapshot> AS `snapshot` | true",
        "history | SELECT * FROM <history> AS `history` | true"
      })
  void theSourceOfAChangeFlowIsAQuery(String source, String rendered, boolean bareBatch) {
    CdcSource parsed =
        flow(FlowBody.AutoCdc.class, "AUTO CDC INTO t FROM " + source + " KEYS (id) SEQUENCE BY ts")
            .source();

    assertThat(parsed.query().render(Parsing::mark).text()).isEqualTo(rendered);
    assertThat(parsed.bareBatchReference()).isEqualTo(bareBatch);
    assertThat(parsed.at().toString()).isEqualTo("p.sql:1:39");
  }

  @Test
  void changeFeedOptionsOfAStreamAreKept() {
    SourceReference.TableReference table =
        (SourceReference.TableReference)
            flow(
                    FlowBody.AutoCdc.class,
                    "AUTO CDC INTO t FROM (SELECT * FROM STREAM s WITH (readChangeFeed = true, 'x' ="
                        + " 'y') w WHERE w.a) KEYS (id) SEQUENCE BY ts")
                .source()
                .query()
                .sources()
                .get(0);

    assertThat(table.withOptions()).containsEntry("readChangeFeed", "true").containsEntry("x", "y");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "APPLY CHANGES INTO LIVE.t FROM STREAM(LIVE.s) KEYS (id) SEQUENCE BY ts",
        "AUTO CDC INTO t FROM STREAM s KEYS (id) SEQUENCE BY ts"
      })
  void theOldStatementNamesItsFlowAfterTheTarget(String text) {
    CreateFlow flow = statement(CreateFlow.class, text);

    assertThat(flow.name()).isEqualTo(QualifiedName.of("t"));
    assertThat(flow.target()).isEqualTo(QualifiedName.of("t"));
    assertThat(((FlowBody.AutoCdc) flow.body()).source().bareBatchReference()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLOW AUTO CDC", "FLOW APPLY CHANGES", "FLOW AUTO CDC ONCE"})
  void aTableMayHoldItsFlow(String words) {
    CreateStreamingTable table =
        statement(
            CreateStreamingTable.class,
            "CREATE STREAMING TABLE t SCHEDULE EVERY 1 DAY TBLPROPERTIES (a = 'b') "
                + words
                + " FROM STREAM s KEYS (id) SEQUENCE BY ts");

    FlowBody.AutoCdc flow = (FlowBody.AutoCdc) table.inlineFlow().get();
    assertThat(flow.once()).isEqualTo(words.endsWith("ONCE"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "history",
        "flow",
        "stream",
        "once",
        "keys",
        "sequence",
        "columns",
        "live",
        "snapshot",
        "version",
        "refresh",
        "schedule",
        "auto",
        "cdc",
        "type",
        "name",
        "`select`"
      })
  void keywordsMayBeNamesOfTablesFlowsAndColumns(String word) {
    String name = word.replace("`", "");
    CreateFlow flow =
        statement(
            CreateFlow.class,
            "CREATE FLOW "
                + word
                + " AS AUTO CDC INTO "
                + word
                + " FROM STREAM x."
                + word
                + " KEYS ("
                + word
                + ") SEQUENCE BY "
                + word
                + " STORED AS SCD TYPE 1");

    assertThat(flow.name()).isEqualTo(QualifiedName.of(name));
    assertThat(flow.target()).isEqualTo(QualifiedName.of(name));
    FlowBody.AutoCdc body = (FlowBody.AutoCdc) flow.body();
    assertThat(body.keys().get(0).text()).isEqualTo(name);
    assertThat(body.source().query().sources())
        .extracting(source -> ((SourceReference.TableReference) source).name())
        .containsExactly(QualifiedName.of("x", name));
    assertThat(body.sequenceBy().columnName()).contains(name);
    assertThat(body.storedAs()).isPresent();
  }
}
