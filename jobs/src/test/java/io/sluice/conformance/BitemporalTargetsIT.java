package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.FlowResult;
import io.sluice.run.TargetResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bitemporal targets: columns, counts, what is remembered, invalid events, ties, drift. */
class BitemporalTargetsIT {

  private static final String SCHEMA =
      "format => 'json', schema => 'id INT, val STRING, op STRING, bt BIGINT, st BIGINT, n INT'";

  private static final String CLAUSES =
      "KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY bt SYSTEM SEQUENCE BY st"
          + " COLUMNS (id, val) STORED AS BITEMPORAL";

  private static String kept(String columns, String clauses) {
    return """
    CREATE STREAMING TABLE kept%s;
    CREATE FLOW changes AS AUTO CDC INTO kept FROM STREAM read_files('${dir}/in', %s)
    %s;
    """
        .formatted(columns, SCHEMA, clauses);
  }

  private static final String KEPT = kept("", CLAUSES);

  @Test
  void identity_and_counts_are_those_of_rows_with_two_axes(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'a','op':'U','bt':10,'st':1}",
          "{'id':1,'val':'b','op':'U','bt':20,'st':2}");
      UpdateResult first = scene.run(KEPT);
      TargetResult target = Scene.target(first, "kept");
      assertThat(target.inserted()).isEqualTo(3);
      assertThat(Scene.flow(first, "changes").kind()).isEqualTo("AUTO CDC BITEMPORAL");
      Table table = scene.bench().table("kept");
      assertThat(table.properties().get("sluice.identity"))
          .isEqualTo("[\"id\",\"__START_AT\",\"__SYSTEM_START_AT\"]");
      assertThat(table.properties().get("sluice.scd-type")).isEqualTo("bitemporal");
      assertThat(table.schema().identifierFieldNames())
          .containsExactlyInAnyOrder("id", "__START_AT", "__SYSTEM_START_AT");
      assertThat(table.schema().findField("__SYSTEM_END_AT").isOptional()).isTrue();

      // One event late on either axis, one in order.
      scene.json(
          "in/2.json",
          "{'id':1,'val':'c','op':'U','bt':15,'st':3}",
          "{'id':1,'val':'d','op':'U','bt':30,'st':1}",
          "{'id':1,'val':'e','op':'U','bt':40,'st':4}");
      UpdateResult second = scene.run(KEPT);
      assertThat(Scene.flow(second, "changes").late()).isEqualTo(2);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 a 10 30 1 2",
              "1 a 10 20 2 3",
              "1 a 10 15 3 ~",
              "1 c 15 20 3 ~",
              "1 b 20 30 2 ~",
              "1 d 30 ~ 1 4",
              "1 d 30 40 4 ~",
              "1 e 40 ~ 4 ~");
      target = Scene.target(second, "kept");
      assertThat(List.of(target.inserted(), target.updated(), target.deleted()))
          .containsExactly(5L, 3L, 0L);
    }
  }

  @Test
  void a_feed_in_order_needs_nothing_beside_the_table(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      for (int update = 1; update <= 3; update++) {
        scene.json(
            "in/" + update + ".json",
            "{'id':1,'val':'v%1$d','op':'U','bt':%1$d0,'st':%1$d}".formatted(update),
            "{'id':2,'val':'w','op':'%2$s','bt':%1$d0,'st':%1$d}"
                .formatted(update, update == 2 ? "D" : "U"));
        scene.run(KEPT);
      }
      assertThat(scene.bench().table("kept__log").currentSnapshot()).isNull();
      assertThat(scene.rows("kept")).hasSize(8);
    }
  }

  @Test
  void what_rows_do_not_show_is_kept_in_the_companion_with_both_sequences(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'a','op':'U','bt':10,'st':1}",
          "{'id':1,'val':'a','op':'U','bt':30,'st':2}",
          "{'id':2,'op':'D','bt':10,'st':1}");
      scene.run(KEPT);
      assertThat(remembered(scene)).containsExactly("1 a UPSERT 2 ~", "2 ~ DELETE 1 ~");
      // The run grows to the left: its first event is shown no more.
      scene.json("in/2.json", "{'id':1,'val':'a','op':'U','bt':5,'st':3}");
      scene.run(KEPT);
      assertThat(remembered(scene))
          .containsExactly("1 a UPSERT 2 ~", "1 a UPSERT 3 rows", "2 ~ DELETE 1 ~");
      scene.json("in/3.json", "{'id':1,'val':'b','op':'U','bt':7,'st':4}");
      scene.run(KEPT);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 a 10 ~ 1 3", "1 a 5 ~ 3 4", "1 a 5 7 4 ~", "1 b 7 10 4 ~", "1 a 10 ~ 4 ~");
    }
  }

  /** The events of the companion, their sequence left out. */
  private static List<String> remembered(Scene scene) {
    return scene.bench().rows("kept__log").stream()
        .filter(row -> !"FILE".equals(row.get("__KIND")))
        .map(
            row ->
                "%s %s %s %s %s"
                    .formatted(
                        row.get("id"),
                        row.get("val") == null ? "~" : row.get("val"),
                        row.get("__KIND"),
                        row.get("__SYSTEM_SEQUENCE"),
                        row.get("__SOURCE") == null ? "~" : row.get("__SOURCE")))
        .sorted()
        .toList();
  }

  @Test
  void a_null_on_either_axis_makes_an_event_invalid(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'a','op':'U','bt':10,'st':1}",
          "{'id':2,'val':'a','op':'U','bt':10}",
          "{'id':3,'val':'a','op':'U','st':1}");
      List<Problem> problems = scene.failing(KEPT);
      assertThat(problems)
          .singleElement()
          .extracting(Problem::code)
          .isEqualTo(ErrorCode.INVALID_EVENT);
      assertThat(problems.get(0).message())
          .contains("the system sequence is NULL", "the sequence is NULL");
      UpdateResult dropped = scene.run("SET 'sluice.invalid-events' = 'DROP';\n" + KEPT);
      assertThat(Scene.flow(dropped, "changes").invalid()).isEqualTo(2);
      assertThat(scene.rows("kept")).containsExactly("1 a 10 ~ 1 ~");
    }
  }

  @Test
  void only_events_that_share_both_sequences_are_ties(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'id':1,'val':'first','op':'U','bt':10,'st':1}",
          "{'id':1,'val':'second','op':'U','bt':10,'st':1}",
          "{'id':2,'val':'first','op':'U','bt':10,'st':1}",
          "{'id':2,'val':'second','op':'U','bt':10,'st':2}");
      FlowResult result = Scene.flow(scene.run(KEPT), "changes");
      assertThat(result.ties()).isEqualTo(1);
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder("1 second 10 ~ 1 ~", "2 first 10 ~ 1 2", "2 second 10 ~ 2 ~");
      // The loser once more, in a file that comes first: the winner's place is known.
      scene.json("in/0.json", "{'id':1,'val':'first','op':'U','bt':10,'st':1}");
      scene.run(KEPT);
      assertThat(scene.rows("kept")).contains("1 second 10 ~ 1 ~").hasSize(3);
    }
  }

  @Test
  void sequences_may_be_structs_and_timestamps(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE kept;
        CREATE FLOW changes AS AUTO CDC INTO kept
        FROM STREAM read_files('${dir}/in', format => 'json',
          schema => 'id INT, val STRING, day DATE, seen TIMESTAMP, n INT')
        KEYS (id) SEQUENCE BY day SYSTEM SEQUENCE BY STRUCT(seen, n)
        COLUMNS (id, val) STORED AS BITEMPORAL;
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json", "{'id':1,'val':'a','day':'2026-01-01','seen':'2026-01-02T03:04:05Z','n':1}");
      scene.run(sql);
      scene.json(
          "in/2.json", "{'id':1,'val':'b','day':'2026-01-01','seen':'2026-01-02T03:04:05Z','n':2}");
      scene.run(sql);
      assertThat(scene.columns("kept"))
          .contains(
              "__END_AT date",
              "__SYSTEM_START_AT struct(seen: timestamptz, n: int)",
              "__SYSTEM_END_AT struct(seen: timestamptz, n: int)");
      assertThat(scene.rows("kept"))
          .containsExactlyInAnyOrder(
              "1 a 2026-01-01 ~ 2026-01-02T03:04:05Z/1 2026-01-02T03:04:05Z/2",
              "1 b 2026-01-01 ~ 2026-01-02T03:04:05Z/2 ~");
    }
  }

  @Test
  void a_changed_storage_or_system_sequence_needs_a_full_refresh(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'val':'a','op':'U','bt':10,'st':1,'n':7}");
      scene.run(KEPT);
      String scd2 =
          CLAUSES.replace(" SYSTEM SEQUENCE BY st", "").replace("BITEMPORAL", "SCD TYPE 2");
      assertThat(messages(scene.refused(kept("", scd2))))
          .contains("is bitemporal, its flows are SCD type 2");
      assertThat(
              messages(scene.refused(kept("", CLAUSES.replace("BY st", "BY CAST(st AS STRING)")))))
          .contains(
              ErrorCode.AUTOCDC_SEQUENCING_TYPE_DRIFT.name(),
              "is system sequenced by BIGINT, the flow by STRING",
              "CAST the system sequence to its old type");
      scene.refresh(kept("", scd2), "kept");
      assertThat(scene.rows("kept")).containsExactly("1 a 10 ~");
      assertThat(messages(scene.refused(KEPT))).contains("is SCD type 2, its flows are bitemporal");
    }
  }

  @Test
  void flows_of_a_table_agree_on_both_sequences(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'val':'a','op':'U','bt':10,'st':1,'n':7}");
      String two =
          KEPT
              + "CREATE FLOW more AS AUTO CDC INTO kept FROM STREAM read_files('${dir}/in', "
              + SCHEMA
              + ") "
              + CLAUSES.replace("BY st", "BY n")
              + ";";
      assertThat(messages(scene.refused(two)))
          .contains("'changes' is system sequenced by BIGINT, 'more' by INT");
    }
  }

  @Test
  void declared_columns_include_the_four_bounds_with_their_types(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'val':'a','op':'U','bt':10,'st':1}");
      String some = " (id INT, val STRING, __START_AT BIGINT, __END_AT BIGINT)";
      assertThat(messages(scene.refused(kept(some, CLAUSES))))
          .contains(
              "is bitemporal and declares its columns, but __SYSTEM_START_AT is missing",
              "Declare __SYSTEM_END_AT BIGINT");
      String all =
          " (id INT, val STRING, __START_AT BIGINT, __END_AT BIGINT, __SYSTEM_START_AT BIGINT,"
              + " __SYSTEM_END_AT BIGINT)";
      assertThat(
              messages(
                  scene.refused(
                      kept(all.replace("SYSTEM_END_AT BIGINT", "SYSTEM_END_AT INT"), CLAUSES))))
          .contains("__SYSTEM_END_AT has another type than the sequence");
      scene.run(kept(all, CLAUSES));
      assertThat(scene.rows("kept")).containsExactly("1 a 10 ~ 1 ~");
    }
  }

  private static String messages(List<Problem> problems) {
    return problems.toString();
  }
}
