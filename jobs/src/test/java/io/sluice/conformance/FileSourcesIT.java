package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static io.sluice.conformance.Scene.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.run.UpdateResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * read_files in pipelines: which files, in how many commits, with which columns (semantics 17.4).
 */
class FileSourcesIT {

  @Test
  void an_update_reads_all_files_in_as_many_commits_as_the_limit_needs(@TempDir Path folder)
      throws IOException {
    String sql =
        """
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept
        FROM STREAM read_files('${dir}/in', format => 'json',
          schema => 'id INT, val STRING, seq INT', maxFilesPerTrigger => 2)
        KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2;

        CREATE STREAMING TABLE raw AS
        SELECT id, seq FROM read_files('${dir}/in', format => 'json',
          schema => 'id INT, val STRING, seq INT', maxFilesPerTrigger => 3);
        """;
    try (Scene scene = new Scene(folder)) {
      for (int i = 1; i <= 5; i++) {
        Path file =
            scene.json("in/" + i + ".json", "{'id':1,'val':'v%d','seq':%d}".formatted(i, i));
        modified(file, "2026-01-0" + i + "T00:00:00Z");
      }
      UpdateResult first = scene.run(sql);
      assertThat(target(first, "kept").steps()).isEqualTo(3);
      assertThat(flow(first, "kept_changes").rowsRead()).isEqualTo(5);
      assertThat(scene.commits("kept")).isEqualTo(3);
      assertThat(scene.rows("kept"))
          .containsExactly("1 v1 1 2", "1 v2 2 3", "1 v3 3 4", "1 v4 4 5", "1 v5 5 ~");
      assertThat(target(first, "raw").steps()).isEqualTo(2);
      assertThat(scene.rows("raw")).hasSize(5);

      UpdateResult second = scene.run(sql);
      assertThat(target(second, "kept").steps()).isZero();
      assertThat(scene.commits("kept")).isEqualTo(3);
    }
  }

