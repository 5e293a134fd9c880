package examples.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Calls of {@code ./sluice}; its tables and its log are below a folder. */
final class Sluice implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path home;
  private final Path folder;
  private Process run;

  /**
   * Commands of one home.
   *
   * @param home the folder with {@code sluice}
   * @param folder where tables, log and output go
   */
  Sluice(Path home, Path folder) {
    this.home = home;
    this.folder = folder;
  }

  /** Starts {@code sluice run --continuous}. */
  void run(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("run", "--continuous"));
    all.addAll(List.of(arguments));
    run =
        command(all)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sluice.out").toFile())
            .start();
  }

  /**
   * The rows of a query, values as texts; none if the table is not there yet.
   *
   * @throws IllegalStateException if the run has ended
   */
  List<List<String>> query(String sql) throws IOException, InterruptedException {
    if (!run.isAlive()) {
      throw new IllegalStateException(
          "the run has ended, see " + folder.resolve("sluice.out").toAbsolutePath());
    }
    Process query =
        command(List.of("query", "--output", "json", sql))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String answer = new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<List<String>> rows = new ArrayList<>();
    if (query.waitFor() == 0) {
      for (String line : answer.lines().toList()) {
        List<String> row = new ArrayList<>();
        for (JsonNode value : JSON.readTree(line)) {
          row.add(value.isNull() ? "NULL" : value.asText());
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private ProcessBuilder command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("sluice").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString());
    builder.environment().put("SLUICE_LOG_DIR", folder.toString());
    return builder;
  }

  /** Asks the run to stop; it commits once more before it ends. */
  int stop() throws InterruptedException {
    run.destroy();
    if (!run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the run does not stop");
    }
    return run.exitValue();
  }

  @Override
  public void close() {
    if (run != null) {
      run.destroyForcibly();
    }
  }
}
