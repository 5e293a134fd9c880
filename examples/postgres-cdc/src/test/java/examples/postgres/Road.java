package examples.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;

/** The whole way from PostgreSQL to Iceberg, in a folder. */
final class Road implements AutoCloseable {

  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path folder;
  private final Postgres postgres;
  private final KafkaBroker broker;
  private final KafkaDelivery kafka;
  private final Connection connection;
  private final KafkaConsumer<byte[], byte[]> topics;
  private Lake lake;
  private SluiceRun run;
  private int marks;

  Road(Path folder) throws IOException, SQLException, InterruptedException {
    this.folder = folder;
    this.postgres = Postgres.start();
    this.broker = KafkaBroker.start(folder.resolve("kafka"));
    this.kafka = new KafkaDelivery(broker.servers());
    this.connection = postgres.connect();
    this.topics =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.servers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    broker.create(1, "shop.public.marks", "shop.public.signals");
    for (SourceTable table : SourceTable.values()) {
      broker.create(PARTITIONS, table.topic());
      sql(table.ddl);
    }
    sql("CREATE TABLE marks (n INT PRIMARY KEY)");
    sql("CREATE TABLE signals (id TEXT PRIMARY KEY, type TEXT, data TEXT)");
    Files.createDirectories(folder.resolve("warehouse"));
    try (var pipeline = Road.class.getResourceAsStream("/pipeline.sql")) {
      Files.copy(pipeline, folder.resolve("pipeline.sql"));
    }
  }

  Postgres postgres() {
    return postgres;
  }

  Connection connection() {
    return connection;
  }

