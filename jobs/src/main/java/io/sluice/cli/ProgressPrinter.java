package io.sluice.cli;

import io.sluice.run.ProgressListener;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Shows on a terminal what a running update has done so far, in one line that is rewritten. */
final class ProgressPrinter implements ProgressListener, AutoCloseable {

  private final Console console;
  private final Map<String, String> lines = new TreeMap<>();
  private int width;

  ProgressPrinter(Console console) {
    this.console = console;
  }

  @Override
  public synchronized void progress(String target, long rowsRead, long rowsWritten) {
    if (!console.terminal()) {
      return;
    }
    lines.put(target, "%s: %,d read, %,d written".formatted(target, rowsRead, rowsWritten));
    show(lines.values().stream().collect(Collectors.joining(" | ")));
  }

  private void show(String text) {
    console.err().print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
    console.err().flush();
    width = text.length();
  }

  /** Clears the line. */
  @Override
  public synchronized void close() {
    if (width > 0) {
      show("");
      console.err().print("\r");
      console.err().flush();
    }
  }
}
