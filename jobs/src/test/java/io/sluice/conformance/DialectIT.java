package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements in the forms that users bring from Databricks, run to the rows they give. */
class DialectIT {

  private static final String CHECKINS_READ =
      """
        "${dir}/checkins/*/*/*",
        format => "json",
        inferColumnTypes => true,
        maxFilesPerTrigger => 100,
        schemaEvolutionMode => "addNewColumns",
        modifiedAfter => "2024-12-31T23:59:59.999+00:00"
      )
      WHERE year(timestamp) >= '2025'; -- nothing from before the first year
      """;

  private static String backfill(int year) {
    return """
    -- what came in %1$d, one time
    CREATE FLOW
      checkins_backfill_%1$d
    AS INSERT INTO ONCE
      checkins BY NAME
    SELECT * FROM read_files(
      "${dir}/checkins/year=%1$d/*/*",
      format => "json",
      inferColumnTypes => true
    );
    """
        .formatted(year);
  }

  private static void checkin(Scene scene, int id, String day, String more) throws IOException {
    String[] parts = day.split("-");
    String name =
        "checkins/year=%s/month=%s/day=%s/%d.json".formatted(parts[0], parts[1], parts[2], id);
    Path file = scene.json(name, "{'id':%d,'timestamp':'%sT08:00:00Z'%s}".formatted(id, day, more));
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse(day + "T09:00:00Z")));
  }

  @Test
  void a_pipeline_gets_backfills_of_earlier_years_later(@TempDir Path folder) throws IOException {
    String first =
        "CREATE OR REFRESH STREAMING LIVE TABLE checkins AS\nSELECT * FROM read_files(\n"
            + CHECKINS_READ;
    String second =
        "CREATE OR REFRESH STREAMING TABLE checkins;\n\n"
            + "CREATE FLOW\n  checkins_incremental\nAS INSERT INTO\n  checkins BY NAME\n"
            + "SELECT * FROM STREAM read_files(\n"
            + CHECKINS_READ
            + backfill(2024)
            + backfill(2023)
            + backfill(2022);
    try (Scene scene = new Scene(folder)) {
      checkin(scene, 1, "2022-03-01", "");
      checkin(scene, 2, "2023-04-02", "");
      checkin(scene, 3, "2024-05-03", ",'gate':'n'");
      checkin(scene, 4, "2025-06-04", ",'gate':'s'");
      scene.run(first);
      assertThat(scene.rows("checkins"))
          .singleElement()
          .asString()
          .startsWith("4 2025-06-04T08:00Z");
      assertThat(scene.columns("checkins"))
          .contains("timestamp timestamptz", "year long", "month long", "day long", "gate string");

      checkin(scene, 5, "2025-07-05", ",'gate':'s','badge':true");
      UpdateResult backfilled = scene.run(second);
      assertThat(backfilled.notices())
          .anyMatch(notice -> notice.contains("'checkins_incremental' takes over the position of"));
      assertThat(flow(backfilled, "checkins_incremental").rowsRead()).isEqualTo(1);
      assertThat(scene.bench().rows("checkins"))
          .extracting(row -> row.get("id"), row -> row.get("gate"), row -> row.get("badge"))
          .containsExactlyInAnyOrder(
              tuple(1L, null, null),
              tuple(2L, null, null),
              tuple(3L, "n", null),
              tuple(4L, "s", null),
              tuple(5L, "s", true));

      UpdateResult third = scene.run(second);
      assertThat(flow(third, "checkins_backfill_2023").state()).isEqualTo(FlowResult.State.DONE);
      assertThat(scene.rows("checkins")).hasSize(5);
    }
  }

  @Test
  void queries_may_be_written_in_the_dialect(@TempDir Path folder) {
    String sql =
        """
        SET feed = 'in';
        SET "pipelines.note" = "kept for readers of the file";
        CREATE TEMPORARY VIEW recent AS -- a view over a stream
        SELECT *, "it's" AS note FROM STREAM read_files("${dir}/${feed}", format => "json",
          schema => "id INT, type STRING, date DATE, amount DECIMAL(8,2), `order` STRUCT<n: INT>")
        WHERE date >= date_add(current_date(), -7) /* a week */ AND type != "void";

        CREATE STREAMING TABLE IF NOT EXISTS shop.sales
          (id INT COMMENT "number", kind STRING, amount DECIMAL(10,2), n BIGINT, day STRING, note STRING)
          COMMENT "sales of a week" TBLPROPERTIES ("format-version" = "2", "owner" = 'shop');

        CREATE FLOW sales_in COMMENT "from the till" AS INSERT INTO shop.sales BY NAME
        SELECT id, type AS kind, amount * 2 AS amount, `order`.n AS n, CAST(date AS STRING) AS day, note
        FROM STREAM recent WHERE amount::INT == 3;

        CREATE STREAMING TABLE copied AS
        SELECT s.id, s.kind, CASE WHEN s.n > 0 THEN "many" ELSE 'none' END AS howmany
        FROM STREAM(local.shop.sales) AS s;
        """;
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          sale(1, "cash", today, "3.25"),
          sale(2, "void", today, "3.00"),
          sale(3, "card", today.minusDays(5), "3.99"),
          sale(4, "card", today.minusDays(30), "3.00"),
          sale(5, "card", today, "4.00"));
      scene.run(sql);
      assertThat(
              scene
                  .bench()
                  .connection()
                  .catalog()
                  .loadTable(TableIdentifier.of("shop", "sales"))
                  .properties())
          .containsEntry("owner", "shop")
          .containsEntry("comment", "sales of a week");
      assertThat(scene.rows("copied")).containsExactly("1 cash many", "3 card many");
    }
  }

  private static String sale(int id, String type, LocalDate date, String amount) {
    return "{'id':%d,'type':'%s','date':'%s','amount':%s,'order':{'n':%d}}"
        .formatted(id, type, date, amount, id);
  }

  @Test
  void flinks_own_tables_and_variables_of_the_caller_stand_beside(@TempDir Path folder) {
    String sql =
        """
        CREATE TABLE known (n INT) WITH ('connector' = 'datagen', 'number-of-rows' = '3',
          'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '3');
        CREATE STREAMING TABLE orders AS
        SELECT o.id, k.n, '${stage}' AS stage
        FROM STREAM read_files('${dir}/orders', format => 'json', schema => 'id INT') o
        LEFT JOIN known k ON k.n = o.id;
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("orders/1.json", "{'id':1}", "{'id':7}");
      scene.bench().update(sql, Map.of("stage", "test"), options -> options);
      assertThat(scene.rows("orders")).containsExactly("1 1 test", "7 ~ test");
    }
  }
}
