package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Retention;
import java.io.IOException;
import org.apache.flink.core.memory.DataOutputView;

/** The form of what is known of a key, its rows and remembered events, without the key. */
final class KnownWire {

  private KnownWire() {}

  static void write(ExistingRow row, DataOutputView target) throws IOException {
    Wire.writeBytes(row.start(), target);
    Wire.writeBytes(row.end(), target);
    Wire.writeBytes(row.systemStart(), target);
    Wire.writeBytes(row.systemEnd(), target);
    Wire.writeRow(row.values(), target);
    Wire.writeVar(row.file(), target);
    Wire.writeVar(row.position(), target);
  }

  /** Leaves out how far its retention is, which depends on the time. */
  static void write(Remembered event, DataOutputView target) throws IOException {
    Wire.writeBytes(event.sequence(), target);
    Wire.writeBytes(event.systemSequence(), target);
    Wire.writeRow(event.values(), target);
    Wire.writeText(event.flow(), target);
    Wire.writeText(event.source(), target);
    Wire.writeVar(event.offset(), target);
    Wire.writeVar(event.file(), target);
    Wire.writeVar(event.position(), target);
    Wire.writeVar(event.appliedAt(), target);
  }

  static ExistingRow row(RowKey key, WireReader source, int columns) {
    return new ExistingRow(
        key,
        source.bytes(),
        source.bytes(),
        source.bytes(),
        source.bytes(),
        source.row(columns),
        source.var(),
        source.var());
  }

  static Remembered event(RowKey key, WireReader source, int columns) {
    return new Remembered(
        key,
        source.bytes(),
        source.bytes(),
        source.row(columns),
        source.text(),
        source.text(),
        source.var(),
        source.var(),
        source.var(),
        source.var(),
        Retention.LASTS);
  }
}
