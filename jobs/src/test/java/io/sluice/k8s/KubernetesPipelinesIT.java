package io.sluice.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Console;
import io.sluice.cli.Sluice;
import io.sluice.k8s.Overlay.Client;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients of the local overlay, run here with the files that they would have in their pods. */
class KubernetesPipelinesIT {

  private static final Path FEED =
      Overlay.FOLDER.resolveSibling("examples").resolve("customers/feed/first");

  @TempDir private Path folder;

  private final Overlay overlay = Overlay.of("local");
  private final StringWriter output = new StringWriter();

  @Test
  void theClientsOfTheLocalOverlayKeepTheirTables() throws IOException {
    overlay.configMap("sluice-pipelines").forEach(this::mount);
    overlay.configMap("sluice-catalog").forEach(this::mount);
    Path landing = Files.createDirectories(folder.resolve("data/landing/customers"));
    try (var files = Files.list(FEED)) {
      for (Path file : files.toList()) {
        Files.copy(file, landing.resolve(file.getFileName()));
      }
    }
    assertThat(run(List.of("validate", "live.sql"))).as(output.toString()).isZero();
    assertThat(run(arguments("sluice-live"))).as(output.toString()).isZero();
    assertThat(run(List.of("validate", "hourly.sql"))).as(output.toString()).isZero();
    assertThat(run(arguments("sluice-hourly"))).as(output.toString()).isZero();
    assertThat(run(arguments("sluice-maintain"))).as(output.toString()).isZero();
    try (Workbench bench = new Workbench(folder.resolve("data"))) {
      // The first update of the example, as its page tells.
      assertThat(bench.rows("customer_changes")).hasSize(3000);
      assertThat(bench.rows("customers_live")).hasSize(565);
      assertThat(bench.rows("customers")).hasSize(565);
      assertThat(bench.rows("customers_history")).hasSize(1851);
    }
  }

  /** What stands in the manifest; the continuous run makes the update with which it begins. */
  private List<String> arguments(String name) {
    Client client =
        overlay.clients().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<String> arguments = new ArrayList<>(client.sluiceArguments());
    arguments.remove("--continuous");
    return arguments;
  }

  private void mount(String name, String text) {
    try {
      Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a client's arguments; paths of the pod lie in the folder. */
  private int run(List<String> arguments) {
    List<String> here = new ArrayList<>();
    for (String argument : arguments) {
      here.add(
          argument.endsWith(".sql") || argument.endsWith(".yaml")
              ? folder.resolve(Path.of(argument).getFileName().toString()).toString()
              : argument);
    }
    if (!here.contains("--catalog-config")) {
      here.addAll(List.of("--catalog-config", folder.resolve("catalog.yaml").toString()));
    }
    Map<String, String> environment = new HashMap<>();
    overlay
        .configMap("sluice-environment")
        .forEach((key, value) -> environment.put(key, folder + value));
    PrintWriter printer = new PrintWriter(output, true);
    return Sluice.execute(
        new Console(printer, printer, environment, false), here.toArray(String[]::new));
  }
}
