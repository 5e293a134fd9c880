package io.sluice.conformance;

import static io.sluice.conformance.Scene.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.kafka.Broker;
import io.sluice.run.UpdateResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.iceberg.StructLike;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debezium's events as they are, and the order in which databases made their changes. */
class DebeziumIT {

  private static final Broker KAFKA = Broker.shared();

  /** An AUTO CDC pipeline of type 2 over Debezium's events of a table (id, val). */
  private static String pipeline(String topic, String sequence, String clauses) {
    return """
        CREATE VIEW changes AS
        SELECT COALESCE(after.id, before.id) AS id, after.val AS val, op, source
        FROM STREAM read_kafka(bootstrapServers => '%s', topic => '%s',
          format => 'debezium-json', schema => 'id INT NOT NULL, val STRING')
        WHERE op <> 'm';
        CREATE STREAMING TABLE kept;
        CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM(changes)
        KEYS (id) APPLY AS DELETE WHEN op = 'd' %s
        SEQUENCE BY %s COLUMNS * EXCEPT (op, source);
        """
        .formatted(KAFKA.servers(), topic, clauses, sequence);
  }

  private static String event(String op, String before, String after, String source) {
    return "{'op':'%s','before':%s,'after':%s,'source':{%s},'ts_ms':1}"
        .formatted(op, before, after, source);
  }

  private static String row(int id, String val) {
    return "{'id':%d,'val':'%s'}".formatted(id, val);
  }

  private static String lsn(long lastCommit, long lsn) {
    return "'snapshot':'false','sequence':'[\\'%d\\',\\'%d\\']','lsn':%d"
        .formatted(lastCommit, lsn, lsn);
  }

