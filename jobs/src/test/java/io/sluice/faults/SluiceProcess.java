package io.sluice.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The program as a process of its own, from the jar that the build has made. */
final class SluiceProcess implements AutoCloseable {

  private static final Path LAUNCHER = Path.of("..", "sluice").toAbsolutePath().normalize();

  /** The launcher archives the classes first, which is no part of what is measured. */
  private static final AtomicBoolean ARCHIVED = new AtomicBoolean();

  private final Process process;
  private final Path output;

  private SluiceProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts {@code sluice} with these arguments; its working folder is the given one. */
  static SluiceProcess start(Path folder, Map<String, String> environment, String... arguments) {
    if (ARCHIVED.compareAndSet(false, true)) {
      try (SluiceProcess help = launch(folder, Map.of(), "help")) {
        if (!help.endsWithin(300_000) || help.exitCode() != 0) {
          throw new IllegalStateException("sluice help: " + help.output());
        }
      }
    }
    return launch(folder, environment, arguments);
  }

  private static SluiceProcess launch(
      Path folder, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("sluice.out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // The script ends in the program itself, so that signals reach it.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(
            "SLUICE_JAVA_OPTS",
            "-Xmx1g -XX:-UseParallelGC -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    builder.environment().put("SLUICE_LOG_DIR", folder.toString());
    builder.environment().putAll(environment);
    try {
      return new SluiceProcess(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end, at most so long; false if it still runs then. */
  boolean endsWithin(long milliseconds) {
    try {
      return process.waitFor(milliseconds, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGKILL; returns when the process is gone. */
  void kill() {
    process.destroyForcibly();
    if (!endsWithin(60_000)) {
      throw new IllegalStateException("process " + process.pid() + " survives SIGKILL");
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** What it has printed so far, on both streams. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
