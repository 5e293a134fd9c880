package io.sluice.cli;

import sun.misc.Signal;

/**
 * SIGTERM and SIGINT as wishes to stop. A shutdown hook of the JVM would come too late: beside it
 * run those that end the threads with which Iceberg commits.
 */
final class StopSignals {

  private StopSignals() {}

  /** Calls back, in a thread of the JVM, on the first signal; a second one ends the process. */
  static void on(Runnable stop) {
    for (String name : new String[] {"TERM", "INT"}) {
      Signal signal = new Signal(name);
      Signal.handle(
          signal,
          received -> {
            Signal.handle(signal, sun.misc.SignalHandler.SIG_DFL);
            stop.run();
          });
    }
  }
}
