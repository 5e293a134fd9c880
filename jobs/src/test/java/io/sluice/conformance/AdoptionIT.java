package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.faults.ForeignRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An existing table becomes a target only when that is wished and its rows allow it (0.17). */
class AdoptionIT {

  private static final String ADOPT = " TBLPROPERTIES ('sluice.adopt' = 'true')";

  private static String pipeline(String properties, int type) {
    return """
    CREATE STREAMING TABLE towns%s;
    CREATE FLOW towns_changes AS AUTO CDC INTO towns
    FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT, val STRING, op STRING, seq BIGINT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS (id, val)
    STORED AS SCD TYPE %d;
    """
        .formatted(properties, type);
  }

  private static Table foreign(Scene scene, int version, NestedField... more) {
    List<NestedField> fields = new ArrayList<>();
    fields.add(NestedField.optional(1, "id", Types.IntegerType.get()));
    fields.add(NestedField.optional(2, "val", Types.StringType.get()));
    fields.addAll(List.of(more));
    return scene
        .bench()
        .connection()
        .catalog()
        .createTable(
            scene.bench().connection().identifier(List.of("towns")),
            new Schema(fields),
            PartitionSpec.unpartitioned(),
            Map.of("format-version", Integer.toString(version)));
  }

  private static Table history(Scene scene, int version) {
    return foreign(
        scene,
        version,
        NestedField.optional(3, "__START_AT", Types.LongType.get()),
        NestedField.optional(4, "__END_AT", Types.LongType.get()));
  }

