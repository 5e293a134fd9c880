package examples.postgres;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL, Debezium, Kafka, Sluice and Iceberg, all of them real. A failure names its seed: run
 * it again with {@code -Dsluice.test.seed=<seed>}.
 */
class PostgresIT {

  private static final String ROWS = "public.items,public.parts";

  private final long seed = Long.getLong("sluice.test.seed", System.nanoTime() & 0xFFFFFF);
  private final Random random = new Random(seed);

  @TempDir private Path folder;

  @Test
  void tables_hold_what_the_database_has_whatever_happens_on_the_way() throws Exception {
    System.out.println("PostgresIT seed " + seed);
    try (Road road = new Road(folder);
        Workload workload = new Workload(random, road.postgres())) {
      workload.transactions(10);
      workload.beginHistories(road.connection());
      Delivery first = road.delivery();
      try (Capture capture = road.capture(first)) {
        road.delivered(first);
        road.run();
        workload.transactions(30);
        road.delivered(first);
        road.arrived();
        road.holds(workload, "seed " + seed + ", snapshot and changes");

        workload.transactions(15);
        road.kill();
        workload.transactions(15);
        first.stopAcknowledging();
        workload.transactions(10);
        road.delivered(first);
        road.run();
      }
      road.arrived();
      road.holds(workload, "seed " + seed + ", killed run");

      Delivery second = road.delivery();
      try (Capture capture = road.capture(second)) {
        workload.transactions(5);
        road.delivered(second);
        road.arrived();
        road.holds(workload, "seed " + seed + ", events sent twice");

        oldSnapshot(road, workload, second);
        incrementalSnapshot(road, workload, second);
        blockingSnapshot(road, workload, second);

        workload.truncate();
        workload.transactions(5);
        road.delivered(second);
        road.arrived();
        road.holds(workload, "seed " + seed + ", truncated");
      }
      newSlot(road, workload);
      road.stop();
    }
  }

  /**
   * What was written before a snapshot by the first transaction to commit behind it cannot be told
   * from what the snapshot has: the rows of an incremental snapshot put it right.
   */
  @Test
  void a_connector_may_begin_among_transactions_if_it_is_asked_for_an_incremental_snapshot()
      throws Exception {
    try (Road road = new Road(folder);
        OpenTransaction first = new OpenTransaction(road.postgres());
        OpenTransaction second = new OpenTransaction(road.postgres());
        OpenTransaction third = new OpenTransaction(road.postgres())) {
      road.sql("INSERT INTO items (id, name) SELECT n, 'old' FROM generate_series(1, 30) n");
      road.sql("INSERT INTO parts SELECT n, 'old' FROM generate_series(1, 30) n");
      Delivery delivery = road.delivery();
      first.execute("UPDATE items SET name = 'first' WHERE id = 1");
      CompletableFuture<Capture> starting =
          CompletableFuture.supplyAsync(() -> road.capture(delivery));
      road.until("the slot waits for the first", () -> road.isAwaited(first.id()));
      second.execute("UPDATE items SET name = 'second' WHERE id = 2");
      first.commit();
      road.until("the slot waits for the second", () -> road.isAwaited(second.id()));
      third.execute("UPDATE items SET name = 'third' WHERE id = 3");
      second.commit();
      try (Capture capture = starting.get()) {
        road.until("the snapshot is taken", road::isStreaming);
        third.commit();
        road.delivered(delivery);
        road.signal("incremental");
        road.until("the chunks are read", () -> delivery.snapshotRows("incremental") == 60);
      }
      road.run();
      road.arrived();
      for (SourceTable table : SourceTable.values()) {
        road.holdsRows(table, "begun among transactions");
      }
      road.stop();
    }
  }

  /** A second connector takes a snapshot whose rows arrive after the changes that followed it. */
  private void oldSnapshot(Road road, Workload workload, Delivery delivery) throws Exception {
    Delivery late = road.delivery();
    late.holdSnapshot();
    try (Capture capture =
        road.capture(
            late,
            "slot.name=late",
            "publication.name=late",
            "table.include.list=" + ROWS,
            "custom.metric.tags=connector=late")) {
      road.until("the snapshot is taken", () -> late.snapshotRows("last") > 0);
      workload.transactions(20);
      road.delivered(delivery);
    }
    late.release();
    road.forget("late");
    road.arrived();
    road.holds(workload, "seed " + seed + ", an old snapshot arrived late");
  }

  /** Asks for the rows again, in chunks between the changes. */
  private void incrementalSnapshot(Road road, Workload workload, Delivery delivery)
      throws Exception {
    road.signal("incremental");
    workload.transactions(20);
    road.until("the chunks are read", () -> delivery.snapshotRows("incremental") > 0);
    workload.transactions(5);
    road.delivered(delivery);
    road.arrived();
    road.holds(workload, "seed " + seed + ", incremental snapshot");
  }

  /** Asks for all rows again; changes wait meanwhile. */
  private void blockingSnapshot(Road road, Workload workload, Delivery delivery) throws Exception {
    road.delivered(delivery);
    road.signal("blocking");
    road.until("the rows are read again", () -> delivery.snapshotRows("last") > 0);
    workload.transactions(20);
    road.delivered(delivery);
    road.arrived();
    road.holds(workload, "seed " + seed + ", blocking snapshot");
  }

  /** The slot is lost, and with it changes; the next connector begins with a snapshot. */
  private void newSlot(Road road, Workload workload) throws Exception {
    road.forget("sluice");
    road.sql("UPDATE items SET name = 'unseen' WHERE id % 3 = 0");
    road.sql("INSERT INTO items (id, name) SELECT n, 'new' FROM generate_series(100, 105) n");
    road.sql("UPDATE parts SET quantity = -1, note = repeat('y', 5000) WHERE a < 3");
    for (SourceTable table : SourceTable.values()) {
      workload.overlook(table, road.connection());
    }
    Delivery delivery = road.delivery();
    try (Capture capture = road.capture(delivery)) {
      road.delivered(delivery);
      workload.transactions(20);
      road.delivered(delivery);
      road.arrived();
      road.holds(workload, "seed " + seed + ", new slot");
    }
  }
}
