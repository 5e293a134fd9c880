package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.Workbench;
import io.sluice.table.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are not as Sluice left them, or never were Sluice's. */
class ForeignTablesTest {

  @TempDir private Path folder;
  private Workbench bench;

  @BeforeEach
  void open() {
    bench = new Workbench(folder);
    bench.write(
        "feed/1.json", "{\"id\":1,\"town\":\"a\",\"n\":1}", "{\"id\":1,\"town\":\"a\",\"n\":2}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static String sql(int type) {
    return sql("", "id INT, town STRING, n BIGINT", type);
  }

  private static String sql(String tableParts, String schema, int type) {
    return """
        CREATE STREAMING TABLE people %s;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json', schema => '%s')
        KEYS (id) SEQUENCE BY n COLUMNS * EXCEPT (n) STORED AS SCD TYPE %d;
        """
        .formatted(tableParts, schema, type);
  }

  private TableIdentifier people() {
    return TableIdentifier.of("default", "people");
  }

  @ParameterizedTest
  @ValueSource(strings = {"people", "people__log"})
  void a_table_that_sluice_did_not_make_is_left_alone(String name) {
    Schema schema = new Schema(Types.NestedField.required(1, "id", Types.IntegerType.get()));
    bench.connection().catalog().createTable(TableIdentifier.of("default", name), schema);
    Problem problem = Failing.onlyProblem(bench, sql(2));
    assertThat(problem.code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED);
    assertThat(problem.location()).isPresent();
    assertThat(problem.message()).contains(name);
    assertThat(bench.table(name).schema().columns()).hasSize(1);
    assertThat(bench.table(name).currentSnapshot()).isNull();
  }

  @Test
  void a_table_of_another_pipeline_is_left_alone() {
    assertThat(bench.update(sql(1)).failures()).isEmpty();
    long before = bench.table("people").currentSnapshot().snapshotId();
    List<Problem> problems = Failing.update(bench, sql(1), Map.of("sluice.pipeline", "another"));
    assertThat(problems).extracting(Problem::code).containsExactly(ErrorCode.TABLE_NOT_MANAGED);
    assertThat(problems.get(0).message()).contains("'test'", "'another'");
    assertThat(bench.table("people").currentSnapshot().snapshotId()).isEqualTo(before);
  }

  @Test
  void a_table_with_another_schema_is_refused_with_both_types() {
    assertThat(bench.update(sql(1)).failures()).isEmpty();
    Problem problem =
        Failing.onlyProblem(bench, sql("", "id INT, town ARRAY<STRING>, n BIGINT", 1));
    assertThat(problem.code()).isEqualTo(ErrorCode.INCOMPATIBLE_SCHEMA);
    assertThat(problem.message()).contains("town", "STRING", "ARRAY<STRING>");
  }

  @Test
  void an_iceberg_view_of_the_targets_name_is_an_error_that_names_it() {
    Schema schema = new Schema(Types.NestedField.required(1, "id", Types.IntegerType.get()));
    ((org.apache.iceberg.catalog.ViewCatalog) bench.connection().catalog())
        .buildView(people())
        .withSchema(schema)
        .withDefaultNamespace(people().namespace())
        .withQuery("spark", "SELECT 1 AS id")
        .create();
    Problem problem = Failing.onlyProblem(bench, sql(1));
    assertThat(problem.message()).contains("people", "view");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TBLPROPERTIES ('format-version' = '9')|format-version",
        "TBLPROPERTIES ('format-version' = 'three')|format-version",
        "TBLPROPERTIES ('format-version' = '1')|format-version",
        "PARTITIONED BY (nonsense(id))|nonsense",
        "PARTITIONED BY (bucket(0, id))|bucket",
        "PARTITIONED BY (days(town))|town",
        "PARTITIONED BY (missing)|missing",
        "TBLPROPERTIES ('sluice.identity' = 'x')|sluice.identity",
        "TBLPROPERTIES ('write.target-file-size-bytes' = 'large')|write.target-file-size-bytes"
      })
  void a_table_property_or_partition_that_cannot_be_is_refused(String parts, String named) {
    Problem problem = Failing.onlyProblem(bench, sql(parts, "id INT, town STRING, n BIGINT", 1));
    assertThat(problem.code().kind()).isEqualTo(ErrorCode.Kind.DEFINITION);
    assertThat(problem.message()).contains(named);
    assertThat(bench.connection().catalog().tableExists(people())).isFalse();
  }