  private static void row(Table table, Object... values) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        row.put(table.schema().columns().get(i).name(), values[i]);
      }
    }
    ForeignRows.append(table, row);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_history_of_somebody_else_goes_on(int version, @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      Table table = history(scene, version);
      row(table, 1, "a", 1L, 5L);
      row(table, 1, "b", 5L, null);
      row(table, 2, "c", 1L, 9L);
      scene.json(
          "in/1.json",
          "{'id':1,'val':'x','op':'U','seq':3}",
          "{'id':2,'val':'d','op':'U','seq':12}",
          "{'id':3,'val':'e','op':'U','seq':1}");
      assertThat(scene.refused(pipeline("", 2)))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED);
                assertThat(problem.remedy()).contains("'sluice.adopt' = 'true'");
              });
      scene.run(pipeline(ADOPT, 2));
      List<String> rows =
          List.of("1 a 1 3", "1 b 5 ~", "1 x 3 5", "2 c 1 9", "2 d 12 ~", "3 e 1 ~");
      assertThat(scene.rows("towns")).isEqualTo(rows);
      // From now on it is one of ours, with the property or without, and may be read again.
      scene.run(pipeline("", 2));
      assertThat(scene.rows("towns")).isEqualTo(rows);
      scene.refresh(pipeline(ADOPT, 2), "towns");
      assertThat(scene.rows("towns")).containsExactly("1 x 3 ~", "2 d 12 ~", "3 e 1 ~");
    }
  }

  @Test
  void a_current_table_gets_its_sequence_and_old_rows_rank_lowest(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      Table table = foreign(scene, 2);
      row(table, 1, "a");
      row(table, 2, "b");
      row(table, 3, "c");
      scene.json(
          "in/1.json",
          "{'id':1,'val':'x','op':'U','seq':-9000}",
          "{'id':2,'val':null,'op':'D','seq':-1}");
      scene.run(pipeline(ADOPT, 1));
      assertThat(scene.rows("towns")).containsExactly("1 x", "3 c");
      assertThat(scene.columnNames("towns")).containsExactly("id", "val", "__SEQUENCE");
      scene.json("in/2.json", "{'id':1,'val':'y','op':'U','seq':-9001}");
      scene.run(pipeline(ADOPT, 1));
      assertThat(scene.rows("towns")).containsExactly("1 x", "3 c");
    }
  }

  private static Problem notAdopted(Scene scene, int type) {
    List<Problem> problems = scene.failing(pipeline(ADOPT, type));
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).code()).isEqualTo(ErrorCode.INVALID_HISTORY);
    assertThat(scene.bench().table("towns").properties()).doesNotContainKey("sluice.identity");
    return problems.get(0);
  }

  @Test
  void rows_that_can_belong_to_no_history_are_named_and_nothing_is_adopted(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'val':'x','op':'U','seq':3}");
      Table table = history(scene, 3);
      row(table, 1, "fine", 1L, 5L);
      row(table, 2, "empty", 5L, 5L);
      row(table, 3, "startless", null, 5L);
      row(table, 4, "longer", 1L, 8L);
      row(table, 4, "over", 7L, null);
      row(table, null, "keyless", 1L, null);
      Problem problem = notAdopted(scene, 2);
      assertThat(problem.message())
          .contains("it has 4 rows", "its end is not after its start", "val=empty")
          .contains("it has no start", "val=startless", "ends after another row", "val=longer")
          .contains("a key column is NULL", "val=keyless")
          .doesNotContain("fine");
      assertThat(scene.rows("towns")).hasSize(6);
    }
  }

  @Test
  void equal_rows_that_touch_stay_and_late_events_split_them(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      Table table = history(scene, 3);
      row(table, 1, "a", 1L, 5L);
      row(table, 1, "a", 5L, null);
      scene.json("in/1.json", "{'id':1,'val':'c','op':'U','seq':9}");
      scene.run(pipeline(ADOPT, 2));
      assertThat(scene.rows("towns")).containsExactly("1 a 1 5", "1 a 5 9", "1 c 9 ~");
      scene.json("in/2.json", "{'id':1,'val':'b','op':'U','seq':3}");
      scene.run(pipeline(ADOPT, 2));
      assertThat(scene.rows("towns")).containsExactly("1 a 1 3", "1 a 5 9", "1 b 3 5", "1 c 9 ~");
    }
  }

  private static final String BELIEFS =
      """
      CREATE STREAMING TABLE towns TBLPROPERTIES ('sluice.adopt' = 'true');
      CREATE FLOW towns_changes AS AUTO CDC INTO towns
      FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT, val STRING, seq BIGINT, known STRING')
      KEYS (id) SEQUENCE BY seq SYSTEM SEQUENCE BY known COLUMNS (id, val)
      STORED AS BITEMPORAL;
      """;

  private static Table beliefs(Scene scene, Type system) {
    return foreign(
        scene,
        3,
        NestedField.optional(3, "__START_AT", Types.LongType.get()),
        NestedField.optional(4, "__END_AT", Types.LongType.get()),
        NestedField.optional(5, "__SYSTEM_START_AT", system),
        NestedField.optional(6, "__SYSTEM_END_AT", system));
  }

  @Test
  void beliefs_of_somebody_else_go_on_with_a_type_of_their_own_on_each_axis(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      Table table = beliefs(scene, Types.StringType.get());
      row(table, 1, "a", 1L, null, "s1", "s3");
      row(table, 1, "a", 1L, 5L, "s3", null);
      row(table, 1, "b", 5L, null, "s3", null);
      scene.json("in/1.json", "{'id':1,'val':'x','seq':3,'known':'s2'}");
      scene.run(BELIEFS);
      assertThat(scene.rows("towns"))
          .containsExactlyInAnyOrder(
              "1 a 1 ~ s1 s2", "1 a 1 3 s2 ~", "1 x 3 ~ s2 s3", "1 x 3 5 s3 ~", "1 b 5 ~ s3 ~");
    }
  }

  @Test
  void beliefs_that_can_be_none_or_are_of_another_type_are_refused(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'val':'x','seq':3,'known':'s2'}");
      Table table = beliefs(scene, Types.StringType.get());
      row(table, 1, "fine", 1L, null, "s1", null);
      row(table, 2, "unknown", 1L, null, null, null);
      row(table, 3, "never", 1L, null, "s2", "s2");
      assertThat(scene.failing(BELIEFS))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_HISTORY);
                assertThat(problem.message())
                    .contains("it has 2 rows", "val=unknown", "val=never")
                    .doesNotContain("fine");
              });
    }
    try (Scene scene = new Scene(folder.resolve("other"))) {
      scene.json("in/1.json", "{'id':7,'val':'x','seq':3,'known':'s2'}");
      beliefs(scene, Types.LongType.get());
      assertThat(scene.refused(BELIEFS))
          .extracting(Problem::message)
          .contains("table default.towns is system sequenced by BIGINT, the flow by STRING");
    }
  }

  @Test
  void two_current_rows_of_a_key_are_refused(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'val':'x','op':'U','seq':3}");
      Table table = foreign(scene, 3);
      row(table, 1, "a");
      row(table, 1, "b");
      assertThat(notAdopted(scene, 1).message()).contains("the key has more than one row");
    }
  }

  @Test
  void columns_that_do_not_fit_are_refused_before_anything_runs(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'val':'x','op':'U','seq':3}");
      foreign(
          scene,
          1,
          NestedField.optional(3, "__START_AT", Types.LongType.get()),
          NestedField.optional(4, "__END_AT", Types.StringType.get()));
      assertThat(scene.refused(pipeline(ADOPT, 2)))
          .extracting(Problem::toString)
          .anySatisfy(
              text ->
                  assertThat(text)
                      .contains(
                          "[AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE]",
                          "format version 1 knows no deleted rows"))
          .anySatisfy(text -> assertThat(text).contains("its column __END_AT is STRING"));
      assertThat(scene.refused(pipeline(" TBLPROPERTIES ('sluice.adopt' = 'maybe')", 2)))
          .extracting(Problem::message)
          .anySatisfy(text -> assertThat(text).contains("sluice.adopt cannot be 'maybe'"));
    }
    try (Scene scene = new Scene(folder.resolve("plain"))) {
      scene.json("in/1.json", "{'id':7,'val':'x','op':'U','seq':3}");
      foreign(scene, 3);
      assertThat(scene.refused(pipeline(ADOPT, 2)))
          .extracting(Problem::message)
          .containsExactly(
              "table default.towns cannot be adopted: it has not column __START_AT",
              "table default.towns cannot be adopted: it has not column __END_AT");
    }
  }

  @Test
  void a_full_refresh_does_not_empty_a_table_that_is_not_adopted_yet(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':7,'val':'x','op':'U','seq':3}");
      row(history(scene, 3), 1, "a", 1L, null);
      assertThat(catchThrowable(() -> scene.refreshAll(pipeline(ADOPT, 2))))
          .hasMessageContaining("is not adopted yet");
      assertThat(scene.rows("towns")).containsExactly("1 a 1 ~");
    }
  }
}
