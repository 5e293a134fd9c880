package io.sluice.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program as a process of its own, from the jar that the build has made. */
final class SluiceProcess implements AutoCloseable {

  private static final Path BUILD = Path.of("target").toAbsolutePath();
  private static final List<String> OPENED =
      List.of("lang", "util", "time", "util.concurrent", "net", "nio");

  private final Process process;
  private final Path output;

  private SluiceProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts {@code sluice} with these arguments; its working folder is the given one. */
  static SluiceProcess start(Path folder, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    OPENED.forEach(each -> command.add("--add-opens=java.base/java." + each + "=ALL-UNNAMED"));
    command.add("-Dlog4j2.configurationFile=" + BUILD.resolve("launcher/log4j2.properties"));
    command.addAll(List.of("-cp", classPath(), "io.sluice.cli.Sluice"));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("sluice.out");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("SLUICE_LOG_FILE", folder.resolve("sluice.log").toString());
    builder.environment().putAll(environment);
    try {
      return new SluiceProcess(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String classPath() {
    try (Stream<Path> jars = Files.list(BUILD);
        Stream<Path> libraries = Files.list(BUILD.resolve("lib"))) {
      return Stream.concat(
              jars.filter(jar -> jar.getFileName().toString().matches("sluice-jobs-[0-9.]+\\.jar")),
              libraries)
          .map(Path::toString)
          .collect(Collectors.joining(":"));
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
