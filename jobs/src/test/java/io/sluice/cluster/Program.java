package io.sluice.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Java process with Flink's jars, its output in a file. */
public final class Program implements AutoCloseable {

  /** The build's folder: the jar for clusters and, in {@code lib}, Flink itself. */
  private static final Path BUILD = Path.of("target").toAbsolutePath();

  private static final List<String> OPENED =
      List.of("lang", "util", "time", "util.concurrent", "net", "nio");

  private final Process process;
  private final Path output;

  private Program(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts a process.
   *
   * @param folder working folder, where its output goes to a new file named like the main class
   * @param environment variables besides those of this process
   */
  static Program start(
      Path folder, Map<String, String> environment, String heap, String main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    // Softly referenced classes go with the next collection, not only when metaspace is full.
    command.add("-XX:SoftRefLRUPolicyMSPerMB=0");
    OPENED.forEach(each -> command.add("--add-opens=java.base/java." + each + "=ALL-UNNAMED"));
    command.add("-Dlog4j2.configurationFile=" + BUILD.resolve("launcher/log4j2.properties"));
    command.add("-cp");
    command.add(flinkJars());
    command.add(main);
    command.addAll(List.of(arguments));
    Path output = newFile(folder, main.substring(main.lastIndexOf('.') + 1));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("SLUICE_LOG_FILE", output + ".log");
    builder.environment().putAll(environment);
    try {
      return new Program(builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The one jar of the build that a cluster needs besides Flink. */
  static Path jobJar() {
    return only(BUILD, "sluice-jobs-*.jar");
  }

  private static String flinkJars() {
    try (Stream<Path> jars = Files.list(BUILD.resolve("lib"))) {
      return jars.sorted().map(Path::toString).collect(Collectors.joining(":"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Several programs with one main class may run in a folder. */
  private static Path newFile(Path folder, String name) {
    int number = 1;
    while (Files.exists(folder.resolve(name + number + ".out"))) {
      number++;
    }
    return folder.resolve(name + number + ".out");
  }

  private static Path only(Path folder, String glob) {
    try (var found = Files.newDirectoryStream(folder, glob)) {
      List<Path> paths = new ArrayList<>();
      found.forEach(paths::add);
      return paths.stream().min(Comparator.naturalOrder()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the end; gives the exit code. */
  public int exitCode() {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public boolean runs() {
    return process.isAlive();
  }

  /** The operating system's number of the process. */
  long pid() {
    return process.pid();
  }

  /** SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** SIGKILL; returns when the process is gone. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Everything it has printed so far. */
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
