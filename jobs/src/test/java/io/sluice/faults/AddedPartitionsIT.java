package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics that get partitions after a read is planned and before its job has begun. */
class AddedPartitionsIT {

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
}