  @Test
  void a_raised_format_version_keeps_older_deletes_and_cannot_be_lowered_again() {
    String two = sql("TBLPROPERTIES ('format-version' = '2')", "id INT, town STRING, n BIGINT", 1);
    bench.write(
        "feed/1.json",
        "{\"id\":1,\"town\":\"a\",\"n\":1}",
        "{\"id\":2,\"town\":\"b\",\"n\":1}",
        "{\"id\":3,\"town\":\"c\",\"n\":1}");
    assertThat(bench.update(two).failures()).isEmpty();
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"A\",\"n\":2}");
    assertThat(bench.update(two).failures()).isEmpty();
    assertThat(bench.update(sql(1)).failures()).isEmpty();
    String three = two.replace("'2'", "'3'");
    bench.write("feed/3.json", "{\"id\":2,\"town\":\"B\",\"n\":2}");
    assertThat(bench.update(three).failures()).isEmpty();
    assertThat(org.apache.iceberg.TableUtil.formatVersion(bench.table("people"))).isEqualTo(3);
    assertThat(bench.rows("people"))
        .extracting(row -> row.get("town"))
        .containsExactlyInAnyOrder("A", "B", "c");
    Problem problem = Failing.onlyProblem(bench, two);
    assertThat(problem.code()).isEqualTo(ErrorCode.INCOMPATIBLE_SCHEMA);
    assertThat(problem.location()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void columns_that_others_add_or_move_do_not_shift_the_values(int type) {
    assertThat(bench.update(sql(type)).failures()).isEmpty();
    bench.table("people").updateSchema().addColumn("note", Types.StringType.get()).commit();
    bench.write(
        "feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":3}", "{\"id\":2,\"town\":\"c\",\"n\":1}");
    assertThat(bench.update(sql(type)).failures()).isEmpty();
    bench.table("people").updateSchema().moveFirst("town").moveFirst("note").commit();
    bench.write(
        "feed/3.json", "{\"id\":2,\"town\":\"d\",\"n\":3}", "{\"id\":2,\"town\":\"d\",\"n\":4}");
    assertThat(bench.update(sql(type)).failures()).isEmpty();
    assertThat(bench.rows("people"))
        .extracting(row -> row.get("id"), row -> row.get("town"), row -> row.get("note"))
        .containsExactlyInAnyOrder(
            type == 1
                ? new org.assertj.core.groups.Tuple[] {tuple(1, "b", null), tuple(2, "d", null)}
                : new org.assertj.core.groups.Tuple[] {
                  tuple(1, "a", null), tuple(1, "b", null), tuple(2, "c", null), tuple(2, "d", null)
                });
  }

  @Test
  void a_column_added_while_the_update_runs_stops_nothing_and_shifts_nothing() {
    int[] commits = {0};
    ScriptedCatalog.Script script =
        (table, commit) -> {
          if (table.name().equals("people__log") && ++commits[0] == 1) {
            bench.table("people").updateSchema().addColumn("note", Types.StringType.get()).commit();
          }
          commit.run();
        };
    try (Workbench scripted = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      assertThat(scripted.update(sql(2)).failures()).isEmpty();
      assertThat(scripted.rows("people"))
          .extracting(row -> row.get("id"), row -> row.get("town"), row -> row.get("__START_AT"))
          .containsExactly(tuple(1, "a", 1L));
    }
  }

  @Test
  void an_append_target_may_have_columns_that_are_named_like_generated_ones() {
    String sql =
        """
        CREATE STREAMING TABLE copies;
        CREATE FLOW lines AS INSERT INTO copies BY NAME
        SELECT id, n AS `__START_AT`, town FROM STREAM read_files('${dir}/feed', format => 'json',
          schema => 'id INT, town STRING, n BIGINT');
        """;
    assertThat(bench.update(sql).failures()).isEmpty();
    bench.write("feed/2.json", "{\"id\":2,\"town\":\"b\",\"n\":7}");
    assertThat(bench.update(sql).failures()).isEmpty();
    assertThat(bench.rows("copies"))
        .extracting(row -> row.get("id"), row -> row.get("town"), row -> row.get("__START_AT"))
        .containsExactlyInAnyOrder(tuple(1, "a", 1L), tuple(1, "a", 2L), tuple(2, "b", 7L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sluice.flow.changes.position|not json",
        "sluice.flow.changes.position|7",
        "sluice.flow.changes.position|{\"files:x\":{\"snapshot\":\"x\"}}",
        "sluice.companion|abc",
        "sluice.companion|123",
        "sluice.extra.update|many",
        "sluice.flow.changes.once|yesterday"
      })
  void a_corrupt_ledger_stops_the_update_before_anything_is_read_twice(String key, String value) {
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    Table people = bench.table("people");
    var append = people.newAppend();
    people.currentSnapshot().summary().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("sluice."))
        .forEach(entry -> append.set(entry.getKey(), entry.getValue()));
    append.set(Ledger.COMMIT, "somebody").set(key, value).commit();
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":3}");
    String sql =
        key.endsWith("once") ? sql(2).replace("AUTO CDC INTO", "AUTO CDC ONCE INTO") : sql(2);
    Problem problem = Failing.onlyProblem(bench, sql);
    assertThat(problem.code()).isEqualTo(ErrorCode.LEDGER_CORRUPT);
    assertThat(bench.rows("people")).hasSize(1);

    people.refresh();
    people.manageSnapshots().rollbackTo(people.currentSnapshot().parentId()).commit();
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    assertThat(bench.rows("people")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"1, id", "2, id", "1, __SEQUENCE", "2, __START_AT", "2, __END_AT"})
  void a_column_that_rows_cannot_do_without_is_missed(int type, String column) {
    assertThat(bench.update(sql(type)).failures()).isEmpty();
    Table people = bench.table("people");
    people.updateSchema().renameColumn(column, "renamed").commit();
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":3}");
    Problem problem = Failing.onlyProblem(bench, sql(type));
    assertThat(problem.code()).isEqualTo(ErrorCode.INCOMPATIBLE_SCHEMA);
    assertThat(problem.message()).contains("people", "'" + column + "'");
    assertThat(problem.location()).isPresent();
    people.refresh();
    people.updateSchema().renameColumn("renamed", column).commit();
    assertThat(bench.update(sql(type)).failures()).isEmpty();
    assertThat(bench.rows("people")).hasSize(type);
  }

  @Test
  void a_companion_that_somebody_dropped_is_missed_and_a_full_refresh_makes_a_new_one() {
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    bench.connection().catalog().dropTable(TableIdentifier.of("default", "people__log"), true);
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"a\",\"n\":3}");
    Problem problem = Failing.onlyProblem(bench, sql(2));
    assertThat(problem.code()).isEqualTo(ErrorCode.LEDGER_CORRUPT);
    assertThat(problem.message()).contains("people__log");
    assertThat(
            bench
                .update(
                    sql(2),
                    Map.of(),
                    options ->
                        new io.sluice.run.UpdateOptions(
                            Set.of(), Set.of(), true, options.parallelism()))
                .failures())
        .isEmpty();
    assertThat(bench.rows("people")).hasSize(1);
    assertThat(Towns.companion(bench, "people")).hasSize(2);
  }

  @Test
  void a_companion_that_somebody_rolled_back_or_wrote_to_is_read_as_of_the_ledger() {
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"a\",\"n\":3}");
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    Table log = bench.table("people__log");
    log.manageSnapshots().rollbackTo(log.currentSnapshot().parentId()).commit();
    bench.write("feed/3.json", "{\"id\":1,\"town\":\"a\",\"n\":4}");
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    assertThat(Towns.companion(bench, "people"))
        .extracting(event -> event.getField("__SEQUENCE"))
        .containsExactlyInAnyOrder(2L, 3L, 4L);
    bench
        .table("people__log")
        .newDelete()
        .deleteFromRowFilter(org.apache.iceberg.expressions.Expressions.alwaysTrue())
        .commit();
    bench.write("feed/4.json", "{\"id\":1,\"town\":\"b\",\"n\":3}".replace(":3", ":5"));
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    assertThat(Towns.companion(bench, "people")).hasSize(3);
  }

  @Test
  void a_data_file_that_is_gone_from_the_disk_is_named() throws IOException {
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    Path lost = DataFiles.current(bench.table("people")).get(0);
    Files.delete(lost);
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":3}");
    Problem problem = Failing.onlyProblem(bench, sql(2));
    assertThat(problem.code()).isEqualTo(ErrorCode.STORAGE);
    assertThat(problem.message()).contains(lost.toString());
  }

  @Test
  void a_manifest_or_metadata_file_that_is_gone_from_the_disk_is_named() throws IOException {
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    Path manifests = Path.of(bench.table("people").currentSnapshot().manifestListLocation());
    Files.delete(manifests);
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":3}");
    Problem problem = Failing.onlyProblem(bench, sql(2));
    assertThat(problem.code()).isEqualTo(ErrorCode.STORAGE);
    assertThat(problem.message()).contains(manifests.toString());
  }

  @Test
  void a_row_without_a_start_that_somebody_wrote_is_named() {
    assertThat(bench.update(sql(2)).failures()).isEmpty();
    bench.table("people").updateSchema().setIdentifierFields(List.of()).commit();
    bench.table("people").updateSchema().makeColumnOptional("__START_AT").commit();
    ForeignRows.append(bench.table("people"), Map.of("id", 5, "town", "x"));
    bench.write("feed/2.json", "{\"id\":5,\"town\":\"b\",\"n\":3}");
    Problem problem = Failing.onlyProblem(bench, sql(2));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_HISTORY);
    assertThat(problem.message()).contains("id=5", "no start");
  }

  @Test
  void two_rows_of_one_key_that_somebody_wrote_are_named() {
    assertThat(bench.update(sql(1)).failures()).isEmpty();
    ForeignRows.append(bench.table("people"), Map.of("id", 1, "town", "x"));
    bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"n\":3}");
    Problem problem = Failing.onlyProblem(bench, sql(1));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_HISTORY);
    assertThat(problem.message()).contains("id=1", "more than one row");
  }
}
