package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The forms of what the state of a key holds. Not thread-safe. */
final class KeptCodec {

  private static final int VERSION = 1;

  private final int columns;
  private final DataOutputSerializer target = new DataOutputSerializer(256);
  private final WireReader source = new WireReader();

  /**
   * @param columns number of columns of the values of rows and events
   */
  KeptCodec(int columns) {
    this.columns = columns;
  }

  /**
   * The head of a key.
   *
   * @param rows those of its rows that belong there
   */
  KeptBytes head(OpenKey key, List<ExistingRow> rows) {
    try {
      begin();
      Wire.writeSize(key.rowsBehind, target);
      Wire.writeSize(key.nextBehind, target);
      Wire.writeBytes(key.greatestEnd, target);
      Wire.writeBytes(key.greatestSystemEnd, target);
      Wire.writeVar(key.timer, target);
      Wire.writeVar(key.lookedUntil, target);
      Wire.writeSize(rows.size(), target);
      for (ExistingRow row : rows) {
        KnownWire.write(row, target);
      }
      Wire.writeSize(key.remembered.size(), target);
      for (Remembered event : key.remembered) {
        KnownWire.write(event, target);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new KeptBytes(target.getCopyOfBuffer());
  }

  /** Fills an open key; values stay views of the bytes. */
  void readHead(KeptBytes head, OpenKey key) {
    begin(head);
    key.rowsBehind = source.size();
    key.nextBehind = source.size();
    key.greatestEnd = source.bytes();
    key.greatestSystemEnd = source.bytes();
    key.timer = source.var();
    key.lookedUntil = source.var();
    for (int left = source.size(); left > 0; left--) {
      key.rows.add(KnownWire.row(key.key, source, columns));
    }
    for (int left = source.size(); left > 0; left--) {
      key.remembered.add(KnownWire.event(key.key, source, columns));
    }
  }

  /** A row behind the head. */
  KeptBytes row(ExistingRow row) {
    try {
      begin();
      KnownWire.write(row, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new KeptBytes(target.getCopyOfBuffer());
  }

  ExistingRow readRow(KeptBytes row, RowKey key) {
    begin(row);
    return KnownWire.row(key, source, columns);
  }

  private void begin() throws IOException {
    target.clear();
    target.writeByte(VERSION);
  }

  private void begin(KeptBytes bytes) {
    source.read(bytes.bytes());
    int version = source.tag();
    if (version != VERSION) {
      throw new IllegalStateException("the state of a key has the unknown version " + version);
    }
  }
}
