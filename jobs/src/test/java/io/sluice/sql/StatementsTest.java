package io.sluice.sql;

import static io.sluice.sql.Parsing.statement;
import static io.sluice.sql.Parsing.statements;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementsTest {

  @Test
  void aStreamingTableNeedsNothingButItsName() {
    CreateStreamingTable table =
        statement(CreateStreamingTable.class, "\n  CREATE STREAMING TABLE visits");

    assertThat(table.name()).isEqualTo(QualifiedName.of("visits"));
    assertThat(table.at().toString()).isEqualTo("p.sql:2:3");
    assertThat(table.nameAt().toString()).isEqualTo("p.sql:2:26");
    assertThat(table.orRefresh()).isFalse();
    assertThat(table.asQuery()).isEmpty();
    assertThat(table.inlineFlow()).isEmpty();
    assertThat(table.parts().columns()).isEmpty();
  }

  @Test
  void aStreamingTableTakesEveryPart() {
    CreateStreamingTable table =
        statement(
            CreateStreamingTable.class,
            """
            create or refresh streaming live table if not exists lake.web.visits (
              id BIGINT NOT NULL COMMENT 'the visit',
              `page views` MAP<STRING, ARRAY<INT>>,
              spot ROW<lat DECIMAL(9, 6), lon DECIMAL(9, 6)>,
              seen TIMESTAMP(6) WITH LOCAL TIME ZONE,
              CONSTRAINT known EXPECT (id IS NOT NULL AND length(`page views`) < 5),
              CONSTRAINT recent EXPECT (seen > TIMESTAMP '2020-01-01 00:00:00') ON VIOLATION DROP ROW,
              constraint sane expect (id > 0) on violation fail update
            )
            TBLPROPERTIES ('a.b' = 'c', write.parquet.compression-codec = zstd, "d" = "e", n = 5,
              minus = -1, yes = true)
            PARTITIONED BY (days(seen), bucket(16, id), id)
            COMMENT "one row a visit"
            SCHEDULE REFRESH EVERY 2 HOURS
            AS SELECT * FROM STREAM raw
            """);

    assertThat(table.name()).isEqualTo(QualifiedName.of("lake", "web", "visits"));
    assertThat(table.orRefresh()).isTrue();
    assertThat(table.ifNotExists()).isTrue();
    TableParts parts = table.parts();
    assertThat(parts.columns())
        .extracting(ColumnDefinition::name, ColumnDefinition::typeText, ColumnDefinition::notNull)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("id", "BIGINT", true),
            org.assertj.core.groups.Tuple.tuple("page views", "MAP<STRING, ARRAY<INT>>", false),
            org.assertj.core.groups.Tuple.tuple(
                "spot", "ROW<lat DECIMAL(9, 6), lon DECIMAL(9, 6)>", false),
            org.assertj.core.groups.Tuple.tuple(
                "seen", "TIMESTAMP(6) WITH LOCAL TIME ZONE", false));
    assertThat(parts.columns().get(0).comment()).contains("the visit");
    assertThat(parts.columns().get(1).at().toString()).isEqualTo("p.sql:3:3");
    assertThat(parts.constraints())
        .extracting(constraint -> constraint.name().text(), Constraint::onViolation)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("known", Constraint.Violation.KEEP),
            org.assertj.core.groups.Tuple.tuple("recent", Constraint.Violation.DROP_ROW),
            org.assertj.core.groups.Tuple.tuple("sane", Constraint.Violation.FAIL_UPDATE));
    assertThat(parts.constraints().get(0).condition().toString())
        .isEqualTo("id IS NOT NULL AND length(`page views`) < 5");
    assertThat(parts.partitionFields())
        .extracting(PartitionField::text)
        .containsExactly("days(seen)", "bucket(16, id)", "id");
    assertThat(parts.properties())
        .containsExactly(
            Map.entry("a.b", "c"),
            Map.entry("write.parquet.compression-codec", "zstd"),
            Map.entry("d", "e"),
            Map.entry("n", "5"),
            Map.entry("minus", "-1"),
            Map.entry("yes", "true"));
    assertThat(parts.comment()).contains("one row a visit");
    assertThat(parts.schedule().get())
        .isInstanceOfSatisfying(
            Schedule.Every.class,
            every -> {
              assertThat(every.amount()).isEqualTo(2);
              assertThat(every.unit()).isEqualTo(ChronoUnit.HOURS);
            });
    assertThat(table.asQuery().get().sources()).hasSize(1);
  }

  @Test
  void schedulesComeInThreeForms() {
    assertThat(schedule("SCHEDULE EVERY 1 WEEK"))
        .isInstanceOfSatisfying(
            Schedule.Every.class, every -> assertThat(every.unit()).isEqualTo(ChronoUnit.WEEKS));
    assertThat(schedule("SCHEDULE CRON '0 0 3 * * ?' AT TIME ZONE 'Europe/Rome'"))
        .isInstanceOfSatisfying(
            Schedule.Cron.class,
            cron -> {
              assertThat(cron.expression()).isEqualTo("0 0 3 * * ?");
              assertThat(cron.timeZone()).contains("Europe/Rome");
            });
    assertThat(schedule("SCHEDULE REFRESH CRON '0 0 3 * * ?'"))
        .isInstanceOfSatisfying(Schedule.Cron.class, cron -> assertThat(cron.timeZone()).isEmpty());
    assertThat(schedule("TRIGGER ON UPDATE"))
        .isInstanceOfSatisfying(
            Schedule.OnUpdate.class, trigger -> assertThat(trigger.atMostEvery()).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "INTERVAL 90 SECONDS, PT90S",
    "INTERVAL '5' MINUTE, PT5M",
    "INTERVAL 1 HOUR, PT1H",
    "INTERVAL 2 DAYS, PT48H",
    "INTERVAL 1 WEEK, PT168H"
  })
  void triggersMayBeThrottled(String interval, Duration expected) {
    assertThat(schedule("TRIGGER ON UPDATE AT MOST EVERY " + interval))
        .isInstanceOfSatisfying(
            Schedule.OnUpdate.class,
            trigger -> assertThat(trigger.atMostEvery()).contains(expected));
  }

  private static Schedule schedule(String clause) {
    return statement(CreateStreamingTable.class, "CREATE STREAMING TABLE t " + clause)
        .parts()
        .schedule()
        .get();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE MATERIALIZED VIEW IF NOT EXISTS totals AS SELECT 1",
        "CREATE OR REPLACE MATERIALIZED VIEW totals SCHEDULE EVERY 1 DAY AS SELECT 1",
        "CREATE OR REFRESH MATERIALIZED VIEW totals (a, b COMMENT 'x') AS SELECT 1, 2",
        "CREATE LIVE TABLE totals AS SELECT 1"
      })
  void materializedViewsHaveAnOldAndANewSpelling(String text) {
    assertThat(statement(CreateMaterializedView.class, text).name())
        .isEqualTo(QualifiedName.of("totals"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE VIEW v AS SELECT 1 | false",
        "CREATE TEMPORARY VIEW v AS SELECT 1 | true",
        "CREATE OR REPLACE VIEW v AS SELECT 1 | false",
        "CREATE TEMPORARY LIVE VIEW v AS (SELECT 1) | true",
        "CREATE VIEW v AS WITH a AS (SELECT 1) SELECT * FROM a | false",
        "CREATE VIEW v AS VALUES (1), (2) | false",
        "CREATE VIEW v AS TABLE other | false"
      })
  void viewsArePlainOrTemporary(String text, boolean temporary) {
    assertThat(statement(CreateView.class, text).temporary()).isEqualTo(temporary);
  }

  @Test
  void viewsMayNameTheirColumnsAndExpectSomethingOfThem() {
    CreateView view =
        statement(
            CreateView.class,
            "CREATE VIEW v (a, `b c`, CONSTRAINT d EXPECT (a > 1)) COMMENT 'e' AS SELECT 1, 2");

    assertThat(view.columns()).extracting(Identifier::text).containsExactly("a", "b c");
    assertThat(view.constraints()).hasSize(1);
    assertThat(view.comment()).contains("e");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SET 'sluice.ties' = 'FAIL' | sluice.ties | FAIL",
        "SET sluice.invalid-events = QUARANTINE | sluice.invalid-events | QUARANTINE",
        "set n = 5 | n | 5",
        "SET n = -5.5 | n | -5.5",
        "SET \"k\" = \"v's\" | k | v's",
        "SET a.b.c = 2 days | a.b.c | 2 days",
        "SET root = s3://bucket/in | root | s3://bucket/in",
        "SET quote = 'it''s' | quote | it's"
      })
  void settingsTakeQuotedAndPlainValues(String text, String key, String value) {
    SetStatement set = statement(SetStatement.class, text);

    assertThat(set.key()).isEqualTo(key);
    assertThat(set.value()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "CREATE CATALOG c WITH (\"type\" = 'iceberg') | CREATE_CATALOG | c |"
            + " CREATE CATALOG c WITH ('type' = 'iceberg')",
        "CREATE TEMPORARY TABLE k (id INT, WATERMARK FOR t AS t) WITH ('connector' = 'kafka') |"
            + " CREATE_TABLE | k | CREATE TEMPORARY TABLE k (id INT, WATERMARK FOR t AS t) WITH"
            + " ('connector' = 'kafka')",
        "CREATE TABLE IF NOT EXISTS k (id INT, PRIMARY KEY (id) NOT ENFORCED) | CREATE_TABLE | k |"
            + " CREATE TABLE IF NOT EXISTS k (id INT, PRIMARY KEY (id) NOT ENFORCED)",
        "CREATE DATABASE lake.web | CREATE_DATABASE | lake.web | CREATE DATABASE lake.web",
        "CREATE TEMPORARY SYSTEM FUNCTION f AS 'a.B' | CREATE_FUNCTION | f |"
            + " CREATE TEMPORARY SYSTEM FUNCTION f AS 'a.B'",
        "USE CATALOG lake | USE | lake | USE CATALOG lake",
        "USE lake.web | USE | lake.web | USE lake.web",
        "USE SCHEMA web | USE | web | USE web",
        "USE DATABASE web | USE | web | USE web"
      })
  void flinksOwnStatementsPassThrough(
      String text, PassThrough.Kind kind, String name, String flinkSql) {
    PassThrough statement = statement(PassThrough.class, text);

    assertThat(statement.kind()).isEqualTo(kind);
    assertThat(statement.name().map(QualifiedName::toString)).contains(name);
    assertThat(statement.flinkSql()).isEqualTo(flinkSql);
  }

  @Test
  void plainTablesMayBeWrittenWithTableProperties() {
    CreateTable table =
        statement(
            CreateTable.class,
            "CREATE OR REPLACE TABLE stock (sku STRING, amount INT) TBLPROPERTIES (a.b = true)");

    assertThat(table.orReplace()).isTrue();
    assertThat(table.parts().columns()).hasSize(2);
    assertThat(table.parts().properties()).containsEntry("a.b", "true");
  }

  @Test
  void schedulesOfExistingThingsCanBeAltered() {
    AlterSchedule added =
        statement(AlterSchedule.class, "ALTER STREAMING TABLE t ADD SCHEDULE REFRESH EVERY 3 DAYS");
    AlterSchedule altered =
        statement(AlterSchedule.class, "ALTER MATERIALIZED VIEW v ALTER TRIGGER ON UPDATE");
    AlterSchedule dropped =
        statement(AlterSchedule.class, "ALTER MATERIALIZED VIEW v DROP SCHEDULE");

    assertThat(added.action()).isEqualTo(AlterSchedule.Action.ADD);
    assertThat(added.object()).isEqualTo(ObjectKind.STREAMING_TABLE);
    assertThat(added.schedule()).isPresent();
    assertThat(altered.action()).isEqualTo(AlterSchedule.Action.ALTER);
    assertThat(dropped.action()).isEqualTo(AlterSchedule.Action.DROP);
    assertThat(dropped.schedule()).isEmpty();
  }

  @Test
  void refreshOptionsComeInAnyOrder() {
    Refresh plain = statement(Refresh.class, "REFRESH TABLE t");
    Refresh all =
        statement(
            Refresh.class,
            "REFRESH STREAMING TABLE t ASYNC WHERE day BETWEEN '2020' AND '2021' AND (a OR full)"
                + " FULL");

    assertThat(plain.object()).isEqualTo(ObjectKind.TABLE);
    assertThat(plain.async()).isFalse();
    assertThat(plain.where()).isEmpty();
    assertThat(all.object()).isEqualTo(ObjectKind.STREAMING_TABLE);
    assertThat(all.async()).isTrue();
    assertThat(all.full()).isTrue();
    assertThat(all.where().map(SqlExpression::toString))
        .contains("day BETWEEN '2020' AND '2021' AND (a OR full)");
    assertThat(statement(Refresh.class, "REFRESH MATERIALIZED VIEW v SYNC").object())
        .isEqualTo(ObjectKind.MATERIALIZED_VIEW);
  }

  @ParameterizedTest
  @CsvSource({
    "DROP TABLE t, TABLE, false",
    "DROP STREAMING TABLE IF EXISTS t, STREAMING_TABLE, true",
    "DROP MATERIALIZED VIEW t, MATERIALIZED_VIEW, false",
    "DROP VIEW IF EXISTS t, VIEW, true"
  })
  void thingsCanBeDropped(String text, ObjectKind kind, boolean ifExists) {
    Drop drop = statement(Drop.class, text);

    assertThat(drop.object()).isEqualTo(kind);
    assertThat(drop.ifExists()).isEqualTo(ifExists);
    assertThat(drop.name()).isEqualTo(QualifiedName.of("t"));
  }

  @Test
  void rowsCanBeInsertedUpdatedAndDeleted() {
    InsertRows insert =
        statement(InsertRows.class, "INSERT INTO a.t (x, `y z`) VALUES (1, \"b\"), (2, 'c')");
    UpdateRows update =
        statement(
            UpdateRows.class,
            "UPDATE t SET x = coalesce(x, 1) + 1, y = CASE WHEN x IN (1, 2) THEN 'a' END WHERE z");
    DeleteRows delete = statement(DeleteRows.class, "DELETE FROM t WHERE x = 9");

    assertThat(insert.columns()).extracting(Identifier::text).containsExactly("x", "y z");
    assertThat(insert.query().toString()).isEqualTo("VALUES (1, \"b\"), (2, 'c')");
    assertThat(update.assignments())
        .extracting(assignment -> assignment.column() + " = " + assignment.value())
        .containsExactly("x = coalesce(x, 1) + 1", "y = CASE WHEN x IN (1, 2) THEN 'a' END");
    assertThat(update.where().map(SqlExpression::toString)).contains("z");
    assertThat(delete.where()).isPresent();
    assertThat(statement(DeleteRows.class, "DELETE FROM t").where()).isEqualTo(Optional.empty());
    assertThat(statement(InsertRows.class, "INSERT INTO t SELECT * FROM s").columns()).isEmpty();
  }

  @Test
  void aFileHoldsManyStatementsAndTheLastNeedsNoSemicolon() {
    assertThat(
            statements(
                "-- a comment; with a semicolon\nSET a = 'x;y';; /* ; */ SELECT ';' ;\nSELECT 2"))
        .hasSize(3);
    assertThat(statements(" \n -- nothing\n")).isEmpty();
    assertThat(statements("")).isEmpty();
  }
}
