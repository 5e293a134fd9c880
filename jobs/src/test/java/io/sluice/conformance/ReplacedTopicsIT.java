package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics that are deleted and made again while a continuous run reads them. */
class ReplacedTopicsIT {

  private static final Broker KAFKA = Broker.shared();
  private static final String EARLIEST = "SET 'sluice.kafka.on-lost-offsets' = 'EARLIEST';";

  @TempDir private Path folder;

  private static String sql(String topic, boolean asTable) {
    String feed =
        "CREATE TABLE feed (id INT, val STRING, seq INT) WITH ('connector' = 'kafka',"
            + " 'properties.bootstrap.servers' = '%s', 'topic' = '%s', 'format' = 'json');"
                .formatted(KAFKA.servers(), topic);
    String call =
        "read_kafka(bootstrapServers => '%s', topic => '%s', format => 'json',"
                .formatted(KAFKA.servers(), topic)
            + " schema => 'id INT, val STRING, seq INT')";
    return "SET 'execution.checkpointing.interval' = '500 ms';"
        + (asTable ? feed : "")
        + "CREATE STREAMING TABLE kept;"
        + "CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM "
        + (asTable ? "feed" : call)
        + " KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2;";
  }

  private static String message(int id) {
    return "{'id':" + id + ",'val':'a','seq':1}";
  }

  private static void replace(String topic, int... ids) {
    KAFKA.delete(topic);
    KAFKA.create(topic, 1);
    for (int id : ids) {
      KAFKA.sendAll(topic, message(id));
    }
  }

  /** The error with which a run ends. */
  private static Problem endOf(Keeper keeper) {
    keeper.awaitDone();
    return ExceptionUtils.findThrowable(keeper.failure(), SluiceException.class)
        .orElseThrow()
        .problems()
        .get(0);
  }

  private static Keeper reading(Scene scene, String sql, String topic) {
    Keeper keeper = scene.bench().keep(sql, Map.of(), false).started();
    KAFKA.sendAll(topic, message(1), message(2));
    keeper.until("both rows", () -> scene.rows("kept").equals(List.of("1 a 1 ~", "2 a 1 ~")));
    return keeper;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void one_that_is_filled_beyond_the_offset_ends_the_run_before_anything_of_it_is_committed(
      boolean asTable) {
    String topic = KAFKA.topic(1);
    String sql = sql(topic, asTable);
    try (Scene scene = new Scene(folder)) {
      Keeper keeper = reading(scene, sql, topic);
      replace(topic, 11, 12, 13, 14);
      Problem problem = endOf(keeper);
      assertThat(problem.code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
      assertThat(problem.message())
          .contains(topic, "kept_changes", "was deleted and made again: its id was ");
      assertThat(problem.remedy()).contains("on-lost-offsets", "--full-refresh");
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~", "2 a 1 ~");
      assertThat(scene.positions(sql, "kept_changes"))
          .containsExactly("kafka:" + topic + ": next offsets 0@2");

      assertThat(scene.failing(sql))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.KAFKA_OFFSETS_LOST);
      scene.run(EARLIEST + sql);
      assertThat(scene.rows("kept"))
          .containsExactly("1 a 1 ~", "11 a 1 ~", "12 a 1 ~", "13 a 1 ~", "14 a 1 ~", "2 a 1 ~");
    }
  }

  @Test
  void one_that_is_filled_up_to_the_offset_ends_the_run_although_nothing_comes() {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      Keeper keeper = reading(scene, sql(topic, false), topic);
      replace(topic, 11, 12);
      assertThat(endOf(keeper).code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~", "2 a 1 ~");
    }
  }

  @Test
  void one_that_is_gone_ends_the_run() {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      Keeper keeper = reading(scene, sql(topic, false), topic);
      KAFKA.delete(topic);
      Problem problem = endOf(keeper);
      assertThat(problem.code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
      assertThat(problem.message()).contains(topic, "is gone");
    }
  }

  @Test
  void a_run_that_may_go_on_with_what_is_there_begins_anew_with_it() {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder);
        Keeper keeper = reading(scene, EARLIEST + sql(topic, false), topic)) {
      replace(topic, 11, 12, 13);
      keeper.until(
          "all rows of the new topic",
          () -> scene.rows("kept").containsAll(List.of("11 a 1 ~", "12 a 1 ~", "13 a 1 ~")));
      assertThat(keeper.notices()).anyMatch(notice -> notice.contains("begins anew"));
    }
  }
}
