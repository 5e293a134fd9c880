package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics that get partitions or lose messages after a read is planned and before it has begun. */
class ChangingTopicsIT {

  private static final Broker KAFKA = Broker.shared();

  private static final String FEED =
      """
      CREATE TABLE feed (id INT, val STRING, seq INT) WITH ('connector' = 'kafka',
        'properties.bootstrap.servers' = '%s', 'topic' = '%s', 'format' = 'json');
      CREATE STREAMING TABLE kept;
      CREATE FLOW kept_changes AS AUTO CDC INTO kept FROM STREAM(feed)
      KEYS (id) SEQUENCE BY seq;
      """;

  @TempDir private Path folder;

  private final String topic = KAFKA.topic(1);
  private final AtomicInteger partitions = new AtomicInteger(1);

  private void add(int id) {
    int partition = partitions.getAndIncrement();
    KAFKA.grow(topic, partition + 1);
    send(partition, id);
  }

  private void send(int partition, int id) {
    KAFKA.send(topic, partition, null, "{'id':" + id + ",'val':'a','seq':1}");
  }

  private static List<Object> ids(Workbench bench) {
    return bench.rows("kept").stream().map(row -> row.get("id")).sorted().toList();
  }

  @Test
  void an_update_from_a_table_leaves_what_is_in_them_to_the_next_one() {
    String sql = FEED.formatted(KAFKA.servers(), topic);
    send(0, 1);
    ScriptedCatalog.Script script =
        (table, commit) -> {
          commit.run();
          // The table of remembered events is made when it is planned what is read.
          if (!table.name().equals("kept") && partitions.get() == 1) {
            add(2);
          }
        };
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      assertThat(bench.update(sql).failures()).isEmpty();
      assertThat(partitions).hasValue(2);
      assertThat(ids(bench)).containsExactly(1);
      assertThat(bench.update(sql).failures()).isEmpty();
      assertThat(ids(bench)).containsExactly(1, 2);
    }
  }

  @Test
  void a_continuous_run_from_a_table_reads_them_from_their_beginning() {
    String sql =
        FEED.formatted(KAFKA.servers(), topic)
            + "CREATE STREAMING TABLE later AS SELECT id"
            + " FROM STREAM read_files('${dir}/in', format => 'json', schema => 'id INT');";
    AtomicInteger sent = new AtomicInteger();
    ScriptedCatalog.Script script =
        (table, commit) -> {
          commit.run();
          // The last of these is made when the reads of the other table are planned.
          if (table.name().equals("later")) {
            add(sent.incrementAndGet());
          }
        };
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      bench.write("in/0.json", "{\"id\":0}");
      try (Keeper keeper = bench.keep(sql, Map.of(), false).started()) {
        int all = sent.get();
        assertThat(all).isPositive();
        keeper.until("all messages", () -> ids(bench).size() >= all);
        assertThat(keeper.notices()).isEmpty();
      }
    }
  }

  @Test
  void an_update_from_a_table_fails_where_messages_go_away_before_they_are_read() {
    String sql = FEED.formatted(KAFKA.servers(), topic);
    for (int id = 1; id <= 5; id++) {
      send(0, id);
    }
    AtomicInteger commits = new AtomicInteger();
    ScriptedCatalog.Script script =
        (table, commit) -> {
          commit.run();
          if (!table.name().equals("kept") && commits.getAndIncrement() == 0) {
            KAFKA.forget(topic, 0, 3);
          }
        };
    try (Workbench bench = new Workbench(folder, ScriptedCatalog.config(folder, script))) {
      assertThat(bench.update(sql).failures().values())
          .singleElement()
          .satisfies(
              problems ->
                  assertThat(problems)
                      .extracting(Problem::code)
                      .containsExactly(ErrorCode.KAFKA_OFFSETS_LOST));
      assertThat(ids(bench)).isEmpty();
      assertThat(bench.update(sql).failures()).isEmpty();
      assertThat(ids(bench)).containsExactly(4, 5);
    }
  }

  @Test
  void updates_and_runs_from_a_table_ask_for_no_consumer_group() {
    try (Broker broker = Broker.own();
        Workbench bench = new Workbench(folder)) {
      String own = broker.topic(1);
      String sql = FEED.formatted(broker.servers(), own);
      broker.sendAll(own, "{'id':1,'val':'a','seq':1}");
      assertThat(bench.update(sql).failures()).isEmpty();
      try (Keeper keeper = bench.keep(sql, Map.of(), false).started()) {
        broker.sendAll(own, "{'id':2,'val':'a','seq':1}");
        keeper.until("both rows", () -> ids(bench).equals(List.of(1, 2)));
      }
      assertThat(broker.hasGroups()).isFalse();
      broker.askForGroup("sluice");
      assertThat(broker.hasGroups()).as("what a question for a group leaves").isTrue();
    }
  }
}
