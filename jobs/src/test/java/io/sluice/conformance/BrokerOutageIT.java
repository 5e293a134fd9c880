package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that go down under a continuous run and come back. */
class BrokerOutageIT {

  /** Rows of the topic are appended: one that is lost or doubled shows. */
  private static final String SQL =
      """
      SET 'execution.checkpointing.interval' = '1 s';
      CREATE STREAMING TABLE messages AS SELECT id, val
      FROM STREAM read_kafka(bootstrapServers => '%1$s', topic => '%2$s', format => 'json',
        schema => 'id INT, val STRING');
      CREATE STREAMING TABLE lines AS SELECT id
      FROM STREAM read_files('${dir}/lines', format => 'json', schema => 'id INT');
      """;

  @TempDir private Path folder;

  private static String[] messages(int... ids) {
    return IntStream.of(ids).mapToObj(id -> "{'id':" + id + ",'val':'a'}").toArray(String[]::new);
  }

  /** A line in a file is in its table: the job is alive and commits. */
  private static void goesOn(Scene scene, Keeper keeper, int id) {
    scene.json("lines/" + id + ".json", "{'id':" + id + "}");
    keeper.until("line " + id, () -> scene.rows("lines").contains("" + id));
  }

  @Test
  void a_run_outlives_an_outage_and_loses_and_doubles_nothing() {
    try (Broker broker = Broker.own();
        Scene scene = new Scene(folder)) {
      String topic = broker.topic(1);
      String sql = SQL.formatted(broker.servers(), topic);
      scene.json("lines/0.json", "{'id':0}");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        broker.sendAll(topic, messages(1, 2));
        keeper.until("the first rows", () -> scene.rows("messages").size() == 2);

        broker.sendAll(topic, messages(3, 4));
        broker.down();
        goesOn(scene, keeper, 1);
        goesOn(scene, keeper, 2);
        List<String> before = scene.rows("messages");
        goesOn(scene, keeper, 3);
        goesOn(scene, keeper, 4);
        assertThat(scene.rows("messages")).isEqualTo(before);

        broker.up();
        keeper.until("what was read before the outage", () -> scene.rows("messages").size() >= 4);
        broker.sendAll(topic, messages(5, 6));
        keeper.until("what was sent after it", () -> scene.rows("messages").contains("6 a"));
        assertThat(keeper.notices()).isEmpty();
      }
      assertThat(scene.rows("messages")).containsExactly("1 a", "2 a", "3 a", "4 a", "5 a", "6 a");
      assertThat(scene.positions(sql, "messages"))
          .containsExactly("kafka:" + topic + ": next offsets 0@6");
    }
  }

  @Test
  void a_run_goes_on_while_one_of_two_brokers_is_down() {
    try (Broker first = Broker.own();
        Broker second = first.another();
        Scene scene = new Scene(folder)) {
      String topic = second.topicWithCopy(first);
      String sql = SQL.formatted(second.servers() + "," + first.servers(), topic);
      scene.json("lines/0.json", "{'id':0}");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        first.sendAll(topic, messages(1, 2));
        keeper.until("the first rows", () -> scene.rows("messages").size() == 2);

        second.down();
        first.sendAll(topic, messages(3, 4));
        keeper.until("what the other one leads", () -> scene.rows("messages").size() >= 4);

        second.up();
        first.sendAll(topic, messages(5, 6));
        keeper.until("what was sent after it", () -> scene.rows("messages").contains("6 a"));
        goesOn(scene, keeper, 1);
        assertThat(keeper.notices()).isEmpty();
      }
      assertThat(scene.rows("messages")).containsExactly("1 a", "2 a", "3 a", "4 a", "5 a", "6 a");
    }
  }

  @Test
  void a_run_whose_job_cannot_start_again_for_lack_of_brokers_ends_and_says_so() {
    try (Broker broker = Broker.own();
        Scene scene = new Scene(folder)) {
      String sql =
          """
          SET 'restart-strategy.exponential-delay.initial-backoff' = '20 ms';
          SET 'restart-strategy.exponential-delay.max-backoff' = '20 ms';
          CREATE STREAMING TABLE messages AS SELECT id, val
          FROM STREAM read_kafka(bootstrapServers => '%s', topic => '%s', format => 'json',
            schema => 'id INT, val STRING', 'kafka.partition.discovery.interval.ms' => '500',
            'kafka.default.api.timeout.ms' => '1000', 'kafka.request.timeout.ms' => '1000');
          """
              .formatted(broker.servers(), broker.topic(1));
      Keeper keeper = scene.bench().keep(sql, Map.of(), false).started();
      broker.down();
      keeper.awaitDone();
      assertThat(keeper.failure())
          .asInstanceOf(InstanceOfAssertFactories.type(SluiceException.class))
          .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.KAFKA_UNAVAILABLE));
      broker.up();
    }
  }
}
