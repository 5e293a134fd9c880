package io.sluice.benchmarks;

import java.io.PrintStream;

/** How a measurement is printed. */
final class Table {

  private Table() {}

  static void line(
      PrintStream out, String what, int events, Measured measured, Workshop.Size size) {
    out.printf(
        "%-20s %7.2f s wall %7.2f s cpu %9.0f events/s   %,d rows, %.1f MB, %d files%n",
        what,
        measured.wallSeconds(),
        measured.cpuSeconds(),
        events / measured.wallSeconds(),
        size.rows(),
        size.bytes() / 1e6,
        size.files());
  }

  /** A median beside that of something else that had the same events. */
  static void beside(
      PrintStream out, String what, int events, Measured median, String other, Measured others) {
    out.printf(
        "%-20s %7.2f s wall %7.2f s cpu %9.0f events/s   %.2f of %s (cpu %.2f)%n",
        what,
        median.wallSeconds(),
        median.cpuSeconds(),
        events / median.wallSeconds(),
        others.wallSeconds() / median.wallSeconds(),
        other,
        others.cpuSeconds() / median.cpuSeconds());
  }
}
