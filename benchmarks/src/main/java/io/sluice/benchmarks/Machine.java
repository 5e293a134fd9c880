package io.sluice.benchmarks;

/** The facts about machine and process that figures depend on. */
final class Machine {

  private Machine() {}

  static String describe() {
    Runtime runtime = Runtime.getRuntime();
    return "%d cores, heap %d MB, JDK %s, %s %s"
        .formatted(
            runtime.availableProcessors(),
            runtime.maxMemory() >> 20,
            System.getProperty("java.version"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }
}
