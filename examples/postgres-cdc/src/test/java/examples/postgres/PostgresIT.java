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
      Delivery delivery = road.delivery();
      try (Capture capture = road.capture(delivery)) {
        road.delivered(delivery);
        road.run();
        workload.transactions(20);
        road.delivered(delivery);
        road.arrived();
        road.holds(workload, "seed " + seed);
      }
      road.stop();
    }
  }
}
