package io.sluice.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The class loaders of jobs that are still in a process, by the JDK's own tool. */
final class JobClassLoaders {

  private static final String JCMD =
      Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();

  private JobClassLoaders() {}

  /** How many there are after a full collection of garbage. */
  static long count(long process) {
    ask(process, "GC.run");
    return ask(process, "VM.classloader_stats")
        .lines()
        .filter(line -> line.contains("ChildFirstClassLoader"))
        .count();
  }

  private static String ask(long process, String command) {
    try {
      Process asked =
          new ProcessBuilder(JCMD, Long.toString(process), command)
              .redirectErrorStream(true)
              .start();
      String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (asked.waitFor() != 0) {
        throw new IllegalStateException(command + ": " + answer);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
