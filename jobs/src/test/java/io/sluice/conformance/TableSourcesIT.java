package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static io.sluice.conformance.Scene.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that read tables of the pipeline and of the catalog. */
class TableSourcesIT {

  private static final String BRONZE =
      """
      CREATE STREAMING TABLE bronze AS
      SELECT * FROM read_files('${dir}/in', format => 'json',
        schema => 'id INT, val STRING, op STRING, seq INT');
      """;

  @Test
  void what_a_failed_table_feeds_is_skipped_and_all_others_go_on(@TempDir Path folder) {
    String sql =
        BRONZE
            + """
            CREATE STREAMING TABLE failing;
            CREATE FLOW failing_changes AS AUTO CDC INTO failing FROM STREAM(bronze)
            KEYS (id) SEQUENCE BY seq COLUMNS (id, val);
            CREATE VIEW behind AS SELECT id FROM STREAM(failing);
            CREATE STREAMING TABLE reader AS SELECT id FROM STREAM(behind);
            CREATE STREAMING TABLE reader_of_reader AS SELECT id FROM STREAM(reader);
            CREATE STREAMING TABLE silver AS SELECT id, val FROM STREAM(bronze);
            CREATE STREAMING TABLE gold AS SELECT val FROM STREAM(silver);
            """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'val':'x','op':'U','seq':1}");
      UpdateResult result = scene.bench().update(sql);
      assertThat(result.failures()).containsOnlyKeys("default.failing");
      assertThat(result.failures().get("default.failing"))
          .singleElement()
          .satisfies(problem -> assertThat(problem.location()).isPresent());
      assertThat(result.skipped()).containsExactly("default.reader", "default.reader_of_reader");
      assertThat(result.targets())
          .extracting("target")
          .containsExactly("default.bronze", "default.silver", "default.gold");
      assertThat(scene.rows("gold")).containsExactly("x");
    }
  }

  @Test
  void a_table_reads_what_another_one_appended_in_the_same_update(@TempDir Path folder) {
    String sql =
        """
        CREATE TEMPORARY VIEW cleaned AS
        SELECT id, TRIM(val) AS val, op, seq FROM STREAM bronze WHERE id IS NOT NULL;

        CREATE STREAMING TABLE silver;
        CREATE FLOW silver_changes AS AUTO CDC INTO silver FROM stream(cleaned)
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
        STORED AS SCD TYPE 1;

        CREATE STREAMING TABLE history;
        CREATE FLOW history_changes AS AUTO CDC INTO history FROM STREAM default.bronze
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
        STORED AS SCD TYPE 2;
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json", "{'id':1,'val':' a ','op':'U','seq':1}", "{'val':'x','op':'U','seq':1}");
      String all = sql + BRONZE;
      assertThat(scene.bench().update(all).failures().keySet()).containsExactly("default.history");
      assertThat(scene.rows("silver")).containsExactly("1 a");

      String guarded = all.replace("FROM STREAM default.bronze", "FROM STREAM cleaned");
      UpdateResult second = scene.run(guarded);
      assertThat(target(second, "silver").steps()).isZero();
      assertThat(scene.rows("history")).containsExactly("1 a 1 ~");

      scene.json("in/2.json", "{'id':1,'val':'b','op':'U','seq':2}", "{'id':2,'op':'D','seq':2}");
      UpdateResult third = scene.run(guarded);
      assertThat(flow(third, "silver_changes").rowsRead()).isEqualTo(2);
      assertThat(scene.rows("silver")).containsExactly("1 b");
      assertThat(scene.rows("history")).containsExactly("1 a 1 2", "1 b 2 ~");
      assertThat(third.targets()).extracting("target").first().isEqualTo("default.bronze");
    }
  }

  @Test
  void a_stream_of_a_table_that_was_updated_is_an_error_and_a_full_refresh_the_way_out(
      @TempDir Path folder) {
    String silver =
        """
        CREATE STREAMING TABLE silver;
        CREATE FLOW silver_changes AS AUTO CDC INTO silver FROM STREAM bronze
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
        STORED AS SCD TYPE 1;
        """;
    String copy = "CREATE STREAMING TABLE copy AS SELECT id, val FROM STREAM silver;\n";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'val':'a','op':'U','seq':1}");
      scene.run(BRONZE + silver + copy);
      assertThat(scene.rows("copy")).containsExactly("1 a");
      scene.json("in/2.json", "{'id':2,'val':'c','op':'U','seq':1}");
      scene.run(BRONZE + silver + copy);
      assertThat(scene.rows("copy")).containsExactly("1 a", "2 c");

      scene.json("in/3.json", "{'id':1,'val':'b','op':'U','seq':2}");
      assertThat(scene.failing(BRONZE + silver + copy))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.SOURCE_NOT_APPEND_ONLY);
                assertThat(problem.message()).contains("silver");
              });
      assertThat(scene.rows("silver")).containsExactly("1 b", "2 c");
      assertThat(scene.rows("copy")).containsExactly("1 a", "2 c");
      scene.refresh(BRONZE + silver + copy, "copy");
      assertThat(scene.rows("copy")).containsExactly("1 b", "2 c");
    }
  }

  @Test
  void a_full_read_beside_a_stream_sees_the_table_as_it_is_now(@TempDir Path folder) {
    String towns =
        """
        SET 'sluice.pipeline' = 'towns';
        CREATE STREAMING TABLE towns;
        CREATE FLOW town_changes AS AUTO CDC INTO towns
        FROM STREAM read_files('${dir}/towns', format => 'json', schema => 'id INT, town STRING, n INT')
        KEYS (id) SEQUENCE BY n COLUMNS * EXCEPT (n) STORED AS SCD TYPE 1;
        """;
    String joined =
        """
        CREATE STREAMING TABLE visits AS
        SELECT v.id, t.town FROM STREAM read_files('${dir}/visits', format => 'json',
          schema => 'id INT, place INT') v
        LEFT JOIN towns t ON t.id = v.place;
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("towns/1.json", "{'id':1,'town':'Oslo','n':1}");
      scene.run(towns);
      scene.json("visits/1.json", "{'id':10,'place':1}", "{'id':11,'place':2}");
      scene.run(joined);
      scene.json("towns/2.json", "{'id':1,'town':'Lund','n':2}", "{'id':2,'town':'Kiel','n':1}");
      scene.run(towns);
      UpdateResult nothing = scene.run(joined);
      assertThat(flow(nothing, "visits").state()).isEqualTo(FlowResult.State.UP_TO_DATE);
      scene.json("visits/2.json", "{'id':12,'place':1}", "{'id':13,'place':2}");
      scene.run(joined);
      assertThat(scene.rows("visits")).containsExactly("10 Oslo", "11 ~", "12 Lund", "13 Kiel");
    }
  }

  @Test
  void two_tables_read_one_source_each_at_its_own_position(@TempDir Path folder) {
    String first = "CREATE STREAMING TABLE one AS SELECT id FROM STREAM bronze WHERE id > 1;\n";
    String second = "CREATE STREAMING TABLE two AS SELECT id + 100 AS id FROM STREAM(bronze);\n";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}", "{'id':2}");
      scene.run(BRONZE + first);
      scene.json("in/2.json", "{'id':3}");
      UpdateResult joined = scene.run(BRONZE + first + second);
      assertThat(flow(joined, "one").rowsRead()).isEqualTo(1);
      assertThat(flow(joined, "two").rowsRead()).isEqualTo(3);
      assertThat(scene.rows("one")).containsExactly("2", "3");
      assertThat(scene.rows("two")).containsExactly("101", "102", "103");
      int commits = scene.commits("one");
      scene.run(BRONZE + first + second);
      assertThat(scene.commits("one")).isEqualTo(commits);
    }
  }
}
