package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static io.sluice.conformance.Scene.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.kafka.Broker;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** read_kafka in pipelines: formats, faults, positions (semantics 0.2, 0.3). */
class ReadKafkaIT {

  private static final Broker KAFKA = Broker.shared();

  private static String read(String topic, String more) {
    return "STREAM read_kafka(bootstrapServers => '%s', topic => '%s', %s)"
        .formatted(KAFKA.servers(), topic, more);
  }

  private static String json(String topic) {
    return read(topic, "format => 'json', schema => 'id INT, val STRING, seq INT'");
  }

  private static String changes(String topic) {
    return """
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM %s
        KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2;
        """
        .formatted(json(topic));
  }

  @Test
  void updates_go_on_where_the_ledger_says_in_every_partition(@TempDir Path folder) {
    String topic = KAFKA.topic(2);
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 0, null, "{'id':1,'val':'a','seq':1}");
      KAFKA.send(topic, 1, null, "{'id':2,'val':'b','seq':1}");
      UpdateResult first = scene.run(changes(topic));
      assertThat(flow(first, "kept_changes").rowsRead()).isEqualTo(2);
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~", "2 b 1 ~");

      assertThat(target(scene.run(changes(topic)), "kept").steps()).isZero();

      KAFKA.send(topic, 1, null, "{'id':1,'val':'c','seq':2}");
      KAFKA.grow(topic, 3);
      KAFKA.send(topic, 2, null, "{'id':3,'val':'d','seq':5}");
      UpdateResult second = scene.run(changes(topic));
      assertThat(flow(second, "kept_changes").rowsRead()).isEqualTo(2);
      assertThat(scene.rows("kept")).containsExactly("1 a 1 2", "1 c 2 ~", "2 b 1 ~", "3 d 5 ~");
      assertThat(scene.positions(changes(topic), "kept_changes"))
          .containsExactly("kafka:" + topic + ": next offsets 0@1, 1@2, 2@1");
    }
  }

  @Test
  void a_renamed_flow_goes_on_where_it_was(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql =
        "CREATE STREAMING TABLE raw; CREATE FLOW %s AS INSERT INTO raw BY NAME SELECT id FROM %s;";
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "{'id':1}");
      scene.run(sql.formatted("before", json(topic)));
      KAFKA.sendAll(topic, "{'id':2}");
      scene.run(sql.formatted("after", json(topic)));
      assertThat(scene.rows("raw")).containsExactly("1", "2");
    }
  }

  @Test
  void each_format_gives_its_columns(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql =
        """
        CREATE STREAMING TABLE objects AS SELECT id, _rescued_data,
          _metadata.topic AS topic, _metadata.partition AS part, _metadata.offset AS at,
          CAST(_metadata.key AS STRING) AS k
        FROM %s;
        CREATE STREAMING TABLE bytes AS SELECT CAST(key AS STRING) AS k, CAST(value AS STRING) AS v
        FROM %s;
        CREATE STREAMING TABLE records AS SELECT * FROM %s;
        """;
    String other = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 0, "k1", "{'id':1}");
      KAFKA.send(topic, 0, "k2", "{'id':'two','more':true}");
      KAFKA.send(topic, 0, "k3", null);
      KAFKA.sendAll(other, "1;'x;y';2.5", "2;;");
      scene.run(
          sql.formatted(
              read(topic, "format => 'json', schema => 'id INT, _rescued_data STRING'"),
              read(topic, "format => 'raw'"),
              read(
                  other,
                  "format => 'csv', delimiter => ';', schema => 'id INT, t STRING, d DOUBLE'")));
      String rescued = "{\"id\":\"two\",\"more\":true,\"_topic_partition\":\"" + topic + "-0\"}";
      assertThat(scene.rows("objects"))
          .containsExactly(
              "1 ~ %s 0 0 k1".formatted(topic), "~ %s %s 0 1 k2".formatted(rescued, topic));
      assertThat(scene.rows("bytes"))
          .containsExactly("k1 {\"id\":1}", "k2 {\"id\":\"two\",\"more\":true}", "k3 ~");
      assertThat(scene.rows("records")).containsExactly("1 x;y 2.5", "2 ~ ~");
    }
  }

  @Test
  void bad_messages_follow_the_rule_of_invalid_events(@TempDir Path folder) {
    String topic = KAFKA.topic(2);
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 1, null, "{'id':1,'val':'a','seq':1}");
      KAFKA.send(topic, 1, null, "no json");
      KAFKA.send(topic, 1, null, null);
      KAFKA.send(topic, 0, null, "{'val':'keyless','seq':1}");
      KAFKA.send(topic, 0, null, "{'id':2,'seq':'late'}");
      List<Problem> problems = scene.failing(changes(topic));
      assertThat(problems)
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_EVENT);
                assertThat(problem.message())
                    .contains("3 of flow 'kept_changes'")
                    .contains(topic + "-1@1", topic + "-0@0", topic + "-0@1", "no json");
              });
      assertThat(scene.rows("kept")).isEmpty();

      scene.run("SET 'sluice.invalid-events' = 'QUARANTINE';" + changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~");
      assertThat(scene.rows("kept__quarantine"))
          .hasSize(3)
          .anySatisfy(row -> assertThat(row).contains(topic + "-1@1"))
          .anySatisfy(row -> assertThat(row).contains(topic + "-0@0"));

      KAFKA.send(topic, 0, null, "[1]");
      KAFKA.send(topic, 0, null, "{'id':2,'val':'b','seq':1}");
      UpdateResult dropping = scene.run("SET 'sluice.invalid-events' = 'DROP';" + changes(topic));
      assertThat(flow(dropping, "kept_changes").invalid()).isEqualTo(1);
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~", "2 b 1 ~");
    }
  }

  @Test
  void messages_that_are_gone_before_they_were_read_are_an_error_that_names_them(
      @TempDir Path folder) {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "{'id':1,'val':'a','seq':1}");
      scene.run(changes(topic));
      KAFKA.sendAll(
          topic,
          "{'id':1,'val':'b','seq':2}",
          "{'id':1,'val':'c','seq':3}",
          "{'id':1,'val':'d','seq':4}");
      KAFKA.forget(topic, 0, 3);
      assertThat(scene.failing(changes(topic)))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
                assertThat(problem.message())
                    .contains("topic '" + topic + "'")
                    .contains("partition 0 is to be read from offset 1 and begins with offset 3");
                assertThat(problem.remedy()).contains("sluice.kafka.on-lost-offsets");
              });
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~");

      scene.run("SET 'sluice.kafka.on-lost-offsets' = 'EARLIEST';" + changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 a 1 4", "1 d 4 ~");
    }
  }

  @Test
  void a_topic_that_was_made_anew_is_not_taken_for_the_old_one(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "{'id':1,'val':'a','seq':1}");
      scene.run(changes(topic));
      KAFKA.delete(topic);
      KAFKA.create(topic, 1);
      KAFKA.sendAll(topic, "{'id':1,'val':'b','seq':2}", "{'id':1,'val':'c','seq':3}");
      assertThat(scene.failing(changes(topic)))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
                assertThat(problem.message()).contains("another topic of that name");
              });
      scene.run("SET 'sluice.kafka.on-lost-offsets' = 'EARLIEST';" + changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 a 1 2", "1 b 2 3", "1 c 3 ~");
    }
  }

  @Test
  void aborted_transactions_are_not_read_and_open_ones_end_an_update(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    Properties properties = KAFKA.producerProperties();
    properties.put("transactional.id", "writer of " + topic);
    try (Scene scene = new Scene(folder);
        KafkaProducer<byte[], byte[]> writer = new KafkaProducer<>(properties)) {
      writer.initTransactions();
      transact(writer, topic, "{'id':1,'val':'a','seq':1}");
      writer.commitTransaction();
      transact(writer, topic, "{'id':1,'val':'never','seq':2}");
      writer.abortTransaction();
      scene.run(changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~");

      transact(writer, topic, "{'id':1,'val':'b','seq':3}");
      writer.flush();
      KAFKA.sendAll(topic, "{'id':2,'val':'behind','seq':1}");
      assertThat(target(scene.run(changes(topic)), "kept").steps()).isZero();
      writer.commitTransaction();
      scene.run(changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 a 1 3", "1 b 3 ~", "2 behind 1 ~");
    }
  }

  private static void transact(KafkaProducer<byte[], byte[]> writer, String topic, String value) {
    writer.beginTransaction();
    writer.send(new ProducerRecord<>(topic, 0, null, Broker.bytes(value)));
  }

  @Test
  void a_flow_may_begin_with_what_comes_next_and_a_once_flow_reads_all(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql =
        "CREATE STREAMING TABLE later AS SELECT id FROM "
            + read(topic, "format => 'json', schema => 'id INT', startingOffsets => 'latest'")
            + "; CREATE STREAMING TABLE everything; CREATE FLOW once_all AS INSERT INTO ONCE everything BY NAME"
            + " SELECT id FROM "
            + read(topic, "format => 'json', schema => 'id INT'").replace("STREAM ", "")
            + ";";
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "{'id':1}");
      scene.run(sql);
      KAFKA.sendAll(topic, "{'id':2}");
      scene.run(sql);
      assertThat(scene.rows("later")).containsExactly("2");
      assertThat(scene.rows("everything")).containsExactly("1");
    }
  }

  @Test
  void ties_go_to_the_later_message_of_a_partition(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "{'id':1,'val':'z','seq':1}", "{'id':1,'val':'a','seq':1}");
      scene.run(changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 a 1 ~");
      KAFKA.sendAll(topic, "{'id':1,'val':'0','seq':1}");
      scene.run(changes(topic));
      assertThat(scene.rows("kept")).containsExactly("1 0 1 ~");
    }
  }

  @Test
  void wrong_calls_are_refused_without_asking_a_broker(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      assertThat(refusal(scene, "subscribe => 'orders'", ErrorCode.UNKNOWN_OPTION))
          .contains("Write topic => '..'");
      assertThat(refusal(scene, "topik => 'orders'", ErrorCode.UNKNOWN_OPTION))
          .contains("Did you mean 'topic'?");
      assertThat(
              refusal(
                  scene,
                  "bootstrapServers => 'nowhere:1', topic => 'orders', format => 'json'",
                  ErrorCode.SCHEMA_NOT_INFERRED))
          .contains("schema => 'id BIGINT");
      assertThat(
              refusal(
                  scene,
                  "bootstrapServers => 'nowhere:1', topic => 'a,b', format => 'raw'",
                  ErrorCode.INVALID_OPTION))
          .contains("each topic by a read_kafka of its own");
      scene
          .bench()
          .validate(
              "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_kafka("
                  + "bootstrapServers => 'nowhere:1', topic => 'orders', format => 'raw',"
                  + " kafka.security.protocol => 'SSL', 'kafka.ssl.key.password' => 'x');");
    }
  }

  private static String refusal(Scene scene, String arguments, ErrorCode code) {
    List<Problem> problems =
        scene.refused(
            "CREATE STREAMING TABLE t AS SELECT * FROM STREAM read_kafka(" + arguments + ");");
    assertThat(problems).extracting(Problem::code).containsExactly(code);
    return problems.get(0).remedy();
  }

  @Test
  void a_topic_that_is_not_there_and_brokers_that_do_not_answer_are_told_apart(
      @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      assertThat(scene.failing(changes("missing")))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.SOURCE_NOT_FOUND);
      String deaf =
          changes("missing")
              .replace(KAFKA.servers(), "localhost:1")
              .replace("format =>", "kafka.default.api.timeout.ms => '1500', format =>");
      assertThat(scene.failing(deaf))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.KAFKA_UNAVAILABLE);
    }
  }
}
