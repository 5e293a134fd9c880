package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.kafka.Broker;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.RawMessages;
import io.sluice.kafka.StartingOffsets;
import io.sluice.kafka.TopicOffsets;
import io.sluice.kafka.TopicSource;
import io.sluice.run.Keeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a real broker in continuous runs. */
class ContinuousKafkaIT {

  private static final Broker KAFKA = Broker.shared();

  @TempDir private Path folder;

  private static String json(String topic) {
    return "STREAM read_kafka(bootstrapServers => '%s', topic => '%s', format => 'json',"
            .formatted(KAFKA.servers(), topic)
        + " schema => 'id INT, val STRING, seq INT')";
  }

  @Test
  void runs_and_updates_go_on_from_the_offsets_of_each_other() {
    String topic = KAFKA.topic(2);
    String sql =
        """
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM %s
        KEYS (id) SEQUENCE BY seq COLUMNS * EXCEPT (seq) STORED AS SCD TYPE 2;
        """
            .formatted(json(topic));
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 0, null, "{'id':1,'val':'a','seq':1}");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        KAFKA.send(topic, 1, null, "{'id':1,'val':'c','seq':3}");
        KAFKA.send(topic, 0, null, "{'id':1,'val':'b','seq':2}");
        keeper.until(
            "all versions",
            () -> scene.rows("kept").equals(List.of("1 a 1 2", "1 b 2 3", "1 c 3 ~")));
      }
      KAFKA.send(topic, 1, null, "{'id':2,'val':'x','seq':1}");
      scene.run(sql);
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        KAFKA.send(topic, 1, null, "{'id':2,'val':'y','seq':2}");
        keeper.until("the next version", () -> scene.rows("kept").contains("2 y 2 ~"));
      }
      assertThat(scene.rows("kept"))
          .containsExactly("1 a 1 2", "1 b 2 3", "1 c 3 ~", "2 x 1 2", "2 y 2 ~");
      assertThat(scene.positions(sql, "kept_changes"))
          .containsExactly("kafka:" + topic + ": next offsets 0@2, 1@3");
    }
  }

  @Test
  void a_partition_that_is_added_before_the_job_has_begun_is_read_from_its_beginning()
      throws Exception {
    String topic = KAFKA.topic(2);
    KAFKA.send(topic, 0, null, "{'id':1}");
    KAFKA.send(topic, 0, null, "{'id':2}");
    KAFKA.send(topic, 1, null, "{'id':3}");
    TopicOffsets planned = new TopicOffsets("", new TreeMap<>(Map.of(0, 1L)));
    KafkaTopic read = new KafkaTopic(topic, KAFKA.servers(), StartingOffsets.EARLIEST, Map.of());
    try (CloseableIterator<RowData> messages =
        StreamExecutionEnvironment.getExecutionEnvironment()
            .fromSource(
                TopicSource.unbounded(read, planned), WatermarkStrategy.noWatermarks(), "topic")
            .executeAndCollect()) {
      assertThat(List.of(place(messages.next()), place(messages.next())))
          .containsExactlyInAnyOrder("0@1", "1@0");
    }
  }

  private static String place(RowData message) {
    return message.getInt(RawMessages.PARTITION) + "@" + message.getLong(RawMessages.OFFSET);
  }

  @Test
  void messages_that_cannot_be_read_are_quarantined_and_tombstones_skipped() {
    String topic = KAFKA.topic(1);
    String sql =
        "SET 'sluice.invalid-events' = 'QUARANTINE';"
            + " CREATE STREAMING TABLE raw AS SELECT id, val FROM "
            + json(topic)
            + ";";
    try (Scene scene = new Scene(folder)) {
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        KAFKA.sendAll(topic, "{'id':1,'val':'a'}", "broken", "{'id':2,'val':'b'}");
        KAFKA.send(topic, 0, "1", null);
        keeper.until("both rows", () -> scene.rows("raw").equals(List.of("1 a", "2 b")));
      }
      assertThat(scene.bench().rows("raw__quarantine"))
          .singleElement()
          .asString()
          .contains("broken", topic + "-0");
    }
  }

  @Test
  void a_changelog_table_deletes_what_its_source_deletes() {
    String topic = KAFKA.topic(1);
    String sql =
        """
        CREATE TABLE feed (id INT, val STRING, place BIGINT METADATA FROM 'offset' VIRTUAL)
        WITH ('connector' = 'kafka', 'topic' = '%s', 'format' = 'debezium-json',
          'properties.bootstrap.servers' = '%s');
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM(feed)
        KEYS (id) SEQUENCE BY place COLUMNS * EXCEPT (place) STORED AS SCD TYPE 1;
        """
            .formatted(topic, KAFKA.servers());
    try (Scene scene = new Scene(folder);
        Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
      KAFKA.sendAll(
          topic,
          "{'before':null,'after':{'id':1,'val':'a'},'op':'c'}",
          "{'before':null,'after':{'id':2,'val':'b'},'op':'c'}");
      keeper.until("both rows", () -> scene.rows("kept").equals(List.of("1 a", "2 b")));
      KAFKA.sendAll(
          topic,
          "{'before':{'id':1,'val':'a'},'after':{'id':1,'val':'c'},'op':'u'}",
          "{'before':{'id':2,'val':'b'},'after':null,'op':'d'}");
      keeper.until("one row", () -> scene.rows("kept").equals(List.of("1 c")));
    }
  }
}
