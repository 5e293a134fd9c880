package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import io.sluice.sql.QualifiedName;
import io.sluice.table.Ledger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that cannot be applied go to the quarantine, each of them once (semantics 0.3). */
class QuarantineTest {

  private static final String SQL =
      """
      SET 'sluice.invalid-events' = 'QUARANTINE';
      CREATE STREAMING TABLE people;
      CREATE FLOW changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n DOUBLE, m INT', maxFilesPerTrigger => '1')
      KEYS (id) SEQUENCE BY STRUCT(n, m) COLUMNS (id, town) STORED AS SCD TYPE 1;

      CREATE STREAMING TABLE landed AS SELECT * FROM STREAM read_files('${dir}/feed',
        format => 'json', schema => 'id INT, town STRING, n DOUBLE, m INT');
      """;

  @TempDir private Path folder;

  private static void feed(Workbench bench, int number) {
    bench.write(
        "feed/" + number + ".json",
        "{\"id\":%d,\"town\":\"good\",\"n\":1,\"m\":1}".formatted(number),
        "{\"town\":\"no key %d\",\"n\":1,\"m\":1}".formatted(number),
        "{\"id\":7,\"town\":\"no field %d\",\"n\":1}".formatted(number),
        "{\"id\":\"seven %d\"}".formatted(number),
        "no json %d".formatted(number));
  }

  private static List<String> quarantined(Workbench bench, String table) {
    return bench.rows(table + "__quarantine").stream()
        .map(row -> row.get("reason") + " @ " + row.get("source_position"))
        .map(text -> text.replaceAll("\\S*/", ""))
        .sorted()
        .toList();
  }

  private static UpdateResult refresh(Workbench bench, String sql) {
    return bench.update(
        sql,
        Map.of(),
        options ->
            new UpdateOptions(
                Set.of(),
                Set.of(QualifiedName.of("default", "people")),
                false,
                options.parallelism()));
  }

  @Test
  void a_quarantined_record_tells_flow_reason_place_and_content_and_the_rest_is_applied() {
    try (Workbench bench = new Workbench(folder)) {
      feed(bench, 1);
      UpdateResult result = bench.update(SQL);
      assertThat(result.failures()).isEmpty();
      assertThat(result.targets().get(0).flows().get(0).invalid()).isEqualTo(4);
      assertThat(bench.rows("people")).hasSize(1);
      assertThat(bench.rows("landed")).hasSize(3);
      assertThat(bench.rows("people__quarantine"))
          .extracting(row -> row.get("flow"), row -> row.get("reason"), row -> row.get("row_json"))
          .contains(
              org.assertj.core.api.Assertions.tuple(
                  "changes",
                  "the key column 'id' is NULL",
                  "{\"id\":null,\"town\":\"no key 1\","
                      + "\"__SEQUENCE\":{\"n\":1.0,\"m\":1},\"__DELETE\":false}"),
              org.assertj.core.api.Assertions.tuple(
                  "changes",
                  "the sequence field 'm' is NULL",
                  "{\"id\":7,\"town\":\"no field 1\","
                      + "\"__SEQUENCE\":{\"n\":1.0,\"m\":null},\"__DELETE\":false}"));
      assertThat(bench.rows("people__quarantine"))
          .extracting(row -> row.get("row_json"))
          .contains("\"no json 1\"", "\"{\\\"id\\\":\\\"seven 1\\\"}\"");
      assertThat(quarantined(bench, "landed"))
          .hasSize(2)
          .allSatisfy(text -> assertThat(text).contains("@ 1.json (byte "));
      assertThat(Ledger.read(bench.table("people")).orElseThrow().ledger().quarantine())
          .hasValue(bench.table("people__quarantine").currentSnapshot().snapshotId());
    }
  }

  /** Dies before or after its n-th commit. */
  private record Mortal(AtomicInteger left, boolean after) implements ScriptedCatalog.Script {

    @Override
    public void commit(TableIdentifier table, Runnable commit) {
      int now = left.decrementAndGet();
      if (now < 0 || now == 0 && !after) {
        left.set(-1);
        throw new Died();
      }
      commit.run();
      if (now == 0) {
        left.set(-1);
        throw new Died();
      }
    }

    @Override
    public void read(TableIdentifier table) {
      if (left.get() < 0) {
        throw new Died();
      }
    }
  }

  private boolean isKilled(int commits, boolean after) {
    Mortal script = new Mortal(new AtomicInteger(commits), after);
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.update(SQL);
    } catch (Died died) {
      return true;
    }
    return script.left().get() < 0;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void each_offender_appears_once_wherever_the_process_dies(boolean after) {
    int number = 0;
    for (int commits = 1; ; commits++) {
      try (Workbench bench = new Workbench(folder)) {
        feed(bench, ++number);
        feed(bench, ++number);
      }
      boolean killed = isKilled(commits, after);
      try (Workbench bench = new Workbench(folder)) {
        assertThat(bench.update(SQL).failures()).isEmpty();
        List<String> people = quarantined(bench, "people");
        assertThat(people).as("killed at commit %d", commits).doesNotHaveDuplicates();
        assertThat(people).as("killed at commit %d", commits).hasSize(4 * number);
        List<String> landed = quarantined(bench, "landed");
        assertThat(landed).as("killed at commit %d", commits).doesNotHaveDuplicates();
        assertThat(landed).as("killed at commit %d", commits).hasSize(2 * number);
        assertThat(bench.rows("people")).hasSize(number);
        if (!killed) {
          assertThat(commits).isGreaterThan(5);
          return;
        }
      }
    }
  }

  @Test
  void what_people_delete_stays_deleted_and_a_full_refresh_begins_anew() {
    try (Workbench bench = new Workbench(folder)) {
      feed(bench, 1);
      bench.update(SQL);
      bench
          .table("people__quarantine")
          .newDelete()
          .deleteFromRowFilter(Expressions.alwaysTrue())
          .commit();
      feed(bench, 2);
      bench.update(SQL);
      assertThat(quarantined(bench, "people"))
          .hasSize(4)
          .allSatisfy(text -> assertThat(text).contains("2.json"));
      assertThat(refresh(bench, SQL).failures()).isEmpty();
      assertThat(quarantined(bench, "people")).hasSize(8).doesNotHaveDuplicates();
      String dropping = SQL.replace("QUARANTINE", "DROP");
      assertThat(refresh(bench, dropping).failures()).isEmpty();
      assertThat(quarantined(bench, "people")).isEmpty();
    }
  }

  @Test
  void a_table_of_somebody_else_is_no_quarantine() {
    try (Workbench bench = new Workbench(folder)) {
      feed(bench, 1);
      bench
          .connection()
          .catalog()
          .createTable(
              bench.connection().identifier(List.of("people__quarantine")),
              new Schema(Types.NestedField.optional(1, "town", Types.StringType.get())));
      assertThat(Failing.update(bench, SQL).get(0).code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED);
    }
  }
}