  @Test
  void files_beside_a_stream_are_read_whole_in_every_update(@TempDir Path folder) {
    String sql =
        """
        CREATE VIEW named AS
        SELECT a.id, names.v
        FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT') AS a
        LEFT JOIN read_files('${dir}/names', format => 'json', schema => 'id INT, v STRING')
          AS names ON a.id = names.id;
        CREATE STREAMING TABLE t;
        CREATE FLOW f AS INSERT INTO t BY NAME SELECT id, v FROM named;
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("names/1.json", "{'id':1,'v':'ann'}", "{'id':2,'v':'ben'}");
      scene.json("in/1.json", "{'id':1}", "{'id':3}");
      scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 ann", "3 ~");
      scene.json("names/2.json", "{'id':3,'v':'cleo'}");
      assertThat(target(scene.run(sql), "t").steps()).isZero();
      scene.json("in/2.json", "{'id':2}", "{'id':3}");
      scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 ann", "2 ben", "3 cleo", "3 ~");
      assertThat(scene.positions(sql, "f")).allSatisfy(p -> assertThat(p).contains("/in: 2 files"));
      assertThat(scene.positions(sql, "f")).hasSize(1);
    }
  }

  @Test
  void times_and_names_choose_the_files(@TempDir Path folder) throws IOException {
    String read = "FROM read_files('${dir}/in', format => 'json', schema => 'id INT', ";
    String sql =
        "CREATE STREAMING TABLE later AS SELECT * "
            + read
            + "modifiedAfter => '2025-06-01T00:00:00Z');"
            + "CREATE STREAMING TABLE earlier AS SELECT * "
            + read
            + "modifiedBefore => \"2025-06-01T02:00:00.001+02:00\");"
            + "CREATE STREAMING TABLE named AS SELECT * "
            + read
            + "pathGlobFilter => 'b*.json');";
    try (Scene scene = new Scene(folder)) {
      modified(scene.json("in/a1.json", "{'id':1}"), "2025-05-31T23:59:59Z");
      modified(scene.json("in/deep/b2.json", "{'id':2}"), "2025-06-01T00:00:00Z");
      modified(scene.json("in/b3.json", "{'id':3}"), "2025-06-01T00:00:00.001Z");
      scene.run(sql);
      assertThat(scene.rows("later")).containsExactly("3");
      assertThat(scene.rows("earlier")).containsExactly("1", "2");
      assertThat(scene.rows("named")).containsExactly("2", "3");
    }
  }

  private static void modified(Path file, String instant) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse(instant)));
  }

  @Test
  void folders_and_file_facts_are_columns(@TempDir Path folder) throws IOException {
    String sql =
        """
        CREATE STREAMING TABLE located AS
        SELECT id, year, region, _metadata.file_name AS name, _metadata.file_size AS size,
          _metadata.file_modification_time AS modified, _metadata.file_path AS path
        FROM STREAM read_files('${dir}/in/year=*', format => 'json');

        CREATE STREAMING TABLE by_region PARTITIONED BY (region);
        CREATE FLOW by_region_changes AS AUTO CDC INTO by_region
        FROM (SELECT id, region, _metadata.file_modification_time AS seen
              FROM STREAM read_files('${dir}/in', format => 'json') WHERE year >= 2025)
        KEYS (id) SEQUENCE BY seen COLUMNS * EXCEPT (seen) STORED AS SCD TYPE 1;
        """;
    try (Scene scene = new Scene(folder)) {
      Path old = scene.json("in/year=2024/region=north/a.json", "{'id':1}");
      Path file = scene.json("in/year=2025/region=south/b.json", "{'id':2}");
      modified(old, "2024-07-01T00:00:00Z");
      modified(file, "2025-07-01T00:00:00.250Z");
      scene.run(sql);
      assertThat(scene.columns("located"))
          .containsExactly(
              "id long",
              "year long",
              "region string",
              "name string",
              "size long",
              "modified timestamptz",
              "path string");
      assertThat(scene.rows("located"))
          .contains("2 2025 south b.json 9 2025-07-01T00:00:00.250Z " + file)
          .hasSize(2);
      assertThat(scene.rows("by_region")).containsExactly("2 south");
    }
  }

  @Test
  void each_mode_of_schema_evolution_does_what_it_says(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE adding AS SELECT * FROM read_files('${dir}/in', format => 'json');
        CREATE STREAMING TABLE rescuing AS SELECT * FROM read_files('${dir}/in', format => 'json',
          schemaEvolutionMode => 'rescue');
        CREATE STREAMING TABLE ignoring AS SELECT * FROM read_files('${dir}/in', format => 'json',
          schemaEvolutionMode => "none");
        CREATE STREAMING TABLE texts AS SELECT * FROM read_files('${dir}/in', format => 'json',
          inferColumnTypes => false);
        """;
    String failing =
        """
        CREATE STREAMING TABLE failing AS SELECT * FROM read_files('${dir}/in', format => 'json',
          schemaEvolutionMode => 'failOnNewColumns');
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1}");
      scene.run(sql + failing);
      scene.json("in/2.json", "{'id':2,'town':'Oslo'}");
      scene.run(sql);
      String rescued = "{\"town\":\"Oslo\",\"_file_path\":\"" + folder.resolve("in/2.json") + "\"}";
      assertThat(scene.columns("adding"))
          .containsExactly("id long", "_rescued_data string", "town string");
      assertThat(scene.rows("adding")).containsExactly("1 ~ ~", "2 ~ Oslo");
      assertThat(scene.columns("rescuing")).containsExactly("id long", "_rescued_data string");
      assertThat(scene.rows("rescuing")).containsExactly("1 ~", "2 " + rescued);
      assertThat(scene.columns("ignoring")).first().isEqualTo("id long");
      assertThat(scene.rows("ignoring")).hasSize(2);
      assertThat(scene.columns("texts"))
          .containsExactly("id string", "_rescued_data string", "town string");

      assertThat(scene.refused(sql + failing))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.NEW_COLUMNS);
                assertThat(problem.message()).contains("has new columns [town]");
                assertThat(problem.location()).get().hasFieldOrPropertyWithValue("line", 8);
              });
      assertThat(scene.rows("failing")).containsExactly("1 ~");
    }
  }

  @Test
  void malformed_records_are_rescued_dropped_or_fail_the_update(@TempDir Path folder) {
    String typed =
        """
        CREATE STREAMING TABLE typed AS
        SELECT * FROM read_files('${dir}/in', format => 'json', schema => 'id INT, at TIMESTAMP');
        """;
    String rescuing =
        """
        CREATE STREAMING TABLE rescued AS
        SELECT id, _rescued_data FROM read_files('${dir}/in', format => 'json',
          schema => 'id INT, at TIMESTAMP, _rescued_data STRING');
        """;
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id':1,'at':'2026-01-01T00:00:00Z'}", "{'id':'two'}", "no json");
      assertThat(scene.failing(typed))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
                assertThat(problem.message())
                    .contains("2 of flow 'typed'")
                    .contains("in/1.json (byte 37)")
                    .contains("no json");
              });
      assertThat(
              scene
                  .bench()
                  .connection()
                  .catalog()
                  .tableExists(scene.bench().connection().identifier(List.of("typed"))))
          .as("the table is there, without a snapshot")
          .isTrue();
      assertThat(scene.rows("typed")).isEmpty();

      UpdateResult dropping = scene.run("SET 'sluice.invalid-events' = 'DROP';" + typed);
      assertThat(flow(dropping, "typed").invalid()).isEqualTo(2);
      assertThat(scene.rows("typed")).containsExactly("1 2026-01-01T00:00Z");

      // Fields that do not fit can be rescued, lines that are no records cannot.
      UpdateResult rescue = scene.run("SET 'sluice.invalid-events' = 'DROP';" + rescuing);
      assertThat(flow(rescue, "rescued").invalid()).isEqualTo(1);
      assertThat(scene.rows("rescued"))
          .containsExactly(
              "1 ~", "~ {\"id\":\"two\",\"_file_path\":\"" + folder.resolve("in/1.json") + "\"}");
    }
  }
}
