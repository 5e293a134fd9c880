package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static io.sluice.conformance.Scene.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What flows have read, across updates, new names and full refreshes (semantics 13.2, 13.3). */
class PositionsIT {

  private static final String SCHEMA = "format => 'json', schema => 'id INT'";

  private static String table(String name, String properties) {
    return "CREATE STREAMING TABLE " + name + properties + ";\n";
  }

  private static String reading(String flow, String target, String folder) {
    return "CREATE FLOW %s AS INSERT INTO %s BY NAME SELECT * FROM STREAM read_files('${dir}/%s', %s);\n"
        .formatted(flow, target, folder, SCHEMA);
  }

  @Test
  void without_new_input_nothing_is_committed_and_no_job_runs(@TempDir Path folder) {
    String sql = table("t", "") + reading("f", "t", "in");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.run(sql);
      long snapshot = scene.bench().table("t").currentSnapshot().snapshotId();
      UpdateResult second = scene.run(sql);
      assertThat(flow(second, "f").state()).isEqualTo(FlowResult.State.UP_TO_DATE);
      assertThat(target(second, "t").steps()).isZero();
      assertThat(target(second, "t").snapshot()).hasValue(snapshot);
      assertThat(scene.bench().table("t").currentSnapshot().snapshotId()).isEqualTo(snapshot);
    }
  }

  @Test
  void a_full_refresh_reads_everything_again_and_only_where_it_is_asked_for(@TempDir Path folder) {
    String sql =
        table("free", "")
            + reading("free_in", "free", "in")
            + table("held", " TBLPROPERTIES ('pipelines.reset.allowed' = 'false')")
            + reading("held_in", "held", "in");
    try (Scene scene = new Scene(folder)) {
      Path first = scene.json("in/1.json", "{'id':1}");
      scene.json("in/2.json", "{'id':2}");
      scene.run(sql);
      assertThat(first.toFile().delete()).isTrue();
      scene.json("in/3.json", "{'id':3}");

      UpdateResult refreshed = scene.refresh(sql, "free");
      assertThat(scene.rows("free")).containsExactly("2", "3");
      assertThat(scene.rows("held")).containsExactly("1", "2", "3");
      assertThat(flow(refreshed, "free_in").rowsRead()).isEqualTo(2);
      assertThat(flow(refreshed, "held_in").rowsRead()).isEqualTo(1);

      UpdateResult all = scene.refreshAll(sql);
      assertThat(flow(all, "free_in").rowsRead()).isEqualTo(2);
      assertThat(flow(all, "held_in").rowsRead()).isZero();
      assertThat(scene.rows("held")).containsExactly("1", "2", "3");
      assertThat(all.notices()).anyMatch(notice -> notice.contains("held"));
    }
  }

  @Test
  void a_renamed_flow_goes_on_where_it_was(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.json("other/1.json", "{'id':11}");
      scene.run(table("t", "") + reading("before", "t", "in") + reading("other", "t", "other"));
      scene.json("in/2.json", "{'id':2}");
      UpdateResult renamed =
          scene.run(table("t", "") + reading("after", "t", "in") + reading("other", "t", "other"));
      assertThat(renamed.notices())
          .singleElement()
          .asString()
          .contains("flow 'after' takes over the position of 'before'");
      assertThat(flow(renamed, "after").rowsRead()).isEqualTo(1);
      assertThat(scene.rows("t")).containsExactly("1", "11", "2");

      // The name is known from now on, even if nothing else happened in that update.
      String third = table("t", "") + reading("last", "t", "in") + reading("other", "t", "other");
      scene.run(third);
      scene.json("in/3.json", "{'id':3}");
      scene.run(third);
      assertThat(scene.rows("t")).containsExactly("1", "11", "2", "3");
    }
  }

  @Test
  void an_unclear_rename_is_refused_until_the_file_says_what_it_is(@TempDir Path folder) {
    String two = reading("one", "t", "in") + reading("two", "t", "in");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.run(table("t", "") + two);
      assertThat(scene.rows("t")).containsExactly("1", "1");
      String renamed = table("t", "") + reading("three", "t", "in");
      assertThat(scene.refused(renamed))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.AMBIGUOUS_POSITION);
                assertThat(problem.toString())
                    .startsWith("test.sql:2:1: ")
                    .contains("may be what [one, two] was before")
                    .contains("sluice.renamed-from.three")
                    .contains("sluice.reread.three");
              });
      scene.json("in/2.json", "{'id':2}");
      scene.run("SET 'sluice.renamed-from.three' = 'two';\n" + renamed);
      assertThat(scene.rows("t")).containsExactly("1", "1", "2");
      scene.run("SET 'sluice.reread.four' = 'true';\n" + renamed.replace("three", "four"));
      assertThat(scene.rows("t")).containsExactly("1", "1", "1", "2", "2");
    }
  }

  @Test
  void flows_and_tables_may_come_and_go_between_updates(@TempDir Path folder) {
    String base = table("t", "") + reading("f", "t", "in");
    String more = reading("g", "t", "late") + table("u", "") + reading("h", "u", "in");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.json("late/1.json", "{'id':7}");
      scene.run(base);
      scene.run(base + more);
      assertThat(scene.rows("t")).containsExactly("1", "7");
      assertThat(scene.rows("u")).containsExactly("1");
      scene.json("late/2.json", "{'id':8}");
      scene.run(base);
      assertThat(scene.rows("t")).containsExactly("1", "7");
      scene.run(base + more);
      assertThat(scene.rows("t")).containsExactly("1", "7", "8");
      assertThat(scene.rows("u")).containsExactly("1");
    }
  }

  @Test
  void more_files_than_a_snapshot_can_name_are_kept_in_the_companion(@TempDir Path folder) {
    String sql = table("t", "") + reading("f", "t", "in");
    try (Scene scene = new Scene(folder)) {
      IntStream.rangeClosed(1, 1100)
          .forEach(n -> scene.json("in/" + n + ".json", "{'id':" + n + "}"));
      scene.run(sql);
      assertThat(scene.rows("t")).hasSize(1100).doesNotHaveDuplicates();
      assertThat(
              scene
                  .bench()
                  .connection()
                  .catalog()
                  .tableExists(TableIdentifier.of("default", "t__log")))
          .isTrue();
      String summary = scene.bench().table("t").currentSnapshot().summary().toString();
      assertThat(summary).hasSizeLessThan(20_000).contains("\"spilled\":true");

      assertThat(target(scene.run(sql), "t").steps()).isZero();
      scene.json("in/1101.json", "{'id':1101}");
      UpdateResult third = scene.run(sql);
      assertThat(flow(third, "f").rowsRead()).isEqualTo(1);
      assertThat(scene.rows("t")).hasSize(1101).doesNotHaveDuplicates();

      // A renamed flow takes the files with it that the companion holds under its old name.
      String renamed = sql.replace("FLOW f", "FLOW g");
      scene.json("in/1102.json", "{'id':1102}");
      assertThat(flow(scene.run(renamed), "g").rowsRead()).isEqualTo(1);
      scene.json("in/1103.json", "{'id':1103}");
      assertThat(flow(scene.run(renamed), "g").rowsRead()).isEqualTo(1);

      assertThat(flow(scene.refresh(renamed, "t"), "g").rowsRead()).isEqualTo(1103);
      assertThat(scene.rows("t")).hasSize(1103).doesNotHaveDuplicates();
      assertThat(target(scene.run(renamed), "t").steps()).isZero();
    }
  }
}
