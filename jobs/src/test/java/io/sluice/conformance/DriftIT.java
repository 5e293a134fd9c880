package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions that change between updates: what is refused and what is not (semantics 19, V16). */
class DriftIT {

  private static final String SCHEMA =
      "format => 'json', schema => 'id INT, val STRING, town STRING, op STRING, seq INT'";

  private static String kept(String clauses) {
    return """
    CREATE STREAMING TABLE kept;
    CREATE FLOW changes AS AUTO CDC INTO kept FROM STREAM read_files('${dir}/in', %s)
    %s;
    """
        .formatted(SCHEMA, clauses);
  }

  private static final String BEFORE =
      "KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val, town)"
          + " STORED AS SCD TYPE 2";

  private static void refuse(Scene scene, String sql, ErrorCode code, String message) {
    assertThat(scene.refused(sql))
        .as(sql)
        .singleElement()
        .extracting(Problem::toString)
        .asString()
        .startsWith("test.sql:")
        .contains("[" + code + "] " + message)
        .contains("--full-refresh kept");
  }

  @Test
  void keys_types_and_tracked_columns_may_not_change_without_a_full_refresh(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'val':'a','town':'x','op':'U','seq':1}");
      scene.run(kept(BEFORE));
      refuse(
          scene,
          kept(BEFORE.replace("KEYS (id)", "KEYS (id, town)")),
          ErrorCode.AUTOCDC_KEY_SCHEMA_DRIFT,
          "table default.kept is identified by [id, __START_AT], its flows give [id, town,"
              + " __START_AT].");
      refuse(
          scene,
          kept(BEFORE.replace("TYPE 2", "TYPE 1")),
          ErrorCode.AUTOCDC_SCD_TYPE_DRIFT,
          "table default.kept is SCD type 2, its flows are SCD type 1.");
      refuse(
          scene,
          kept(BEFORE.replace("BY seq", "BY CAST(seq AS STRING)")),
          ErrorCode.AUTOCDC_SEQUENCING_TYPE_DRIFT,
          "table default.kept is sequenced by INT, the flow by STRING.");
      refuse(
          scene,
          kept(BEFORE + " TRACK HISTORY ON * EXCEPT (town)"),
          ErrorCode.AUTOCDC_TRACK_HISTORY_DRIFT,
          "table default.kept does not track [], its flows do not track [town].");
      refuse(
          scene,
          "CREATE STREAMING TABLE kept AS SELECT id FROM read_files('${dir}/in', " + SCHEMA + ")",
          ErrorCode.AUTOCDC_SCD_TYPE_DRIFT,
          "table default.kept is SCD type 2 kept by AUTO CDC, its flows append now.");
      String wider = kept(BEFORE).replace("id INT", "id BIGINT");
      assertThat(scene.refused(wider))
          .extracting(Problem::code)
          .containsOnly(ErrorCode.AUTOCDC_KEY_SCHEMA_DRIFT);

      String changed =
          kept(BEFORE.replace("KEYS (id)", "KEYS (id, town)") + " TRACK HISTORY ON val");
      scene.refresh(changed, "kept");
      assertThat(scene.rows("kept")).containsExactly("1 a x 1 ~");
      scene.json("in/2.json", "{'id':1,'val':'b','town':'y','op':'U','seq':2}");
      scene.run(changed);
      assertThat(scene.rows("kept")).containsExactly("1 a x 1 ~", "1 b y 2 ~");
    }
  }

  @Test
  void conditions_sequences_of_one_type_and_fewer_or_more_columns_are_no_drift(
      @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'val':'a','town':'x','op':'U','seq':1}");
      scene.run(kept(BEFORE.replace("(id, val, town)", "(id, val)")));
      scene.json("in/2.json", "{'id':1,'val':'b','town':'x','op':'U','seq':1}");
      String changed =
          BEFORE.replace("op = 'D'", "op = 'gone'").replace("BY seq", "BY seq + 1")
              + " TRACK HISTORY ON * ";
      scene.run(kept(changed.replace("TRACK HISTORY ON * ", "")));
      assertThat(scene.rows("kept")).containsExactly("1 a ~ 1 2", "1 b x 2 ~");
      scene.json("in/3.json", "{'id':1,'val':'b','town':'x','op':'D','seq':5}");
      scene.run(
          kept(BEFORE.replace("(id, val, town)", "(ID, town)").replace("KEYS (id)", "KEYS (ID)")));
      assertThat(scene.rows("kept")).containsExactly("1 a ~ 1 2", "1 b x 2 5");
      assertThat(scene.columnNames("kept"))
          .containsExactly("id", "val", "town", "__START_AT", "__END_AT");
    }
  }

  @Test
  void a_table_of_another_pipeline_or_of_nobody_is_not_written(@TempDir Path folder) {
    String mine =
        "SET 'sluice.pipeline' = 'mine';\nCREATE STREAMING TABLE kept AS SELECT id FROM"
            + " read_files('${dir}/in', "
            + SCHEMA
            + ");";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.run(mine);
      assertThat(scene.refused(mine.replace("'mine'", "'yours'")))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED);
                assertThat(problem.message())
                    .contains("kept by the pipeline 'mine', this one is 'yours'");
              });
      scene
          .bench()
          .connection()
          .catalog()
          .createTable(
              scene.bench().connection().identifier(List.of("foreign")),
              scene.bench().table("kept").schema());
      assertThat(scene.refused(mine.replace("TABLE kept", "TABLE foreign")))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED);
                assertThat(problem.message()).contains("foreign");
              });
    }
  }

  @Test
  void protected_tables_refuse_a_full_refresh_by_name(@TempDir Path folder) {
    String sql =
        "CREATE STREAMING TABLE kept TBLPROPERTIES ('pipelines.reset.allowed' = 'false') AS SELECT"
            + " id FROM read_files('${dir}/in', "
            + SCHEMA
            + ");";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.run(sql);
      assertThat(catchThrowable(() -> scene.refresh(sql, "kept")))
          .hasMessageContaining(
              "[RESET_NOT_ALLOWED] table default.kept has"
                  + " 'pipelines.reset.allowed' = 'false'");
    }
  }
}
