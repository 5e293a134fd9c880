package examples.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ./sluice run --continuous} as a process. */
final class SluiceRun implements AutoCloseable {

  private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();
  private static final long PATIENCE_SECONDS = 120;
  private static final int OUTPUT_CHARACTERS = 4000;

  private final Process process;
  private final Path output;

  private SluiceRun(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts it.
   *
   * @param folder working folder, with the warehouse below
   * @param arguments behind {@code run --continuous}
   */
  static SluiceRun start(Path folder, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(HOME.resolve("sluice").toString());
    command.addAll(List.of("run", "--continuous"));
    command.addAll(arguments);
    Path output = folder.resolve("sluice.out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().put("SLUICE_JAVA_OPTS", "-Xmx1g -XX:TieredStopAtLevel=1");
    builder.environment().put("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString());
    return new SluiceRun(builder.start(), output);
  }

  boolean hasEnded() {
    return !process.isAlive();
  }

  /** SIGKILL; returns when the process is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM: the run ends after its last commit; gives its exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    awaitEnd();
    return process.exitValue();
  }

  private void awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the run does not end: " + output());
    }
  }

  /** The end of what the runs of the folder have printed. */
  String output() {
    try {
      String text = Files.readString(output);
      return text.substring(Math.max(0, text.length() - OUTPUT_CHARACTERS));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    if (process.isAlive()) {
      kill();
    }
  }
}
