package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every type of key and sequence through SQL (semantics 0.12, 4.2, 4.4). */
class KeysAndSequencesIT {

  /**
   * A sequence.
   *
   * @param schema type of column s in the feed
   * @param expression of SEQUENCE BY
   * @param bound type of the bounds in the table
   * @param values three values as JSON, ascending
   * @param shown the values as rows show them
   */
  private record Sequenced(
      String name,
      String schema,
      String expression,
      String bound,
      List<String> values,
      List<String> shown) {

    private static Sequenced of(
        String name, String schema, String expression, String bound, String... values) {
      List<String> shown = List.of(values).stream().map(value -> value.replace("'", "")).toList();
      return new Sequenced(name, schema, expression, bound, List.of(values), shown);
    }

    private Sequenced showing(String... texts) {
      return new Sequenced(name, schema, expression, bound, values, List.of(texts));
    }

    private String sql() {
      return """
      CREATE STREAMING TABLE %1$s;
      CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
      FROM STREAM read_files('${dir}/%1$s', format => 'json', schema => 'id INT, val STRING, s %2$s')
      KEYS (id) SEQUENCE BY %3$s COLUMNS (id, val) STORED AS SCD TYPE 2;
      """
          .formatted(name, schema, expression);
    }
  }

  private static final List<Sequenced> TYPES =
      List.of(
          Sequenced.of("tiny", "TINYINT", "s", "int", "-100", "5", "100"),
          Sequenced.of("small", "SMALLINT", "s", "int", "-30000", "0", "30000"),
          Sequenced.of("ints", "INT", "s", "int", "-2147483648", "-1", "2147483647"),
          Sequenced.of("big", "BIGINT", "s", "long", "-9223372036854775808", "9", "10"),
          Sequenced.of("sums", "INT", "s * 2 + CAST(1 AS BIGINT)", "long", "-4", "0", "9")
              .showing("-7", "1", "19"),
          Sequenced.of(
              "decimals",
              "DECIMAL(20,3)",
              "s",
              "decimal(20,3)",
              "-1.500",
              "0.001",
              "12345678901234567.999"),
          Sequenced.of("floats", "FLOAT", "s", "float", "-1.5", "-0.25", "2.5"),
          Sequenced.of("doubles", "DOUBLE", "s", "double", "-1.0E300", "-0.5", "2.5E10"),
          Sequenced.of("texts", "STRING", "s", "string", "'10'", "'9'", "'\u00e9'"),
          Sequenced.of("days", "DATE", "s", "date", "'1969-12-31'", "'1970-01-01'", "'2026-02-28'"),
          Sequenced.of(
              "instants",
              "TIMESTAMP",
              "s",
              "timestamptz",
              "'1969-12-31T23:59:59.999999Z'",
              "'2026-01-01T00:00:00.000001Z'",
              "'2026-01-01T00:00:00.000002Z'"),
          Sequenced.of(
                  "locals",
                  "STRING",
                  "CAST(s AS TIMESTAMP(6))",
                  "timestamp",
                  "'2026-01-01 00:00:00.000001'",
                  "'2026-01-01 00:00:00.000002'",
                  "'2026-01-01 00:00:00.000003'")
              .showing(
                  "2026-01-01T00:00:00.000001",
                  "2026-01-01T00:00:00.000002",
                  "2026-01-01T00:00:00.000003"),
          Sequenced.of(
                  "pairs",
                  "STRUCT<d: DATE, n: INT>",
                  "STRUCT(s.d, s.n)",
                  "struct(d: date, n: int)",
                  "{'d':'2026-01-01','n':9}",
                  "{'d':'2026-01-02','n':-1}",
                  "{'d':'2026-01-02','n':1}")
              .showing("2026-01-01/9", "2026-01-02/-1", "2026-01-02/1"),
          Sequenced.of(
                  "nested",
                  "STRUCT<a: INT, b: STRUCT<c: STRING>>",
                  "s",
                  "struct(a: int, b: struct(c: string))",
                  "{'a':1,'b':{'c':'y'}}",
                  "{'a':2,'b':{'c':'x'}}",
                  "{'a':2,'b':{'c':'y'}}")
              .showing("1/y", "2/x", "2/y"),
          Sequenced.of(
                  "computed",
                  "STRUCT<a: INT, b: INT>",
                  "STRUCT(s.a, -s.b)",
                  "struct(a: int, col2: int)",
                  "{'a':1,'b':1}",
                  "{'a':2,'b':5}",
                  "{'a':2,'b':4}")
              .showing("1/-1", "2/-5", "2/-4"));

