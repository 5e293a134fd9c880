package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.kafka.Broker;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.SourceLag;
import io.sluice.run.FlinkRuntime;
import io.sluice.run.ProgressListener;
import io.sluice.run.Update;
import io.sluice.run.UpdateOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sources have that their flows have not read. */
class SourceLagIT {

  private static final Broker KAFKA = Broker.shared();

  @Test
  void files_rows_and_messages_that_are_not_read_are_counted(@TempDir Path folder) {
    String topic = KAFKA.topic(2);
    String sql =
        """
        CREATE STREAMING TABLE bronze AS
        SELECT id FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT');
        CREATE STREAMING TABLE silver AS SELECT id FROM STREAM bronze;
        CREATE STREAMING TABLE sent AS
        SELECT id FROM STREAM read_kafka(bootstrapServers => '%s', topic => '%s',
          format => 'json', schema => 'id INT');
        """
            .formatted(KAFKA.servers(), topic);
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1}", "{'id': 2}");
      KAFKA.sendAll(topic, "{'id': 1}");
      scene.run(sql);
      assertThat(lags(scene, sql)).containsOnlyKeys("bronze", "silver", "sent");
      assertThat(lags(scene, sql).values()).allMatch(lag -> lag.unread() == 0);

      scene.json("in/2.json", "{'id': 3}");
      scene.json("in/3.json", "{'id': 4}");
      KAFKA.sendAll(topic, "{'id': 2}", "{'id': 3}");
      KAFKA.send(topic, 1, null, "{'id': 4}");
      scene.run(
          "CREATE STREAMING TABLE bronze AS SELECT id FROM STREAM read_files('${dir}/in',"
              + " format => 'json', schema => 'id INT');");
      scene.json("in/4.json", "{'id': 5}");
      Map<String, SourceLag> lags = lags(scene, sql);
      assertThat(lags.get("bronze").toString()).endsWith("/in: 1 file");
      assertThat(lags.get("silver").toString()).endsWith("bronze: 2 rows");
      assertThat(lags.get("sent").toString()).endsWith(topic + ": 3 messages");
    }
  }

  @Test
  void a_topic_that_cannot_be_looked_at_hides_no_other_source(@TempDir Path folder) {
    String sql =
        """
        CREATE STREAMING TABLE sent AS
        SELECT id FROM STREAM read_kafka(bootstrapServers => '%s', topic => 'not_there',
          format => 'json', schema => 'id INT');
        CREATE STREAMING TABLE bronze AS
        SELECT id FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT');
        """
            .formatted(KAFKA.servers());
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", "{'id': 1}");
      List<Problem> problems = new ArrayList<>();
      Map<String, SourceLag> lags = lags(scene, sql, problems);
      assertThat(lags).containsOnlyKeys("bronze");
      assertThat(lags.get("bronze").toString()).endsWith("/in: 1 file");
      assertThat(problems).extracting(Problem::code).containsExactly(ErrorCode.SOURCE_NOT_FOUND);
      assertThat(problems.get(0).toString()).startsWith("test.sql:1:");
    }
  }

  private static Map<String, SourceLag> lags(Scene scene, String sql) {
    List<Problem> problems = new ArrayList<>();
    Map<String, SourceLag> lags = lags(scene, sql, problems);
    assertThat(problems).isEmpty();
    return lags;
  }

  /** The only lag of each table; of some there is none. */
  private static Map<String, SourceLag> lags(Scene scene, String sql, List<Problem> problems) {
    Pipeline pipeline = scene.bench().pipeline(sql, Map.of());
    try (FlinkRuntime runtime = FlinkRuntime.ofThisProcess(1)) {
      var resolved =
          new Update(
                  scene.bench().connection(),
                  runtime,
                  UpdateOptions.incremental(1),
                  ProgressListener.NONE)
              .validate(pipeline);
      Map<String, SourceLag> only = new HashMap<>();
      SourceLag.of(scene.bench().connection(), pipeline, resolved, problems::add)
          .forEach(
              (table, flows) -> {
                if (flows.isEmpty()) {
                  return;
                }
                assertThat(flows).hasSize(1);
                List<SourceLag> lags = flows.values().iterator().next();
                assertThat(lags).hasSize(1);
                only.put(table.replace("default.", ""), lags.get(0));
              });
      return only;
    }
  }
}