  void sql(String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  Delivery delivery() {
    return new Delivery(kafka);
  }

  /** Starts Debezium; settings are {@code key=value} beside those of the example. */
  Capture capture(Delivery delivery, String... settings) {
    try {
      Properties all = Capture.settings(Path.of("connector.json"), postgres);
      all.put("table.include.list", "public.items,public.parts,public.marks,public.signals");
      all.put("signal.data.collection", "public.signals");
      for (String setting : settings) {
        String[] parts = setting.split("=", 2);
        all.put(parts[0], parts[1]);
      }
      return Capture.start(all, folder.resolve(all.get("slot.name") + ".offsets"), delivery);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Removes what Debezium remembers under a name of a slot: the slot and the offsets. */
  void forget(String slot) throws SQLException, IOException {
    String active = "pg_replication_slots WHERE active AND slot_name = '" + slot + "'";
    until("the server has let go of the slot", () -> !isThere(active));
    sql("SELECT pg_drop_replication_slot('" + slot + "')");
    Files.deleteIfExists(folder.resolve(slot + ".offsets"));
  }

  /** Whether somebody, the maker of a slot for example, waits for the end of a transaction. */
  boolean isAwaited(String transaction) {
    return isThere("pg_locks WHERE NOT granted AND transactionid = '" + transaction + "'");
  }

  /** Whether a connector is done with its snapshot and reads changes. */
  boolean isStreaming() {
    return isThere("pg_stat_replication WHERE state = 'streaming'");
  }

  private boolean isThere(String from) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 1 FROM " + from)) {
      return rows.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks Debezium for a snapshot while it reads changes. */
  void signal(String type) throws SQLException {
    sql(
        "INSERT INTO signals VALUES ('%s', 'execute-snapshot', '%s')"
            .formatted(
                type,
                "{\"type\": \"%s\", \"data-collections\": [\"public.items\", \"public.parts\"]}"
                    .formatted(type)));
  }

  /** Starts Sluice, which takes over from a run that was killed. */
  void run() throws IOException {
    run =
        SluiceRun.start(
            folder, List.of("pipeline.sql", "--take-over", "--set", "servers=" + broker.servers()));
  }

  void kill() throws InterruptedException {
    run.kill();
    run = null;
  }

  void stop() throws InterruptedException {
    assertThat(run.stop()).as(run.output()).isZero();
  }

  /** Waits until the broker has all that was committed in the database so far. */
  void delivered(Delivery delivery) throws SQLException {
    marks++;
    sql("INSERT INTO marks VALUES (" + marks + ")");
    until("Debezium has sent mark " + marks, () -> delivery.mark() >= marks);
  }

  /** Waits until every table of the lake has read every message that the broker has. */
  void arrived() {
    if (lake == null) {
      until("the catalog is there", () -> Files.exists(folder.resolve("warehouse/catalog.db")));
      lake = new Lake(folder.resolve("warehouse"));
    }
    for (SourceTable table : SourceTable.values()) {
      Map<Integer, Long> ends = new TreeMap<>();
      List<TopicPartition> partitions =
          topics.partitionsFor(table.topic()).stream()
              .map(each -> new TopicPartition(each.topic(), each.partition()))
              .toList();
      topics.endOffsets(partitions).forEach((at, end) -> ends.put(at.partition(), end));
      for (String target : List.of(table.table, table.table + "_history")) {
        until(target + " has read up to " + ends, () -> lake.nextOffsets(target).equals(ends));
      }
    }
  }

  /** Waits for something; fails at once if Sluice has ended. */
  void until(String what, BooleanSupplier condition) {
    Awaitility.await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .failFast(
            () -> {
              if (run != null && run.hasEnded()) {
                throw new AssertionError("the run has ended: " + run.output());
              }
            })
        .until(condition::getAsBoolean);
  }

  /** The tables of SCD type 1 have the rows of the source, those of type 2 the model's versions. */
  void holds(Workload workload, String when) throws SQLException {
    for (SourceTable table : SourceTable.values()) {
      holdsRows(table, when);
      Map<List<Object>, List<List<Object>>> found = versions(table);
      Map<List<Object>, List<List<Object>>> expected = workload.history(table).versions();
      assertThat(found.keySet())
          .as("%s: keys in the history of %s", when, table.table)
          .containsExactlyInAnyOrderElementsOf(expected.keySet());
      expected.forEach(
          (key, versions) ->
              assertThat(lines(found.get(key)))
                  .as("%s: versions of %s %s", when, table.table, key)
                  .isEqualTo(lines(versions)));
    }
  }

  /** The table of SCD type 1 has the rows of the source. */
  void holdsRows(SourceTable table, String when) throws SQLException {
    assertThat(lines(lake.rows(table.table).stream().map(Road::values).toList()))
        .as("%s: %s", when, table.table)
        .containsExactlyInAnyOrderElementsOf(lines(table.rows(connection)));
  }

  /** By key the versions of a history, {@link History#GONE} where they do not meet. */
  private Map<List<Object>, List<List<Object>>> versions(SourceTable table) {
    List<Record> rows =
        lake.rows(table.table + "_history").stream()
            .sorted(Comparator.comparing(row -> place(row, "__START_AT"), Road::compare))
            .toList();
    Map<List<Object>, List<List<Object>>> versions = new HashMap<>();
    Map<List<Object>, List<Long>> ends = new HashMap<>();
    for (Record row : rows) {
      List<Object> values = values(row);
      List<Object> key = table.key(values);
      List<List<Object>> ofKey = versions.computeIfAbsent(key, each -> new ArrayList<>());
      if (!ofKey.isEmpty() && !place(row, "__START_AT").equals(ends.get(key))) {
        ofKey.add(History.GONE);
      }
      ofKey.add(values);
      ends.put(key, place(row, "__END_AT"));
    }
    ends.forEach(
        (key, end) -> {
          if (end != null) {
            versions.get(key).add(History.GONE);
          }
        });
    return versions;
  }

  /** Rows as texts, which a failure shows line by line. */
  private static List<String> lines(List<List<Object>> rows) {
    return rows.stream().map(Object::toString).map(row -> row.replace("\n", "\\n")).toList();
  }

  /**
   * The columns of the source; those of Sluice and of Iceberg's reader begin with an underscore.
   */
  private static List<Object> values(Record row) {
    return row.struct().fields().stream()
        .map(NestedField::name)
        .filter(name -> !name.startsWith("_"))
        .map(name -> SourceTable.shortened(row.getField(name)))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static List<Long> place(Record row, String column) {
    StructLike struct = (StructLike) row.getField(column);
    return struct == null
        ? null
        : Stream.of(0, 1, 2).map(i -> ((Number) struct.get(i, Object.class)).longValue()).toList();
  }

  private static int compare(List<Long> left, List<Long> right) {
    for (int i = 0; i < left.size(); i++) {
      int order = left.get(i).compareTo(right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public void close() throws Exception {
    if (run != null) {
      run.close();
    }
    if (lake != null) {
      lake.close();
    }
    topics.close();
    kafka.close();
    connection.close();
    broker.close();
    postgres.close();
  }
}
