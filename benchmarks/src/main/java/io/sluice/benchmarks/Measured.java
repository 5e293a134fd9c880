package io.sluice.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/**
 * What one piece of work took.
 *
 * @param wallSeconds elapsed time
 * @param cpuSeconds processor time of this process, user and system, all threads
 */
record Measured(double wallSeconds, double cpuSeconds) {

  /** Runs a piece of work, after a collection of the garbage that others left. */
  static <T> Timed<T> time(Callable<T> work) throws Exception {
    System.gc();
    long cpu = cpuNanos();
    long wall = System.nanoTime();
    T result = work.call();
    return new Timed<>(
        result, new Measured((System.nanoTime() - wall) / 1e9, (cpuNanos() - cpu) / 1e9));
  }

  /** A result and what it took. */
  record Timed<T>(T result, Measured measured) {}

  Measured plus(Measured more) {
    return new Measured(wallSeconds + more.wallSeconds, cpuSeconds + more.cpuSeconds);
  }

  /** Processor time of this process since its start. */
  static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
