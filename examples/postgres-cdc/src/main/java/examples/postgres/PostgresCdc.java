package examples.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/**
 * Starts a database, a broker, Debezium and {@code sluice run --continuous}, lets something happen
 * in the database, and shows that the tables follow. Everything is stopped at the end.
 */
public final class PostgresCdc {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Screen screen = new Screen(System.out);
  private final Shop shop;
  private final Sluice sluice;

  private PostgresCdc(Shop shop, Sluice sluice) {
    this.shop = shop;
    this.sluice = sluice;
  }

  /**
   * Runs the example.
   *
   * @param arguments the folder with {@code sluice}, and an empty folder for everything that is
   *     written
   */
  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    Path folder = Files.createDirectories(Path.of(arguments[1]));
    Path example = home.resolve("examples/postgres-cdc");
    System.out.println("Starting PostgreSQL, Kafka, Debezium and Sluice");
    try (Postgres postgres = Postgres.start();
        Shop shop = new Shop(postgres);
        KafkaBroker broker = KafkaBroker.start(folder.resolve("kafka"));
        KafkaDelivery delivery = new KafkaDelivery(broker.servers());
        Sluice sluice = new Sluice(home, folder)) {
      broker.create(3, "shop.public.customers", "shop.public.orders");
      Properties connector = Capture.settings(example.resolve("connector.json"), postgres);
      try (Capture capture = Capture.start(connector, folder.resolve("offsets"), delivery)) {
        sluice.run(
            example.resolve("pipeline.sql").toString(), "--set", "servers=" + broker.servers());
        new PostgresCdc(shop, sluice).show();
        System.out.println();
        System.out.println("The run was stopped and ended with exit code " + sluice.stop());
      }
    }
  }

  private void show() throws SQLException, IOException, InterruptedException {
    compare("What was there");
    for (Shop.Moment moment : Shop.MOMENTS) {
      shop.happens(moment);
      compare(moment.what());
    }
    screen.heading("The history of customer 1");
    screen.table(
        List.of("id", "city", "tier", "from_lsn", "to_lsn"),
        sluice.query(
            "SELECT id, city, tier, __START_AT.lsn AS from_lsn, __END_AT.lsn AS to_lsn"
                + " FROM customers_history WHERE id = 1 ORDER BY from_lsn"));
  }

  /** Waits until both sides say the same, and prints what that is. */
  private void compare(String what) throws SQLException, IOException, InterruptedException {
    screen.heading(what);
    long since = System.nanoTime();
    for (Shop.Question question : Shop.QUESTIONS) {
      List<List<String>> source = shop.query(question.sql());
      while (!sluice.query(question.sql()).equals(source)) {
        if (System.nanoTime() - since > PATIENCE.toNanos()) {
          throw new IllegalStateException(question.table() + " does not become " + source);
        }
      }
      System.out.println(question.table() + ", the same in PostgreSQL and in Iceberg:");
      screen.table(question.columns(), source);
    }
    System.out.printf("seen after %.1f s%n", (System.nanoTime() - since) / 1e9);
  }
}
