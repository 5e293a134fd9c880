package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A full refresh changes everything or nothing. */
class FullRefreshFaultsTest {

  @TempDir private Path folder;
  private Workbench bench;

  @BeforeEach
  void open() {
    bench = new Workbench(folder);
    bench.write(
        "feed/1.json",
        "{\"id\":1,\"city\":\"x\",\"town\":\"a\",\"n\":1,\"at\":\"2024-01-01T00:00:00Z\"}",
        "{\"id\":1,\"city\":\"x\",\"town\":\"b\",\"n\":2,\"at\":\"2024-01-02T00:00:00Z\"}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static String sql(String id, String keys, String sequence, int type) {
    return """
        CREATE STREAMING TABLE people;
        CREATE FLOW changes AS AUTO CDC INTO people
        FROM STREAM read_files('${dir}/feed', format => 'json',
          schema => 'id %s, city STRING, town STRING, n BIGINT, at TIMESTAMP')
        KEYS (%s) SEQUENCE BY %s COLUMNS (id, city, town) STORED AS SCD TYPE %d;
        """
        .formatted(id, keys, sequence, type);
  }

  private static final String OLD = sql("INT", "id", "n", 2);

  private UpdateResult refresh(String sql) {
    return bench.update(
        sql, Map.of(), o -> new UpdateOptions(Set.of(), Set.of(), true, o.parallelism()));
  }

  private void assertOldWorld() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    assertThat(bench.rows("people"))
        .extracting(
            row -> row.get("town"), row -> row.get("__START_AT"), row -> row.get("__END_AT"))
        .containsExactlyInAnyOrder(tuple("a", 1L, 2L), tuple("b", 2L, null));
  }

  @Test
  void a_full_refresh_that_fails_leaves_the_old_rows_and_the_old_position() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    Path bad = bench.write("feed/2.json", "{\"id\":null,\"n\":1}");
    List<Problem> problems = Failing.problems(() -> refresh(OLD));
    assertThat(problems.get(0).message()).contains(bad.toString());
    bad.toFile().delete();
    assertOldWorld();
    assertThat(refresh(OLD).failures()).isEmpty();
    assertOldWorld();
  }

  @Test
  void a_failed_full_refresh_to_another_scd_type_leaves_the_table_as_it_was() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    Path bad = bench.write("feed/2.json", "{\"id\":null,\"n\":1}");
    String now = sql("INT", "id", "n", 1);
    assertThat(Failing.update(bench, now)).hasSize(1);
    Failing.problems(() -> refresh(now));
    bad.toFile().delete();
    assertOldWorld();
  }

  @ParameterizedTest
  @ValueSource(strings = {"people__new", "people__log", "people__quarantine"})
  void a_full_refresh_drops_no_table_of_somebody_else(String name) {
    Catalog catalog = bench.connection().catalog();
    assertThat(bench.update(OLD).failures()).isEmpty();
    TableIdentifier foreign = TableIdentifier.of("default", name);
    catalog.dropTable(foreign);
    catalog.createTable(
        foreign, new Schema(Types.NestedField.required(1, "x", Types.IntegerType.get())));
    List<Problem> problems = Failing.problems(() -> refresh(sql("INT", "id", "n", 1)));
    assertThat(problems.get(0).code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED);
    assertThat(problems.get(0).message()).contains(name);
    assertThat(catalog.loadTable(foreign).schema().findField("x")).isNotNull();
    assertThat(bench.rows("people")).hasSize(2);
  }

  @Test
  void a_full_refresh_takes_other_keys() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    String now = sql("INT", "city, id", "n", 2);
    assertThat(Failing.update(bench, now)).hasSize(1);
    assertThat(refresh(now).failures()).isEmpty();
    assertThat(bench.rows("people")).hasSize(2);
    bench.write("feed/3.json", "{\"id\":1,\"city\":\"y\",\"town\":\"a\",\"n\":1}");
    assertThat(bench.update(now).failures()).isEmpty();
    assertThat(bench.rows("people")).hasSize(3);
  }

  @Test
  void a_full_refresh_takes_another_scd_type() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    String now = sql("INT", "id", "n", 1);
    assertThat(refresh(now).failures()).isEmpty();
    bench.write("feed/3.json", "{\"id\":1,\"city\":\"y\",\"town\":\"c\",\"n\":3}");
    assertThat(bench.update(now).failures()).isEmpty();
    assertThat(bench.rows("people")).extracting(row -> row.get("town")).containsExactly("c");
    assertThat(refresh(OLD).failures()).isEmpty();
    assertThat(bench.rows("people")).hasSize(3);
  }

  @Test
  void a_full_refresh_takes_another_sequence_type() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    String now = sql("INT", "id", "at", 2);
    assertThat(Failing.update(bench, now)).hasSize(1);
    assertThat(refresh(now).failures()).isEmpty();
    assertThat(bench.update(now).targets().get(0).steps()).isZero();
    assertThat(bench.rows("people")).hasSize(2);
  }

  @Test
  void a_full_refresh_takes_another_key_type() {
    assertThat(bench.update(OLD).failures()).isEmpty();
    String now = sql("STRING", "id", "n", 2);
    bench.write("feed/1.json", "{\"id\":\"1\",\"town\":\"a\",\"n\":1}");
    assertThat(Failing.update(bench, now)).hasSize(1);
    assertThat(refresh(now).failures()).isEmpty();
    assertThat(bench.rows("people")).extracting(row -> row.get("id")).containsExactly("1");
  }
}
