import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes the registrations of this example, always the same ones: {@code java GenerateFeed.java
 * FOLDER} makes {@code FOLDER/year=YYYY/month=MM/day=DD/registrations.json} for 2022 to 2025, one
 * file a day on which somebody registered. From 2024 on a registration says through which channel
 * it came.
 */
public final class GenerateFeed {

  private static final int DAYS_A_YEAR = 6;
  private static final int FIRST_YEAR_WITH_CHANNEL = 2024;

  private static final List<String> EVENTS =
      List.of("Harbour Run", "Maker Weekend", "Choir Night", "Chess Open");
  private static final List<String> TICKETS = List.of("regular", "reduced", "free");
  private static final List<String> CHANNELS = List.of("web", "app", "desk");

  private final Random random = new Random(20220115);
  private int registrations = 1000;

  public static void main(String[] arguments) throws IOException {
    GenerateFeed generator = new GenerateFeed();
    for (int year = 2022; year <= 2025; year++) {
      for (int number = 0; number < DAYS_A_YEAR; number++) {
        LocalDate day = LocalDate.of(year, 2 * number + 1, 1 + generator.random.nextInt(28));
        generator.write(Path.of(arguments[0]), day);
      }
    }
  }

  private void write(Path root, LocalDate day) throws IOException {
    Path folder =
        root.resolve(
            "year=%d/month=%02d/day=%02d"
                .formatted(day.getYear(), day.getMonthValue(), day.getDayOfMonth()));
    Files.createDirectories(folder);
    List<String> lines = new ArrayList<>();
    int count = 3 + random.nextInt(5);
    for (int number = 0; number < count; number++) {
      lines.add(registration(day, 8 + number));
    }
    Files.writeString(
        folder.resolve("registrations.json"), String.join("\n", lines) + "\n");
  }

  private String registration(LocalDate day, int hour) {
    String line =
        "{\"registration_id\":%d,\"event\":\"%s\",\"ticket\":\"%s\",\"timestamp\":\"%sT%02d:%02d:00Z\""
            .formatted(++registrations, any(EVENTS), any(TICKETS), day, hour, random.nextInt(60));
    return day.getYear() < FIRST_YEAR_WITH_CHANNEL
        ? line + "}"
        : line + ",\"channel\":\"%s\"}".formatted(any(CHANNELS));
  }

  private String any(List<String> values) {
    return values.get(random.nextInt(values.size()));
  }
}
