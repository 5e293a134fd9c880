import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;

/**
 * Writes the change feed of this example, always the same one: {@code java GenerateFeed.java
 * FOLDER} makes {@code FOLDER/first} (3,000 changes in six files) and {@code FOLDER/second} (1,000
 * in two). One change in ten is delivered up to 400 changes too late; of those, some reach the
 * second delivery although they belong before changes of the first.
 */
public final class GenerateFeed {

  private static final int CHANGES = 4_000;
  private static final int FIRST = 3_000;
  private static final int PER_FILE = 500;
  private static final int CUSTOMERS = 600;
  private static final int MOST_LATE = 400;
  private static final Instant BEGIN = Instant.parse("2026-03-02T08:00:00Z");

  private static final List<String> FIRST_NAMES =
      List.of("Ada", "Bruno", "Chloe", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas");
  private static final List<String> LAST_NAMES =
      List.of("Arnold", "Bakker", "Costa", "Dumont", "Ek", "Fontaine", "Gruber", "Hansen", "Ito");
  private static final List<String> CITIES =
      List.of("Bergen", "Coimbra", "Dresden", "Gent", "Krakow", "Lyon", "Osaka", "Turku");
  private static final List<String> TIERS = List.of("basic", "silver", "gold");

  private record Customer(String name, String email, String city, String tier) {}

  private final Random random = new Random(20260302);
  private final TreeMap<Integer, Customer> living = new TreeMap<>();

  public static void main(String[] arguments) throws IOException {
    new GenerateFeed().write(Path.of(arguments[0]));
  }

  private void write(Path folder) throws IOException {
    List<String> feed = delivered(changes());
    for (int from = 0; from < CHANGES; from += PER_FILE) {
      Path part = folder.resolve(from < FIRST ? "first" : "second");
      Files.createDirectories(part);
      Path file = part.resolve("changes-%02d.json".formatted(from / PER_FILE + 1));
      Files.writeString(file, String.join("\n", feed.subList(from, from + PER_FILE)) + "\n");
    }
  }

  /** Every change in the order in which it happened. */
  private List<String> changes() {
    List<String> changes = new ArrayList<>();
    for (int number = 0; number < CHANGES; number++) {
      changes.add(change(BEGIN.plusSeconds(number * 151L + random.nextInt(60))));
    }
    return changes;
  }

  private String change(Instant at) {
    int id = 1 + random.nextInt(CUSTOMERS);
    Customer known = living.get(id);
    if (known == null) {
      String name = pick(FIRST_NAMES) + " " + pick(LAST_NAMES);
      Customer customer =
          new Customer(name, address(name, "example.org"), pick(CITIES), TIERS.get(0));
      living.put(id, customer);
      return json(id, customer, "INSERT", at);
    }
    int dice = random.nextInt(100);
    if (dice < 6) {
      living.remove(id);
      return "{\"customer_id\":%d,\"operation\":\"DELETE\",\"changed_at\":\"%s\"}"
          .formatted(id, at);
    }
    Customer changed =
        dice < 40
            ? new Customer(known.name, known.email, pick(CITIES), known.tier)
            : dice < 70
                ? new Customer(known.name, known.email, known.city, pick(TIERS))
                : new Customer(
                    known.name,
                    address(known.name, "mail" + random.nextInt(9) + ".example"),
                    known.city,
                    known.tier);
    living.put(id, changed);
    return json(id, changed, "UPDATE", at);
  }

  /** The order of delivery: one change in ten waits while up to 400 others pass it. */
  private List<String> delivered(List<String> changes) {
    TreeMap<Double, String> order = new TreeMap<>();
    for (int number = 0; number < changes.size(); number++) {
      boolean late = random.nextInt(10) == 0;
      order.put(
          late ? number + 1 + random.nextInt(MOST_LATE) + 0.5 + number * 1e-5 : number,
          changes.get(number));
    }
    return List.copyOf(order.values());
  }

  private String pick(List<String> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static String address(String name, String host) {
    return name.toLowerCase(Locale.ROOT).replace(' ', '.') + "@" + host;
  }

  private static String json(int id, Customer customer, String operation, Instant at) {
    return ("{\"customer_id\":%d,\"name\":\"%s\",\"email\":\"%s\",\"city\":\"%s\",\"tier\":\"%s\","
            + "\"operation\":\"%s\",\"changed_at\":\"%s\"}")
        .formatted(
            id, customer.name, customer.email, customer.city, customer.tier, operation, at);
  }
}