  @Test
  void every_orderable_type_sequences_and_bounds_rows_exactly(@TempDir Path folder) {
    String sql = TYPES.stream().map(Sequenced::sql).collect(Collectors.joining("\n"));
    try (Scene scene = new Scene(folder)) {
      for (Sequenced each : TYPES) {
        scene.json(
            each.name() + "/1.json",
            "{'id':1,'val':'c','s':" + each.values().get(2) + "}",
            "{'id':1,'val':'a','s':" + each.values().get(0) + "}");
      }
      List<String> notices = scene.run(sql).notices();
      assertThat(notices).singleElement().asString().contains("'10' sorts before '9'");
      for (Sequenced each : TYPES) {
        scene.json(each.name() + "/2.json", "{'id':1,'val':'b','s':" + each.values().get(1) + "}");
      }
      scene.run(sql);
      for (Sequenced each : TYPES) {
        List<String> at = each.shown();
        assertThat(scene.rows(each.name()))
            .as(each.name())
            .containsExactly(
                "1 a " + at.get(0) + " " + at.get(1),
                "1 b " + at.get(1) + " " + at.get(2),
                "1 c " + at.get(2) + " ~");
        assertThat(bounds(scene, each.name())).as(each.name()).containsOnly(each.bound());
      }
    }
  }

  private static List<String> bounds(Scene scene, String table) {
    return scene.bench().table(table).schema().columns().stream()
        .filter(column -> column.name().startsWith("__"))
        .map(column -> Scene.type(column.type()))
        .toList();
  }

  /** What keys a feed has, as a type and two JSON values. */
  private record Keyed(String name, String type, String one, String other) {}

  private static final List<Keyed> KEYS =
      List.of(
          new Keyed("k_int", "INT", "-1", "1"),
          new Keyed("k_big", "BIGINT", "9007199254740993", "9007199254740992"),
          new Keyed("k_text", "STRING", "''", "'\u00e5 \u4e2d'"),
          new Keyed("k_bool", "BOOLEAN", "true", "false"),
          new Keyed("k_decimal", "DECIMAL(30,10)", "1.0000000001", "1.0000000002"),
          new Keyed("k_double", "DOUBLE", "0.1", "0.2"),
          new Keyed("k_date", "DATE", "'2026-01-01'", "'2026-01-02'"),
          new Keyed(
              "k_instant",
              "TIMESTAMP",
              "'2026-01-01T00:00:00.000001Z'",
              "'2026-01-01T00:00:00.000002Z'"),
          new Keyed("k_struct", "STRUCT<a: INT, b: STRING>", "{'a':1,'b':'x'}", "{'a':1,'b':'y'}"));

  @Test
  void every_type_of_key_keeps_keys_apart_and_together(@TempDir Path folder) {
    StringBuilder sql = new StringBuilder();
    for (Keyed each : KEYS) {
      for (int type = 1; type <= 2; type++) {
        sql.append(
            """
            CREATE STREAMING TABLE %1$s_%3$d;
            CREATE FLOW %1$s_%3$d_changes AS AUTO CDC INTO %1$s_%3$d
            FROM STREAM read_files('${dir}/%1$s', format => 'json',
              schema => 'k %2$s, val STRING, op STRING, n INT')
            KEYS (k) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n COLUMNS (k, val)
            STORED AS SCD TYPE %3$d;
            """
                .formatted(each.name(), each.type(), type));
      }
    }
    try (Scene scene = new Scene(folder)) {
      for (Keyed each : KEYS) {
        scene.json(
            each.name() + "/1.json", change(each.one(), "a", 1), change(each.other(), "a", 1));
      }
      scene.run(sql.toString());
      for (Keyed each : KEYS) {
        scene.json(
            each.name() + "/2.json",
            change(each.one(), "b", 2),
            "{'k':" + each.other() + ",'op':'D','n':2}");
      }
      scene.run(sql.toString());
      for (Keyed each : KEYS) {
        assertThat(values(scene, each.name() + "_1")).as(each.name()).containsExactly("b");
        assertThat(values(scene, each.name() + "_2"))
            .as(each.name())
            .containsExactly("a 1 2", "a 1 2", "b 2 ~");
      }
      assertThat(scene.rows("k_struct_1")).containsExactly("1/x b");
      assertThat(scene.rows("k_instant_1")).containsExactly("2026-01-01T00:00:00.000001Z b");
    }
  }

  private static String change(String key, String value, int sequence) {
    return "{'k':%s,'val':'%s','op':'U','n':%d}".formatted(key, value, sequence);
  }

  /** Rows without their key. */
  private static List<String> values(Scene scene, String table) {
    return scene.bench().rows(table).stream()
        .map(
            row ->
                row.entrySet().stream()
                    .skip(1)
                    .map(each -> each.getValue() == null ? "~" : each.getValue().toString())
                    .collect(Collectors.joining(" ")))
        .sorted()
        .toList();
  }
}
