package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several AUTO CDC flows into one table: a seed that runs once and live flows (semantics 13.1). */
class SeedAndLiveIT {

  private static final String OLD_SYSTEM =
      """
      SET 'sluice.pipeline' = 'old system';
      CREATE STREAMING TABLE members_before AS
      SELECT * FROM read_files('${dir}/old', format => 'json',
        schema => 'member INT, town STRING, valid_from TIMESTAMP');
      """;

  private static String members(int type, String table) {
    return """
    CREATE OR REFRESH STREAMING TABLE %1$s;

    CREATE FLOW %1$s_seed
    AS AUTO CDC ONCE INTO %1$s
    FROM stream(members_before)
    KEYS (member)
    SEQUENCE BY valid_from
    COLUMNS (member, town)
    STORED AS SCD TYPE %2$d;

    CREATE FLOW %1$s_live
    AS AUTO CDC INTO %1$s
    FROM STREAM read_files('${dir}/live', format => 'json',
      schema => 'member INT, town STRING, op STRING, at TIMESTAMP')
    KEYS (member)
    APPLY AS DELETE WHEN op = "D"
    SEQUENCE BY at
    COLUMNS (member, town)
    STORED AS SCD TYPE %2$d;
    """
        .formatted(table, type);
  }

  private static String day(int day) {
    return "2026-05-%02dT00:00:00Z".formatted(day);
  }

  private static String old(int member, String town, int day) {
    return "{'member':%d,'town':'%s','valid_from':'%s'}".formatted(member, town, day(day));
  }

  private static String live(int member, String town, String op, int day) {
    return "{'member':%d,'town':'%s','op':'%s','at':'%s'}".formatted(member, town, op, day(day));
  }

