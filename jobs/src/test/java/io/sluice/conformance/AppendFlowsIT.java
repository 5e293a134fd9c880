package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static io.sluice.conformance.Scene.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Append flows: ONCE, columns by name, columns that come later (semantics 2.4, 13.2, 0.13). */
class AppendFlowsIT {

  @Test
  void once_flows_run_in_the_first_update_after_they_are_added_and_again_after_a_full_refresh(
      @TempDir Path folder) {
    String live =
        """
        CREATE STREAMING TABLE visits;
        CREATE FLOW visits_live AS INSERT INTO visits BY NAME
        SELECT id, place FROM STREAM read_files('${dir}/live', format => 'json');
        """;
    String backfills =
        """
        CREATE FLOW visits_2024 AS INSERT INTO ONCE visits BY NAME
        SELECT id, place FROM read_files('${dir}/y=2024', format => 'json');
        CREATE FLOW visits_2023 AS INSERT ONCE INTO visits BY NAME
        SELECT id, place FROM read_files('${dir}/y=2023', format => 'json');
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("live/1.json", "{'id':1,'place':'a'}");
      scene.run(live);
      scene.json("y=2024/1.json", "{'id':24,'place':'b'}");
      scene.json("y=2023/1.json", "{'id':23,'place':'c'}");
      UpdateResult backfill = scene.run(live + backfills);
      assertThat(flow(backfill, "visits_live").state()).isEqualTo(FlowResult.State.UP_TO_DATE);
      assertThat(flow(backfill, "visits_2024").kind()).isEqualTo("append ONCE");
      assertThat(scene.rows("visits")).containsExactly("1 a", "23 c", "24 b");
      assertThat(scene.commits("visits")).isEqualTo(2);

      scene.json("y=2024/2.json", "{'id':25,'place':'b'}");
      scene.json("live/2.json", "{'id':2,'place':'a'}");
      UpdateResult third = scene.run(live + backfills);
      assertThat(flow(third, "visits_2024").state()).isEqualTo(FlowResult.State.DONE);
      assertThat(third.notices()).isEmpty();
      assertThat(scene.rows("visits")).containsExactly("1 a", "2 a", "23 c", "24 b");

      UpdateResult changed =
          scene.run(live + backfills.replace("id, place FROM read", "id FROM read"));
      assertThat(changed.notices())
          .hasSize(2)
          .allMatch(notice -> notice.contains("is ONCE and has run; its definition changed since"))
          .anyMatch(notice -> notice.contains("--full-refresh visits"));
      assertThat(target(changed, "visits").steps()).isZero();

      scene.refreshAll(live + backfills);
      assertThat(scene.rows("visits")).containsExactly("1 a", "2 a", "23 c", "24 b", "25 b");
    }
  }

  @Test
  void a_table_has_the_columns_of_all_its_flows_by_name(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE readings COMMENT 'of two kinds of sensors';
        CREATE FLOW warm AS INSERT INTO readings BY NAME
        SELECT sensor, celsius FROM STREAM read_files('${dir}/warm', format => 'json',
          schema => 'sensor STRING, celsius INT');
        CREATE FLOW loud AS INSERT INTO readings BY NAME
        SELECT decibel, Sensor FROM STREAM read_files('${dir}/loud', format => 'json',
          schema => 'decibel DOUBLE, Sensor STRING');
        CREATE FLOW wide AS INSERT INTO readings BY NAME
        SELECT sensor, celsius FROM STREAM read_files('${dir}/wide', format => 'json',
          schema => 'sensor STRING, celsius BIGINT');
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("warm/1.json", "{'sensor':'w','celsius':20}");
      scene.json("loud/1.json", "{'decibel':0.5,'Sensor':'l'}");
      scene.json("wide/1.json", "{'celsius':9000000000,'sensor':'x'}");
      scene.run(sql);
      assertThat(scene.columns("readings"))
          .containsExactly("sensor string", "celsius long", "decibel double");
      assertThat(scene.rows("readings")).containsExactly("l ~ 0.5", "w 20 ~", "x 9000000000 ~");
    }
  }

  @Test
  void columns_that_appear_later_stand_before_the_generated_ones(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE grown;
        CREATE FLOW grown_changes AS AUTO CDC INTO grown
        FROM STREAM read_files('${dir}/in', format => 'json')
        KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq, _rescued_data) STORED AS SCD TYPE 2;

        CREATE STREAMING TABLE latest;
        CREATE FLOW latest_changes AS AUTO CDC INTO latest
        FROM STREAM read_files('${dir}/in', format => 'json')
        KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq, _rescued_data);

        CREATE STREAMING TABLE raw AS
        SELECT * EXCEPT (_rescued_data) FROM read_files('${dir}/in', format => 'json');
        """
            .replace("SELECT * EXCEPT (_rescued_data)", "SELECT *");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'name':'ann','seq':1}");
      scene.run(sql);
      assertThat(scene.columnNames("grown"))
          .containsExactly("id", "name", "__START_AT", "__END_AT");
      scene.json(
          "in/2.json",
          "{'id':1,'name':'ann','town':'Oslo','seq':2}",
          "{'id':2,'name':'ben','town':'Lund','seq':2}");
      scene.run(sql);
      assertThat(scene.columnNames("grown"))
          .containsExactly("id", "name", "town", "__START_AT", "__END_AT");
      assertThat(scene.columnNames("latest")).containsExactly("id", "name", "town", "__SEQUENCE");
      assertThat(scene.rows("grown"))
          .containsExactly("1 ann Oslo 2 ~", "1 ann ~ 1 2", "2 ben Lund 2 ~");
      assertThat(scene.rows("latest")).containsExactly("1 ann Oslo", "2 ben Lund");
      assertThat(scene.columnNames("raw"))
          .containsExactly("id", "name", "seq", "_rescued_data", "town");

