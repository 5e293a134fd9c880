package io.sluice.table;

import java.util.concurrent.atomic.AtomicLong;

/** What a reader did; may be read by another thread while the reader works. */
public final class ReadStatistics {

  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong rowsRead = new AtomicLong();
  private final AtomicLong rowsEmitted = new AtomicLong();
  private final AtomicLong splitsRead = new AtomicLong();
  private final AtomicLong splitsSkipped = new AtomicLong();

  /** Bytes read from storage, of data files and delete files. */
  public long bytes() {
    return bytes.get();
  }

  /** Rows decoded, each once per pass. */
  public long rowsRead() {
    return rowsRead.get();
  }

  /** Rows handed over. */
  public long rowsEmitted() {
    return rowsEmitted.get();
  }

  /** Splits of which at least the footer was read. */
  public long splitsRead() {
    return splitsRead.get();
  }

  /** Splits that statistics or partition values ruled out. */
  public long splitsSkipped() {
    return splitsSkipped.get();
  }

  AtomicLong byteCounter() {
    return bytes;
  }

  void rowRead() {
    rowsRead.incrementAndGet();
  }

  void rowEmitted() {
    rowsEmitted.incrementAndGet();
  }

  void splitRead() {
    splitsRead.incrementAndGet();
  }

  void splitSkipped() {
    splitsSkipped.incrementAndGet();
  }
}
