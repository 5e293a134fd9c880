package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static io.sluice.conformance.Snapshots.FILES;
import static io.sluice.conformance.Snapshots.NEXT;
import static io.sluice.conformance.Snapshots.ROWS;
import static io.sluice.conformance.Snapshots.row;
import static io.sluice.conformance.Snapshots.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.pipeline.CdcDefinition;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.SnapshotVersions;
import io.sluice.plan.TargetStatus;
import io.sluice.run.FlowResult;
import io.sluice.run.UpdateResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an update does with snapshot flows: versions, commits, ONCE, failures (semantics 11). */
class SnapshotFlowsIT {

  private static final String ALL = "FROM SNAPSHOT (SELECT id, town FROM " + FILES + ")\n";

  private static List<String> positions(Scene scene, String sql) {
    return TargetStatus.of(scene.bench().connection(), scene.bench().pipeline(sql, Map.of()))
        .get(0)
        .flows()
        .get(0)
        .positions();
  }

  @Test
  void each_version_is_one_commit_and_only_differences_are_written(@TempDir Path folder) {
    String sql = table("t") + Snapshots.flow("t", ROWS + NEXT, "");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"), row(1, 2, "Bergen"), row(1, 3, "Lund"));
      scene.json("in/2.json", row(2, 1, "Oslo"), row(2, 2, "Bodo"), row(2, 4, "Voss"));
      UpdateResult first = scene.run(sql);
      assertThat(scene.commits("t")).isEqualTo(2);
      assertThat(scene.rows("t")).containsExactly("1 Oslo", "2 Bodo", "4 Voss");
      FlowResult result = flow(first, "t_snapshots");
      assertThat(result.kind()).isEqualTo("AUTO CDC FROM SNAPSHOT SCD 1");
      assertThat(result.rowsRead()).isEqualTo(6);
      assertThat(result.inserted()).isEqualTo(3 + 1);
      assertThat(result.updated()).isEqualTo(1);
      assertThat(result.deleted()).isEqualTo(1);
      assertThat(positions(scene, sql)).containsExactly("snapshot version 2");
      assertThat(scene.bench().connection().catalog().listTables(namespace(scene)))
          .as("a target of snapshots alone has no companion")
          .extracting(TableIdentifier::name)
          .containsExactly("t");

      UpdateResult second = scene.run(sql);
      assertThat(flow(second, "t_snapshots").state()).isEqualTo(FlowResult.State.UP_TO_DATE);
      assertThat(scene.commits("t")).isEqualTo(2);

      scene.json("in/3.json", row(3, 1, "Oslo"), row(3, 2, "Bodo"), row(3, 4, "Voss"));
      UpdateResult third = scene.run(sql);
      assertThat(flow(third, "t_snapshots").state()).isEqualTo(FlowResult.State.RAN);
      assertThat(scene.bench().table("t").currentSnapshot().summary())
          .as("nothing differs, so the commit writes nothing")
          .doesNotContainKeys("added-data-files", "added-delete-files");
      assertThat(positions(scene, sql)).containsExactly("snapshot version 3");
    }
  }

  private static org.apache.iceberg.catalog.Namespace namespace(Scene scene) {
    return scene.bench().connection().identifier(List.of("t")).namespace();
  }

  @Test
  void a_snapshot_that_fails_does_not_advance_the_version_and_those_before_it_stay(
      @TempDir Path folder) {
    String sql = table("t") + Snapshots.flow("t", ROWS + NEXT, "STORED AS SCD TYPE 2");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"), row(1, 2, "Lund"));
      Path broken = scene.json("in/2.json", row(2, 1, "Bodo"), row(2, 2, "Lund"), row(2, 2, "x"));
      scene.json("in/3.json", row(3, 1, "Bodo"), row(3, 2, "Voss"));
      List<Problem> problems = scene.failing(sql);
      assertThat(problems.get(0).code()).isEqualTo(ErrorCode.DUPLICATE_KEY_VIOLATION);
      assertThat(problems.get(0).message())
          .startsWith(
              "table default.t: the snapshot of flow 't_snapshots' at version 2 has more than one"
                  + " row of key id=2");
      assertThat(scene.rows("t")).containsExactly("1 Oslo 1 ~", "2 Lund 1 ~");
      assertThat(positions(scene, sql)).containsExactly("snapshot version 1");

      scene.json("in/2.json", row(2, 1, "Bodo"), row(2, 2, "Lund"));
      assertThat(broken).exists();
      scene.run(sql);
      assertThat(scene.rows("t"))
          .containsExactly("1 Bodo 2 ~", "1 Oslo 1 2", "2 Lund 1 3", "2 Voss 3 ~");
    }
  }

  @Test
  void files_are_snapshots_in_the_order_of_their_modification(@TempDir Path folder)
      throws Exception {
    String sql =
        """
        CREATE STREAMING TABLE by_time FLOW AUTO CDC FROM SNAPSHOT (
          SELECT id, town FROM read_files('${dir}/in', format => 'json', schema => 'id INT, town STRING')
          WHERE _metadata.file_modification_time = (SELECT at FROM current_snapshot_version()))
        WITH VERSION (
          SELECT MIN(modification_time) AS at FROM list_files('${dir}/in')
          WHERE modification_time > COALESCE((SELECT at FROM last_snapshot_version()),
            TO_TIMESTAMP_LTZ(0, 3))
          HAVING MIN(modification_time) IS NOT NULL)
        KEYS (id) STORED AS SCD TYPE 2;

        CREATE STREAMING TABLE by_name FLOW APPLY CHANGES FROM SNAPSHOT (
          SELECT id, town FROM read_files('${dir}/in', format => 'json', schema => 'id INT, town STRING')
          WHERE _metadata.file_path = (SELECT path FROM current_snapshot_version()))
        WITH VERSION (
          SELECT MIN(path) AS path FROM list_files('${dir}/in', pathGlobFilter => '*.json')
          WHERE path > COALESCE((SELECT path FROM last_snapshot_version()), '')
          HAVING MIN(path) IS NOT NULL)
        KEYS (id);
        """;
    Instant noon = Instant.parse("2026-02-01T12:00:00Z");
    try (Scene scene = new Scene(folder)) {
      Path early = scene.json("in/b.json", "{'id':1,'town':'Oslo'}", "{'id':2,'town':'Lund'}");
      Path late = scene.json("in/a.json", "{'id':1,'town':'Bodo'}", "{'id':2,'town':'Lund'}");
      Files.setLastModifiedTime(early, FileTime.from(noon));
      Files.setLastModifiedTime(late, FileTime.from(noon.plusSeconds(60)));
      UpdateResult result = scene.run(sql);
      assertThat(scene.rows("by_time"))
          .containsExactly(
              "1 Bodo 2026-02-01T12:01Z ~",
              "1 Oslo 2026-02-01T12:00Z 2026-02-01T12:01Z",
              "2 Lund 2026-02-01T12:00Z ~");
      assertThat(scene.rows("by_name")).containsExactly("1 Oslo", "2 Lund");
      assertThat(result.notices()).anyMatch(notice -> notice.contains("has a text as version"));
    }
  }

  @Test
  void once_takes_all_versions_of_now_and_is_idle_until_a_full_refresh(@TempDir Path folder) {
    String sql = table("t") + Snapshots.once("t", ROWS + NEXT, "STORED AS SCD TYPE 2");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/0.json", "");
      UpdateResult none = scene.run(sql);
      assertThat(flow(none, "t_snapshots").state()).isEqualTo(FlowResult.State.UP_TO_DATE);

      scene.json("in/1.json", row(1, 1, "Oslo"));
      scene.json("in/2.json", row(2, 1, "Bodo"));
      UpdateResult first = scene.run(sql);
      assertThat(flow(first, "t_snapshots").state()).isEqualTo(FlowResult.State.RAN);
      assertThat(flow(first, "t_snapshots").kind()).isEqualTo("AUTO CDC FROM SNAPSHOT SCD 2 ONCE");
      assertThat(scene.rows("t")).containsExactly("1 Bodo 2 ~", "1 Oslo 1 2");

      scene.json("in/3.json", row(3, 1, "Voss"));
      UpdateResult second = scene.run(sql);
      assertThat(flow(second, "t_snapshots").state()).isEqualTo(FlowResult.State.DONE);
      assertThat(scene.rows("t")).hasSize(2);

      UpdateResult refreshed = scene.refresh(sql, "t");
      assertThat(flow(refreshed, "t_snapshots").state()).isEqualTo(FlowResult.State.RAN);
      assertThat(scene.rows("t")).containsExactly("1 Bodo 2 3", "1 Oslo 1 2", "1 Voss 3 ~");
      assertThat(flow(scene.run(sql), "t_snapshots").state()).isEqualTo(FlowResult.State.DONE);
    }
  }

  @Test
  void without_a_version_an_empty_table_is_filled_once(@TempDir Path folder) {
    String again = table("t") + Snapshots.flow("t", ALL, "STORED AS SCD TYPE 2");
    String once = table("o") + Snapshots.once("o", "FROM SNAPSHOT base", "");
    String base =
        "SET 'sluice.pipeline' = 'base';\n"
            + "CREATE STREAMING TABLE base AS SELECT id, town FROM "
            + FILES
            + ";\n";
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"), row(1, 2, "Lund"));
      scene.run(base);
      Instant before = Instant.now();
      scene.run(again + once);
      assertThat(scene.rows("o")).containsExactly("1 Oslo", "2 Lund");
      assertThat(scene.bench().rows("t")).hasSize(2);
      assertThat(scene.columns("t")).contains("__START_AT timestamptz", "__END_AT timestamptz");
      assertThat(scene.bench().rows("t").get(0).get("__START_AT").toString())
          .isGreaterThan(before.minusSeconds(1).toString().substring(0, 19));

      assertThat(flow(scene.run(once), "o_snapshots").state()).isEqualTo(FlowResult.State.DONE);
      Problem problem = scene.failing(again + once).get(0);
      assertThat(problem.code())
          .isEqualTo(ErrorCode.AUTO_CDC_FROM_SNAPSHOT_NON_EMPTY_TARGET_WITHOUT_VERSION);
      assertThat(problem.message())
          .startsWith(
              "flow 't_snapshots': it has no WITH VERSION, and table default.t holds the snapshot"
                  + " of 20");
      scene.refresh(again, "t");
      assertThat(scene.bench().rows("t")).hasSize(2);
    }
  }

  @Test
  void a_renamed_flow_goes_on_and_new_columns_are_added(@TempDir Path folder) {
    String before = table("t") + Snapshots.flow("t", ROWS + NEXT, "STORED AS SCD TYPE 2");
    String after =
        before
            .replace("FLOW t_snapshots", "FLOW towns")
            .replace("SELECT id, town FROM", "SELECT id, town, id * 10 AS code FROM");
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"));
      scene.run(before);
      UpdateResult renamed = scene.run(after);
      assertThat(flow(renamed, "towns").state()).isEqualTo(FlowResult.State.UP_TO_DATE);
      assertThat(renamed.notices()).anyMatch(notice -> notice.contains("takes over the position"));
      scene.json("in/2.json", row(2, 1, "Oslo"), row(2, 2, "Voss"));
      scene.run(after);
      assertThat(scene.rows("t")).containsExactly("1 Oslo 10 2 ~", "1 Oslo ~ 1 2", "2 Voss 20 2 ~");
      assertThat(positions(scene, after)).containsExactly("snapshot version 2");
    }
  }

  @Test
  void a_table_of_the_pipeline_is_a_source_of_snapshots_and_versions(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE loads AS SELECT * FROM %s;
        CREATE VIEW load_numbers AS SELECT DISTINCT version FROM loads;
        CREATE STREAMING TABLE t;
        CREATE FLOW t_snapshots AS AUTO CDC INTO t
        FROM SNAPSHOT (SELECT id, town FROM loads
          WHERE version IN (SELECT version FROM current_snapshot_version()))
        WITH VERSION (SELECT MIN(n.version) AS version FROM load_numbers AS n
          LEFT JOIN last_snapshot_version() AS l ON TRUE
          WHERE l.version IS NULL OR n.version > l.version HAVING MIN(n.version) > 0)
        KEYS (id) STORED AS SCD TYPE 2;
        """
            .formatted(FILES);
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", row(1, 1, "Oslo"), row(2, 1, "Bodo"));
      scene.run(sql);
      assertThat(scene.rows("t")).containsExactly("1 Bodo 2 ~", "1 Oslo 1 2");
      scene.json("in/2.json", row(3, 1, "Lund"), row(3, 2, "Voss"));
      scene.run(sql);
      assertThat(scene.rows("t"))
          .containsExactly("1 Bodo 2 3", "1 Lund 3 ~", "1 Oslo 1 2", "2 Voss 3 ~");
    }
  }

  @Test
  void structs_are_versions_field_by_field(@TempDir Path folder) {
    String files =
        "read_files('${dir}/in', format => 'json', schema => 'major INT, minor INT, id INT, town STRING')";
    String sql =
        """
        CREATE STREAMING TABLE t;
        CREATE FLOW t_snapshots AS AUTO CDC INTO t
        FROM SNAPSHOT (SELECT s.id, s.town FROM %1$s AS s, current_snapshot_version() AS c
          WHERE s.major = c.v.major AND s.minor = c.v.minor)
        WITH VERSION (
          SELECT CAST(ROW(s.major, s.minor) AS ROW<major INT, minor INT>) AS v FROM %1$s AS s
          LEFT JOIN last_snapshot_version() AS l ON TRUE
          WHERE l.v IS NULL OR s.major > l.v.major OR s.major = l.v.major AND s.minor > l.v.minor
          ORDER BY s.major, s.minor LIMIT 1)
        KEYS (id) STORED AS SCD TYPE 2;
        """
            .formatted(files);
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          "{'major':2,'minor':1,'id':1,'town':'Voss'}",
          "{'major':1,'minor':10,'id':1,'town':'Bodo'}",
          "{'major':1,'minor':9,'id':1,'town':'Oslo'}");
      scene.run(sql);
      assertThat(scene.rows("t"))
          .containsExactly("1 Bodo 1/10 2/1", "1 Oslo 1/9 1/10", "1 Voss 2/1 ~");
      assertThat(scene.columns("t")).contains("__START_AT struct(major: int, minor: int)");
      assertThat(flow(scene.run(sql), "t_snapshots").state())
          .isEqualTo(FlowResult.State.UP_TO_DATE);
    }
  }

  @Test
  void a_flow_may_take_one_snapshot_in_every_update(@TempDir Path folder) {
    String sql = table("t") + Snapshots.flow("t", ALL, "STORED AS SCD TYPE 2");
    try (Scene scene = new Scene(folder)) {
      for (String town : new String[] {"Oslo", "Bodo"}) {
        scene.json("in/1.json", row(1, 1, town));
        UpdateResult result =
            scene.bench().update(everyUpdate(scene.bench().pipeline(sql, Map.of())));
        assertThat(result.failures()).isEmpty();
        assertThat(Scene.target(result, "t").steps()).isEqualTo(1);
      }
      assertThat(scene.bench().rows("t"))
          .extracting(each -> each.get("town"), each -> each.get("__END_AT") == null)
          .containsExactlyInAnyOrder(tuple("Oslo", false), tuple("Bodo", true));
    }
  }

  /** The same pipeline, its only flow with the versions that SQL has no words for. */
  private static Pipeline everyUpdate(Pipeline pipeline) {
    Flow flow = pipeline.flows().get(0);
    CdcDefinition cdc = flow.cdc().orElseThrow();
    CdcDefinition changed =
        new CdcDefinition(
            cdc.keys(),
            cdc.deleteWhen(),
            cdc.truncateWhen(),
            cdc.sequenceBy(),
            cdc.systemSequenceBy(),
            cdc.columns(),
            cdc.type(),
            cdc.nullUpdates(),
            cdc.columnsToUpdate(),
            cdc.trackHistory(),
            Optional.of(new SnapshotVersions.EveryUpdate()));
    return new Pipeline(
        pipeline.name(),
        pipeline.settings(),
        pipeline.setup(),
        pipeline.tables(),
        pipeline.views(),
        List.of(
            new Flow(
                flow.at(),
                flow.name(),
                flow.order(),
                flow.target(),
                flow.once(),
                flow.query(),
                flow.scope(),
                Optional.of(changed),
                flow.comment(),
                flow.defining())));
  }
}