      // A column that is gone stays and is NULL for new events.
      scene.json("in/3.json", "{'id':2,'name':'bo','seq':3}");
      scene.run(sql);
      assertThat(scene.rows("grown"))
          .containsExactly("1 ann Oslo 2 ~", "1 ann ~ 1 2", "2 ben Lund 2 3", "2 bo ~ 3 ~");
    }
  }

  @Test
  void values_may_come_from_any_query_of_flink(@TempDir Path folder) {
    String sql =
        """
        CREATE VIEW loud AS SELECT town, n FROM STREAM read_files('${dir}/in', format => 'json',
          schema => 'town STRING, n INT') WHERE n > 1;
        CREATE TEMPORARY VIEW louder AS SELECT town, n * 10 AS n FROM loud;
        CREATE STREAMING TABLE sums AS
          SELECT town, SUM(n) AS total, COUNT(*) AS lines FROM STREAM(louder) GROUP BY town;
        CREATE STREAMING TABLE names (town STRING COMMENT 'where', people BIGINT);
        CREATE FLOW names_of AS INSERT INTO names BY NAME
          SELECT l.town, p.people FROM STREAM louder AS l JOIN places p ON p.town = l.town;
        CREATE STREAMING TABLE places AS SELECT * FROM read_files('${dir}/places', format => 'csv',
          header => true, schema => 'town STRING, people BIGINT');
        """;
    try (Scene scene = new Scene(folder)) {
      scene.bench().write("places/1.csv", "town,people", "Oslo,700000", "Lund,90000");
      scene.json(
          "in/1.json", "{'town':'Oslo','n':1}", "{'town':'Oslo','n':2}", "{'town':'Lund','n':3}");
      scene.run(sql);
      assertThat(scene.rows("sums")).containsExactly("Lund 30 1", "Oslo 20 1");
      assertThat(scene.rows("names")).containsExactly("Lund 90000", "Oslo 700000");
      scene.json("in/2.json", "{'town':'Oslo','n':5}", "{'town':'Oslo','n':6}");
      scene.run(sql);
      assertThat(scene.rows("sums")).containsExactly("Lund 30 1", "Oslo 110 2", "Oslo 20 1");
      assertThat(scene.rows("names"))
          .containsExactly("Lund 90000", "Oslo 700000", "Oslo 700000", "Oslo 700000");
    }
  }
}