  @Test
  void a_seed_from_a_table_runs_once_and_live_changes_go_on_from_it(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("old/1.json", old(1, "Oslo", 1), old(1, "Lund", 3), old(2, "Turku", 2));
      scene.run(OLD_SYSTEM);
      String sql = members(2, "history") + members(1, "latest");
      scene.json("live/1.json", live(1, "Malmo", "U", 10), live(3, "Narvik", "U", 9));
      UpdateResult first = scene.run(sql);

      assertThat(flow(first, "history_seed").state()).isEqualTo(FlowResult.State.RAN);
      assertThat(flow(first, "history_seed").rowsRead()).isEqualTo(3);
      assertThat(flow(first, "history_live").rowsRead()).isEqualTo(2);
      assertThat(scene.commits("history")).as("the seed's and the live flow's").isEqualTo(2);
      assertThat(scene.rows("history"))
          .containsExactly(
              "1 Lund 2026-05-03T00:00Z 2026-05-10T00:00Z",
              "1 Malmo 2026-05-10T00:00Z ~",
              "1 Oslo 2026-05-01T00:00Z 2026-05-03T00:00Z",
              "2 Turku 2026-05-02T00:00Z ~",
              "3 Narvik 2026-05-09T00:00Z ~");
      assertThat(scene.rows("latest")).containsExactly("1 Malmo", "2 Turku", "3 Narvik");

      // The old table grows, which a seed that has run does not notice; a live change is late.
      scene.json("old/2.json", old(7, "Kiel", 1));
      scene.run(OLD_SYSTEM);
      scene.json("live/2.json", live(2, "Vasa", "U", 1), live(1, "Malmo", "D", 12));
      UpdateResult second = scene.run(sql);

      assertThat(flow(second, "history_seed").state()).isEqualTo(FlowResult.State.DONE);
      assertThat(flow(second, "history_live").late()).isEqualTo(1);
      assertThat(scene.rows("history"))
          .containsExactly(
              "1 Lund 2026-05-03T00:00Z 2026-05-10T00:00Z",
              "1 Malmo 2026-05-10T00:00Z 2026-05-12T00:00Z",
              "1 Oslo 2026-05-01T00:00Z 2026-05-03T00:00Z",
              "2 Turku 2026-05-02T00:00Z ~",
              "2 Vasa 2026-05-01T00:00Z 2026-05-02T00:00Z",
              "3 Narvik 2026-05-09T00:00Z ~");
      assertThat(scene.rows("latest")).containsExactly("2 Turku", "3 Narvik");

      // A full refresh runs the seed again, from what the old table holds now.
      UpdateResult third = scene.refresh(sql, "latest");
      assertThat(flow(third, "latest_seed").rowsRead()).isEqualTo(4);
      assertThat(flow(third, "latest_live").rowsRead()).isEqualTo(4);
      assertThat(flow(third, "history_seed").state()).isEqualTo(FlowResult.State.DONE);
      assertThat(scene.rows("latest")).containsExactly("2 Turku", "3 Narvik", "7 Kiel");
    }
  }

  @Test
  void the_later_declared_flow_wins_a_tie_and_flows_may_join_between_updates(@TempDir Path folder) {
    String north = feed("north", "people_north");
    String south = feed("south", "people_south");
    String table = "CREATE STREAMING TABLE people;\n";
    try (Scene scene = new Scene(folder)) {
      scene.json("north/1.json", "{'id':1,'val':'n','seq':5}", "{'id':2,'val':'n','seq':5}");
      scene.json("south/1.json", "{'id':1,'val':'s','seq':5}", "{'id':3,'val':'s','seq':1}");
      scene.run(table + north);
      assertThat(scene.rows("people")).containsExactly("1 n", "2 n");
      UpdateResult joined = scene.run(table + north + south);
      assertThat(flow(joined, "people_north").state()).isEqualTo(FlowResult.State.UP_TO_DATE);
      assertThat(flow(joined, "people_south").ties()).isEqualTo(1);
      assertThat(scene.rows("people")).containsExactly("1 s", "2 n", "3 s");

      scene.json("north/2.json", "{'id':9,'val':'n','seq':7}");
      scene.json("south/2.json", "{'id':9,'val':'s','seq':7}");
      scene.run(table + north + south);
      assertThat(scene.rows("people")).contains("9 s");
    }
  }

  private static String feed(String name, String flow) {
    return """
    CREATE FLOW %s COMMENT 'changes of one region' AS AUTO CDC INTO people
    FROM STREAM read_files('${dir}/%s', format => 'json', schema => 'id INT, val STRING, seq INT')
    KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 1;
    """
        .formatted(flow, name);
  }

  @Test
  void every_spelling_of_a_change_flow_keeps_the_same_table(@TempDir Path folder) {
    String source =
        "read_files('${dir}/in', format => 'json', schema => 'id INT, val STRING, op STRING, seq"
            + " INT')";
    String sql =
        """
        CREATE STREAMING TABLE by_flow;
        CREATE FLOW by_flow_changes AS AUTO CDC INTO by_flow FROM STREAM SOURCE
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
        STORED AS SCD TYPE 2;

        CREATE STREAMING TABLE by_old_name;
        APPLY CHANGES INTO by_old_name FROM stream(SOURCE)
        KEYS id SEQUENCE BY seq APPLY AS DELETE WHEN op = 'D' STORED AS SCD TYPE 2 COLUMNS id, val;

        CREATE OR REFRESH STREAMING TABLE inline_flow
        FLOW AUTO CDC FROM STREAM(SOURCE)
        KEYS (id) STORED AS SCD TYPE 2 COLUMNS * EXCEPT op, seq SEQUENCE BY seq
        APPLY AS DELETE WHEN op = 'D';

        CREATE STREAMING TABLE IF NOT EXISTS from_query
        FLOW APPLY CHANGES FROM (SELECT id, upper(val) AS val, op, seq FROM STREAM SOURCE
          WHERE val <> 'skip' OR op = 'D')
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op, seq)
        STORED AS SCD TYPE 2;

        CREATE STREAMING TABLE once_flow;
        CREATE FLOW once_changes AS APPLY CHANGES ONCE INTO once_flow FROM SOURCE
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
        STORED AS SCD TYPE 2;
        """
            .replace("SOURCE", source);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'a','op':'U','seq':1}",
          "{'id':1,'val':'skip','op':'U','seq':2}",
          "{'id':1,'val':'a','op':'D','seq':4}");
      scene.run(sql);
      scene.json("in/2.json", "{'id':1,'val':'b','op':'U','seq':3}");
      scene.run(sql);
      for (String table : new String[] {"by_flow", "by_old_name", "inline_flow"}) {
        assertThat(scene.rows(table)).as(table).containsExactly("1 a 1 2", "1 b 3 4", "1 skip 2 3");
      }
      assertThat(scene.rows("from_query")).containsExactly("1 A 1 3", "1 B 3 4");
      assertThat(scene.rows("once_flow")).containsExactly("1 a 1 2", "1 skip 2 4");
    }
  }
}
