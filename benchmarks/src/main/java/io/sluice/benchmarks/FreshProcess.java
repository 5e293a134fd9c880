package io.sluice.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Updates in a process that does nothing else, from its start to its end: nothing is loaded,
 * compiled or running when it begins, as with a command line.
 */
final class FreshProcess {

  private static final String RESULT = "result ";

  private FreshProcess() {}

  /**
   * What a process did.
   *
   * @param measured from its start to its end
   * @param rows of the table afterwards
   */
  record Result(Measured measured, long rows) {}

  /**
   * Starts a process with the options of this one and waits for it.
   *
   * @param feed folder of the events
   * @param fileByFile whether each file of the feed is an update of its own
   */
  static Result run(int scdType, Path feed, boolean fileByFile) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.contains("FlightRecord"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FreshProcess.class.getName(), Integer.toString(scdType)));
    command.addAll(List.of(feed.toString(), Boolean.toString(fileByFile)));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes());
    int exit = process.waitFor();
    double wall = (System.nanoTime() - start) / 1e9;
    if (exit != 0) {
      throw new IllegalStateException(command + " ended with " + exit + ": " + output);
    }
    String[] found =
        output.substring(output.lastIndexOf(RESULT) + RESULT.length()).strip().split(" ");
    return new Result(new Measured(wall, Double.parseDouble(found[0])), Long.parseLong(found[1]));
  }

  /** The process: prints its processor time and the rows of its table. */
  public static void main(String[] arguments) throws Exception {
    int scdType = Integer.parseInt(arguments[0]);
    Path feed = Path.of(arguments[1]);
    long rows;
    try (Workshop workshop = new Workshop(Runtime.getRuntime().availableProcessors())) {
      if (Boolean.parseBoolean(arguments[2])) {
        Path arriving = Files.createDirectories(workshop.folder("arriving"));
        for (Path file : filesOf(feed)) {
          Files.createLink(arriving.resolve(file.getFileName()), file);
          workshop.update(Pipelines.cdc("fresh", scdType, arriving));
        }
      } else {
        workshop.update(Pipelines.cdc("fresh", scdType, feed));
      }
      rows = workshop.size("fresh").rows();
    }
    System.out.println(RESULT + Measured.cpuNanos() / 1e9 + " " + rows);
    System.exit(0);
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
