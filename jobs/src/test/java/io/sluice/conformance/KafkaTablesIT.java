package io.sluice.conformance;

import static io.sluice.conformance.Scene.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables with Flink's Kafka connector as sources; formats of changes (semantics 4.1). */
class KafkaTablesIT {

  private static final Broker KAFKA = Broker.shared();

  private static String feed(String topic, String columns, String format, String more) {
    return """
        CREATE TABLE feed (%s) WITH (
          'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',
          'format' = '%s'%s);
        """
        .formatted(columns, topic, KAFKA.servers(), format, more);
  }

  private static final String KEPT =
      """
      CREATE STREAMING TABLE kept;
      CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM(feed)
      KEYS (id) APPLY AS DELETE WHEN val = 'gone' SEQUENCE BY place COLUMNS * EXCEPT (place)
      STORED AS SCD TYPE 1;
      """;

  @Test
  void inserts_are_read_from_the_offsets_of_the_ledger_on(@TempDir Path folder) {
    String topic = KAFKA.topic(2);
    String sql =
        feed(
                topic,
                "id INT, val STRING, place BIGINT METADATA FROM 'offset' VIRTUAL, twice AS id * 2",
                "json",
                "")
            + KEPT
            + "CREATE STREAMING TABLE raw AS SELECT id, val FROM STREAM feed WHERE id > 1;";
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 0, null, "{'id':1,'val':'a'}");
      KAFKA.send(topic, 1, null, "{'id':2,'val':'b'}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a 2", "2 b 4");
      assertThat(scene.rows("raw")).containsExactly("2 b");
      assertThat(target(scene.run(sql), "kept").steps()).isZero();

