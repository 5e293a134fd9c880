package io.sluice.sequencing;

import io.sluice.errors.SluiceException;
import io.sluice.history.Sequence;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * The work of one subtask of a {@link ContinuousSequencer}: lets events wait, opens their keys,
 * applies them, and writes rows and state at the latest before the barrier.
 */
final class KeyedWork {

  /** The part of Flink's operator that it needs. */
  interface Keys {

    /** Keyed state and timers are those of this key from now on. */
    void setCurrent(RowKey key);

    /**
     * Moves the timer of the current key.
     *
     * @param from when it would have fired, milliseconds since 1970; 0 if there was none
     * @param to when it fires; 0 for never
     */
    void moveTimer(long from, long to);
  }

  private final Keys keys;
  private final ProcessingTimeService time;
  private final KeyStore store;
  private final KeyTables tables;
  private final EventApplier applier;
  private final RetentionClock retention;
  private final SequencerMetrics metrics;
  private final RecordCodec codec;
  private final ReorderWindow reordering;
  private final OpenKeys open = new OpenKeys();
  private final boolean readsSuffix;
  private final boolean bitemporal;
  private final long window;
  private final long openBytes;
  private final long waitingBytes;
  private byte[] expired;
  private long update;

  /**
   * @param window how long events wait for each other, milliseconds
   * @param memory most bytes of open keys and events that wait
   */
  KeyedWork(
      Keys keys,
      ProcessingTimeService time,
      TargetLayout layout,
      KeyStore store,
      KeyTables tables,
      EventApplier applier,
      RetentionClock retention,
      SequencerMetrics metrics,
      long window,
      long memory) {
    this.keys = keys;
    this.time = time;
    this.store = store;
    this.tables = tables;
    this.applier = applier;
    this.retention = retention;
    this.metrics = metrics;
    this.window = window;
    this.waitingBytes = memory / 2;
    this.openBytes = memory - waitingBytes;
    this.codec = new RecordCodec(layout.valueColumns().getFieldCount());
    this.reordering = new ReorderWindow(window, time, this::apply);
    this.readsSuffix = layout.readsSuffix();
    this.bitemporal = layout.type() == StorageType.BITEMPORAL;
  }

  /** The number that the companion names as the update of what is written from now on. */
  void setUpdate(long number) {
    update = number;
  }

  /** An event, of any key. */
  void event(PackedRecord event) throws Exception {
    if (window == 0) {
      apply(event.key(), List.of(event));
      return;
    }
    reordering.add(event);
    if (reordering.bytes() > waitingBytes) {
      reordering.end();
    }
  }

  /** Events of one key that need not wait. */
  void apply(RowKey key, List<PackedRecord> events) throws Exception {
    apply(open.get(key), events);
    writeOldest();
  }

  /** Something that a table holds of the current key. */
  void known(RowKey current, PackedRecord record) throws Exception {
    OpenKey key = open.get(current);
    store.load(key);
    KeyedRecord known = codec.unpack(record);
    if (known instanceof ExistingRow row) {
      tables.keep(row);
      key.add(row);
    } else if (known instanceof Remembered event) {
      tables.keep(event);
      key.add(event);
    } else {
      throw new IllegalStateException("no part of a table: " + known);
    }
    open.resized(key);
    writeOldest();
  }

  /** The timer of the current key has fired. */
  void look(RowKey current) throws Exception {
    reordering.end(); // what has come meets what ends now
    keys.setCurrent(current);
    OpenKey key = open.get(current);
    store.load(key);
    key.timer = 0;
    key.changed = true;
    apply(key, List.of());
    writeOldest();
  }

  /** Applies events of a key, and forgets what it may. */
  private void apply(OpenKey key, List<PackedRecord> events) throws Exception {
    keys.setCurrent(key.key);
    store.load(key);
    long now = now();
    long until = retention.untilMicros(now);
    KeyRecords records = new KeyRecords(key, events, codec, until, bitemporal);
    if (records.isEmpty()) {
      return;
    }
    boolean reachesBehind =
        !readsSuffix
            || applier.needsWholeKey(key.rows)
            || key.reachesBehind(records.from(), records.systemFrom());
    if (reachesBehind && key.rowsBehind > 0 && key.behind == null) {
      store.loadBehind(key);
    }
    expired = records.greatestExpired(expired);
    try {
      applier.apply(key.key, records.all(), tables.changesOf(key, now * 1000));
    } catch (SluiceException e) {
      throw Failures.inTask(e);
    }
    key.lookedUntil = Math.max(key.lookedUntil, until);
    open.resized(key);
  }

  private long now() {
    return time.getCurrentProcessingTime();
  }

  /** Keeps the memory of open keys bounded. */
  private void writeOldest() throws Exception {
    while (open.bytes() > openBytes) {
      OpenKey oldest = open.oldest();
      write(oldest);
      open.remove(oldest);
    }
  }

  /** Writes what is pending of a key, and its state. */
  private void write(OpenKey key) throws Exception {
    if (!key.loaded) {
      return;
    }
    long timer = retention.timer(key, now());
    if (!key.changed && timer == key.timer) {
      return;
    }
    keys.setCurrent(key.key);
    if (timer != key.timer) {
      keys.moveTimer(key.timer, timer);
      key.timer = timer;
    }
    tables.write(key, update);
    store.store(key);
  }

  /** Applies everything that waits, writes it and hands it over. */
  void flush(Consumer<UpdateOutput> out) throws Exception {
    reordering.end();
    for (OpenKey key : open.inOrder()) {
      write(key);
    }
    open.clear();
    tables.complete(out);
    if (expired != null) {
      out.accept(new UpdateOutput.Expired(expired));
      metrics.raiseMark(Sequence.of(expired));
      expired = null;
    }
  }
}