  @Test
  void every_operation_does_what_the_database_did(@TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql =
        pipeline(topic, "debezium_sequence('postgres')", "APPLY AS TRUNCATE WHEN op = 't'");
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(
          topic,
          event("r", "null", row(1, "a"), "'snapshot':'first','lsn':10"),
          event("r", "null", row(2, "b"), "'snapshot':'last','lsn':10"),
          event("c", "null", row(3, "c"), "'snapshot':'false','lsn':11"),
          event("u", "{'id':1,'val':null}", row(1, "a2"), lsn(12, 13)),
          event("d", "{'id':2,'val':null}", "null", lsn(13, 14)),
          event("m", "null", "null", lsn(13, 15)));
      KAFKA.send(topic, 0, "{'id':2}", null);
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a2", "3 c");

      // a changed key is a delete of the old one and a create of the new one at one position
      KAFKA.sendAll(
          topic,
          event("d", row(3, "c"), "null", lsn(15, 16)),
          event("c", "null", row(4, "c"), lsn(15, 16)));
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("1 a2", "4 c");

      KAFKA.sendAll(
          topic,
          event("t", "null", "null", lsn(16, 17)),
          event("c", "null", row(5, "e"), lsn(17, 18)));
      scene.run(sql);
      assertThat(scene.rows("kept")).containsExactly("5 e");
    }
  }

  @Test
  void events_may_have_their_schema_around_them_and_deletes_without_a_key_are_invalid(
      @TempDir Path folder) {
    String topic = KAFKA.topic(1);
    String sql = pipeline(topic, "debezium_sequence('postgres')", "");
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(
          topic,
          "{'schema':{'type':'struct','fields':[]},'payload':"
              + event("c", "null", row(1, "a"), lsn(1, 2))
              + "}",
          "{'schema':null,'payload':null}",
          event("d", "null", "null", lsn(2, 3)));
      UpdateResult result = scene.run("SET 'sluice.invalid-events' = 'QUARANTINE';" + sql);
      assertThat(flow(result, "kept_changes").invalid()).isEqualTo(1);
      assertThat(scene.rows("kept")).containsExactly("1 a");
      assertThat(scene.rows("kept__quarantine"))
          .singleElement()
          .asString()
          .contains("key column 'id' is NULL", topic + "-0@2");
    }
  }

  @Test
  void postgres_changes_are_ordered_by_commit_then_place(@TempDir Path folder) {
    ordered(
        folder,
        "debezium_sequence('postgres')",
        "'snapshot':'true','sequence':null,'lsn':100",
        "'snapshot':'false','sequence':'[null,\\'101\\']','lsn':101",
        lsn(200, 150),
        lsn(200, 1500),
        lsn(1501, 160),
        "'snapshot':'true','lsn':1600",
        lsn(1600, 1600),
        // written behind the snapshot by the first transaction to commit behind it
        lsn(1550, 1700),
        // a snapshot between changes has the last commit that was sent, and so has what was written
        // before it and commits behind it
        "'snapshot':'last','sequence':'[\\'1800\\',\\'1810\\']','lsn':1810",
        lsn(1800, 1650),
        lsn(1800, 1820),
        "'snapshot':'incremental','sequence':'[\\'1900\\',\\'1910\\']'",
        lsn(1900, 1660));
  }

  @Test
  void the_place_of_a_postgres_change_is_the_same_whether_its_sender_knows_the_commit_before(
      @TempDir Path folder) {
    String topic = KAFKA.topic(1);
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(
          topic,
          event("u", "null", row(1, "a"), lsn(50, 60)),
          event("u", "null", row(1, "b"), lsn(50, 70)),
          event(
              "u", "null", row(1, "a"), "'snapshot':'false','sequence':'[null,\\'60\\']','lsn':60"),
          event(
              "u",
              "null",
              row(1, "b"),
              "'snapshot':'false','sequence':'[null,\\'70\\']','lsn':70"));
      scene.run(
          pipeline(topic, "debezium_sequence('postgres')", "")
              .replace(
                  "COLUMNS * EXCEPT (op, source)",
                  "COLUMNS * EXCEPT (op, source) STORED AS SCD TYPE 2"));
      assertThat(scene.rows("kept")).containsExactly("1 a 60/1/60 70/1/70", "1 b 70/1/70 ~");
    }
  }

  @Test
  void mysql_changes_are_ordered_by_number_of_the_file(@TempDir Path folder) {
    ordered(
        folder,
        "debezium_sequence('mariadb')",
        "'snapshot':'last','file':'bin.000009','pos':900,'row':0",
        "'snapshot':'false','file':'bin.000009','pos':900,'row':0",
        "'snapshot':'false','file':'bin.000009','pos':1000,'row':0",
        "'snapshot':'false','file':'bin.000009','pos':1000,'row':1",
        "'snapshot':'incremental','file':'bin.000010','pos':4,'row':0",
        "'snapshot':'false','file':'bin.000010','pos':4,'row':0",
        "'snapshot':'false','file':'bin.1000000','pos':4,'row':0");
  }

  @Test
  void sql_server_changes_are_ordered_by_both_places_and_the_serial_number(@TempDir Path folder) {
    ordered(
        folder,
        "debezium_sequence('sqlserver')",
        "'snapshot':'true','commit_lsn':'00000027:00000ac0:0001','change_lsn':null",
        "'snapshot':'false','commit_lsn':'00000027:00000ac0:0002','change_lsn':"
            + "'00000027:00000ac0:0001','event_serial_no':1",
        "'snapshot':'false','commit_lsn':'00000027:00000ac0:0002','change_lsn':"
            + "'00000027:00000ac0:0001','event_serial_no':2",
        "'snapshot':'false','commit_lsn':'00000027:00000ac0:0002','change_lsn':"
            + "'00000027:00000ac0:000a','event_serial_no':1",
        "'snapshot':'false','commit_lsn':'00000028:00000010:0001','change_lsn':"
            + "'00000027:00000ac0:0001','event_serial_no':1");
  }

  @Test
  void oracle_changes_are_ordered_by_numbers_that_are_texts(@TempDir Path folder) {
    String rest = ",'ssn':0,'rs_id':' 0x00003f.0000ac0f.0010 ','txSeq':";
    ordered(
        folder,
        "debezium_sequence('oracle')",
        "'snapshot':'true','scn':'99','commit_scn':null",
        "'snapshot':'false','scn':'90','commit_scn':'100'" + rest + 1,
        "'snapshot':'false','scn':'100','commit_scn':'100'" + rest + 2,
        "'snapshot':'false','scn':'101','commit_scn':'1000'" + rest + 1,
        "'snapshot':'false','scn':'18446744073709551617','commit_scn':'18446744073709551618'"
            + rest
            + 1);
  }

  @Test
  void an_epoch_may_stand_before_the_place(@TempDir Path folder) {
    ordered(
        folder,
        "(CAST(source.server_id AS BIGINT), debezium_sequence('mysql', source))",
        "'snapshot':'false','server_id':1,'file':'bin.000100','pos':900,'row':0",
        "'snapshot':'false','server_id':2,'file':'bin.000001','pos':4,'row':0");
  }

  /** Sends the changes of one key backwards and expects the versions in the order given. */
  private static void ordered(Path folder, String sequence, String... sources) {
    String topic = KAFKA.topic(1);
    List<String> messages = new ArrayList<>();
    List<String> versions = new ArrayList<>();
    for (int i = 0; i < sources.length; i++) {
      messages.add(event("u", "null", row(1, "v" + i), sources[i]));
      versions.add("v" + i);
    }
    Collections.reverse(messages);
    try (Scene scene = new Scene(folder)) {
      KAFKA.sendAll(topic, messages.toArray(String[]::new));
      scene.run(
          pipeline(topic, sequence, "")
              .replace(
                  "COLUMNS * EXCEPT (op, source)",
                  "COLUMNS * EXCEPT (op, source) STORED AS SCD TYPE 2"));
      List<Object> found =
          scene.bench().rows("kept").stream()
              .sorted(
                  Comparator.comparing(row -> place(row.get("__START_AT")), DebeziumIT::compare))
              .map(row -> row.get("val"))
              .toList();
      assertThat(found).isEqualTo(versions);
    }
  }

  private static List<Object> place(Object struct) {
    List<Object> fields = new ArrayList<>();
    for (int i = 0; i < ((StructLike) struct).size(); i++) {
      fields.add(((StructLike) struct).get(i, Object.class));
    }
    return fields;
  }

  @SuppressWarnings("unchecked")
  private static int compare(List<Object> left, List<Object> right) {
    for (int i = 0; i < left.size(); i++) {
      int order = ((Comparable<Object>) left.get(i)).compareTo(right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Test
  void presets_that_are_not_there_are_refused(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      for (String wrong :
          List.of(
              "debezium_sequence('db2')",
              "debezium_sequence(postgres)",
              "debezium_sequence()",
              "debezium_sequence('mysql').pos",
              "(1 + debezium_sequence('mysql'), 2)")) {
        assertThat(scene.refused(pipeline("some", wrong, "")))
            .as(wrong)
            .extracting(Problem::code)
            .containsExactly(ErrorCode.INVALID_OPTION);
      }
    }
  }
}