      KAFKA.send(topic, 1, null, "{'id':2,'val':'gone'}");
      KAFKA.send(topic, 0, null, null);
      KAFKA.send(topic, 0, null, "{'id':3,'val':'c'}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a 2", "3 c 6");
      assertThat(scene.rows("raw")).containsExactly("2 b", "2 gone", "3 c");
      assertThat(scene.positions(sql, "kept_changes"))
          .containsExactly("kafka:" + topic + ": next offsets 0@3, 1@2");
    }
  }

  @Test
  void partitions_without_anything_new_or_at_all_do_not_stop_an_update(@TempDir Path folder) {
    String topic = KAFKA.topic(3);
    String sql =
        feed(topic, "id INT, val STRING, place BIGINT METADATA FROM 'offset' VIRTUAL", "json", "")
            + KEPT;
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 0, null, "{'id':1,'val':'a'}");
      scene.run(sql);
      KAFKA.send(topic, 1, null, "{'id':2,'val':'b'}");
      scene.run(sql);
      KAFKA.send(topic, 0, null, "{'id':3,'val':'c'}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a", "2 b", "3 c");
      assertThat(scene.positions(sql, "kept_changes"))
          .containsExactly("kafka:" + topic + ": next offsets 0@2, 1@1, 2@0");
      KAFKA.send(topic, 1, null, "{'id':4,'val':'d'}");
      try (Keeper keeper = scene.bench().keep(sql, Map.of(), false).started()) {
        KAFKA.send(topic, 2, null, "{'id':5,'val':'e'}");
        keeper.until("the last partition", () -> scene.rows("kept").size() == 5);
      }
    }
  }

  /** One more column than the hidden ones need, so that one of them is taken from the table. */
  private static final String COLUMNS =
      "id INT, val STRING, place BIGINT METADATA FROM 'offset' VIRTUAL";

  @Test
  void debezium_updates_are_upserts_and_deletes_are_deletes(@TempDir Path folder) {
    changes(
        folder,
        "debezium-json",
        "{'before':null,'after':{'id':1,'val':'a'},'op':'r'}",
        "{'before':null,'after':{'id':2,'val':'b'},'op':'c'}",
        "{'before':{'id':1,'val':'a'},'after':{'id':1,'val':'c'},'op':'u'}",
        "{'before':{'id':2,'val':'b'},'after':null,'op':'d'}");
  }

  @Test
  void expectations_judge_changes_and_deletes_alike(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql =
        feed(topic, COLUMNS, "debezium-json", "")
            + """
            CREATE VIEW brief (CONSTRAINT brief EXPECT (CHAR_LENGTH(val) < 3) ON VIOLATION DROP ROW)
            AS SELECT * FROM STREAM feed;
            CREATE STREAMING TABLE kept (
              CONSTRAINT low EXPECT (id < 10) ON VIOLATION DROP ROW,
              CONSTRAINT sane EXPECT (val <> 'no') ON VIOLATION FAIL UPDATE);
            CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM(brief)
            KEYS (id) SEQUENCE BY place COLUMNS * EXCEPT (place);
            CREATE STREAMING TABLE whole;
            CREATE FLOW whole_changes AS AUTO CDC INTO whole FROM STREAM(feed)
            KEYS (id) SEQUENCE BY place COLUMNS * EXCEPT (place);
            """;
    try (Scene scene = new Scene(folder)) {
      KAFKA.send(topic, 0, null, "{'before':null,'after':{'id':1,'val':'a'},'op':'c'}");
      KAFKA.send(topic, 0, null, "{'before':null,'after':{'id':2,'val':'b'},'op':'c'}");
      KAFKA.send(topic, 0, null, "{'before':null,'after':{'id':30,'val':'c'},'op':'c'}");
      KAFKA.send(topic, 0, null, "{'before':{'id':1,'val':'long'},'after':null,'op':'d'}");
      KAFKA.send(topic, 0, null, "{'before':{'id':2,'val':'b'},'after':null,'op':'d'}");
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a");
      assertThat(scene.rows("whole")).containsExactly("30 c");
      KAFKA.send(topic, 0, null, "{'before':null,'after':{'id':4,'val':'no'},'op':'c'}");
      assertThat(scene.failing(sql))
          .singleElement()
          .extracting(Problem::message)
          .asString()
          .contains("(val <> 'no') is violated by 1 row", topic + "-0@5: {id=4, val=no, place=5}");
    }
  }

  @Test
  void canal_updates_are_upserts_and_deletes_are_deletes(@TempDir Path folder) {
    changes(
        folder,
        "canal-json",
        "{'data':[{'id':'1','val':'a'},{'id':'2','val':'b'}],'type':'INSERT'}",
        "{'data':[{'id':'1','val':'c'}],'old':[{'val':'a'}],'type':'UPDATE'}",
        "{'data':[{'id':'2','val':'b'}],'type':'DELETE'}");
  }

  @Test
  void maxwell_updates_are_upserts_and_deletes_are_deletes(@TempDir Path folder) {
    changes(
        folder,
        "maxwell-json",
        "{'type':'insert','data':{'id':1,'val':'a'}}",
        "{'type':'insert','data':{'id':2,'val':'b'}}",
        "{'type':'update','data':{'id':1,'val':'c'},'old':{'val':'a'}}",
        "{'type':'delete','data':{'id':2,'val':'b'}}");
  }

  @Test
  void ogg_updates_are_upserts_and_deletes_are_deletes(@TempDir Path folder) {
    changes(
        folder,
        "ogg-json",
        "{'after':{'id':1,'val':'a'},'op_type':'I'}",
        "{'after':{'id':2,'val':'b'},'op_type':'I'}",
        "{'before':{'id':1,'val':'a'},'after':{'id':1,'val':'c'},'op_type':'U'}",
        "{'before':{'id':2,'val':'b'},'op_type':'D'}");
  }

  /** Row 1 from a to c, row 2 made and deleted; then row 1 deleted by its value, row 3 made. */
  private static void changes(Path folder, String format, String... messages) {
    String topic = KAFKA.topic(1);
    String sql =
        feed(topic, COLUMNS, format, "")
            + KEPT
            + """
            CREATE VIEW changed AS SELECT id, val, place FROM STREAM(feed);
            CREATE STREAMING TABLE versions;
            CREATE FLOW version_changes AS AUTO CDC INTO versions FROM STREAM(changed)
            KEYS (id) SEQUENCE BY place COLUMNS * EXCEPT (place) STORED AS SCD TYPE 2;
            """;
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, messages);
      KAFKA.send(topic, 0, null, null);
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 c");
      assertThat(scene.rows("versions"))
          .hasSize(3)
          .anySatisfy(row -> assertThat(row).startsWith("1 a ").doesNotEndWith("~"))
          .anySatisfy(row -> assertThat(row).startsWith("1 c ").endsWith("~"))
          .anySatisfy(row -> assertThat(row).startsWith("2 b ").doesNotEndWith("~"));
      assertThat(target(scene.run(sql), "kept").steps()).isZero();
    }
  }

  @Test
  void a_source_with_deletes_is_no_source_of_appends_or_aggregates(@TempDir Path folder) {
    String feed = feed(KAFKA.topic(1), COLUMNS, "debezium-json", "");
    try (Scene scene = new Scene(folder)) {
      assertThat(scene.refused(feed + "CREATE STREAMING TABLE raw AS SELECT id FROM STREAM(feed);"))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES);
      assertThat(
              scene.refused(
                  feed
                      + """
                      CREATE STREAMING TABLE sums;
                      CREATE FLOW summing AS AUTO CDC INTO sums
                      FROM (SELECT id, MAX(place) AS place FROM STREAM(feed) GROUP BY id)
                      KEYS (id) SEQUENCE BY place;
                      """))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.INVALID_QUERY);
    }
  }

  @Test
  void a_table_need_not_say_where_its_messages_are(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String changes =
        """
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM(feed)
        KEYS (id) SEQUENCE BY val;
        """;
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(
          topic,
          "{'before':null,'after':{'id':1,'val':'a'},'op':'c'}",
          "{'before':null,'after':{'id':2,'val':'a'},'op':'c'}",
          "{'before':{'id':2,'val':'b'},'after':null,'op':'d'}");
      scene.run(feed(topic, "id INT, val STRING", "debezium-json", "") + changes);
      assertThat(scene.rows("kept")).containsExactly("1 a");
      KAFKA.sendAll(topic, "{'id':3,'val':'c'}");
      scene.run(
          feed(
                  topic,
                  "id INT, val STRING, p INT METADATA FROM 'partition' VIRTUAL,"
                      + " `offset` BIGINT METADATA VIRTUAL",
                  "json",
                  "")
              + changes);
      assertThat(scene.rows("kept")).containsExactly("1 a ~ ~", "3 c 0 3");
    }
  }

  @Test
  void a_message_that_the_format_cannot_read_fails_the_update_unless_it_is_told_to_ignore_it(
      @TempDir Path folder) {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "no json", "{'id':1,'val':'a'}");
      assertThat(scene.failing(feed(topic, COLUMNS, "json", "") + KEPT))
          .extracting(Problem::code)
          .containsExactly(ErrorCode.UPDATE_FAILED);
      scene.run(feed(topic, COLUMNS, "json", ", 'json.ignore-parse-errors' = 'true'") + KEPT);
      assertThat(scene.rows("kept")).containsExactly("1 a");
    }
  }

  @Test
  void options_that_contradict_the_ledger_are_refused(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      assertThat(refused(scene, ", 'scan.startup.mode' = 'group-offsets'"))
          .isEqualTo(ErrorCode.INVALID_OPTION);
      assertThat(refused(scene, ", 'scan.start.mode' = 'earliest-offset'"))
          .as("an option that the connector does not know")
          .isEqualTo(ErrorCode.INVALID_QUERY);
      assertThat(refused(scene, ", 'scan.bounded.mode' = 'latest-offset'"))
          .isEqualTo(ErrorCode.INVALID_OPTION);
    }
  }

  private static ErrorCode refused(Scene scene, String more) {
    return scene.refused(feed("some", COLUMNS, "json", more) + KEPT).get(0).code();
  }

  @Test
  void a_table_may_begin_with_what_comes_next_and_be_read_once(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql =
        feed(topic, COLUMNS, "json", ", 'scan.startup.mode' = 'latest-offset'")
            + "CREATE STREAMING TABLE later AS SELECT id FROM STREAM feed;"
            + "CREATE STREAMING TABLE everything; CREATE FLOW once_all AS INSERT INTO ONCE everything BY NAME"
            + " SELECT id FROM feed;";
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, "{'id':1}");
      scene.run(sql);
      KAFKA.sendAll(topic, "{'id':2}");
      scene.run(sql);
      assertThat(scene.rows("later")).containsExactly("2");
      assertThat(scene.rows("everything")).containsExactly("1");
    }
  }
}
