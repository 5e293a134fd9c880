package examples.postgres;

import java.nio.file.Path;
import java.util.Random;
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
