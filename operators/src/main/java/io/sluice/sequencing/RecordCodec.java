package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Retention;
import io.sluice.sequencing.KeyedRecord.Seeded;
import io.sluice.sequencing.KeyedRecord.Tidied;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Packs keyed records and unpacks them: the key, a tag, then the other parts, integers in variable
 * length. Not thread-safe.
 */
public final class RecordCodec {

  private static final int NEW_EVENT = 0;
  private static final int EXISTING_ROW = 1;
  private static final int REMEMBERED = 2;
  private static final int SEEDED = 3;
  private static final int TIDIED = 4;

  private static final Retention[] RETENTIONS = Retention.values();

  private final int columns;
  private final DataOutputSerializer target = new DataOutputSerializer(256);
  private final WireReader source = new WireReader();

  /**
   * @param columns number of user columns of the target
   */
  public RecordCodec(int columns) {
    this.columns = columns;
  }

  /** Packs a record; it may be reused afterwards. */
  public PackedRecord pack(KeyedRecord record) {
    target.clear();
    try {
      Wire.writeSize(record.key().bytes().length, target);
      target.write(record.key().bytes());
      write(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new PackedRecord(target.getCopyOfBuffer());
  }

  private void write(KeyedRecord record) throws IOException {
    if (record instanceof NewEvent event) {
      target.writeByte(NEW_EVENT);
      Wire.writeBytes(event.sequence(), target);
      Wire.writeBytes(event.systemSequence(), target);
      Wire.writeRow(event.values(), target);
      Wire.writeVar(event.flow(), target);
      Wire.writeVar(event.source(), target);
      Wire.writeVar(event.offset(), target);
      Wire.writeText(event.place(), target);
    } else if (record instanceof ExistingRow row) {
      target.writeByte(EXISTING_ROW);
      KnownWire.write(row, target);
    } else if (record instanceof Tidied tidied) {
      target.writeByte(TIDIED);
      KnownWire.write(tidied.row(), target);
    } else if (record instanceof Remembered event) {
      target.writeByte(REMEMBERED);
      KnownWire.write(event, target);
      target.writeByte(event.retention().ordinal());
    } else if (record instanceof Seeded seeded) {
      target.writeByte(SEEDED);
      Wire.writeBytes(seeded.first(), target);
      Wire.writeBytes(seeded.second(), target);
      Wire.writeVar(seeded.seed(), target);
      Wire.writeVar(seeded.before() ? 1 : 0, target);
    }
  }

  /** Unpacks a record; rows of values stay views of its bytes. */
  public KeyedRecord unpack(PackedRecord record) {
    source.read(record.bytes());
    RowKey key = new RowKey(source.take(source.size()));
    int tag = source.tag();
    return switch (tag) {
      case NEW_EVENT -> newEvent(key);
      case EXISTING_ROW -> KnownWire.row(key, source, columns);
      case TIDIED -> new Tidied(key, KnownWire.row(key, source, columns));
      case REMEMBERED -> {
        Remembered event = KnownWire.event(key, source, columns);
        yield event.with(RETENTIONS[source.tag()]);
      }
      case SEEDED -> {
        byte[] first = source.bytes();
        byte[] second = source.bytes();
        yield new Seeded(key, (int) source.var(), source.var() == 1, first, second);
      }
      default -> throw new IllegalStateException("unknown record tag " + tag);
    };
  }

  /** Unpacks a record that is an event of a known key. */
  NewEvent unpackEvent(RowKey key, PackedRecord record) {
    source.read(record.bytes());
    source.skip(source.size());
    int tag = source.tag();
    if (tag != NEW_EVENT) {
      throw new IllegalStateException("no event, but tag " + tag);
    }
    return newEvent(key);
  }

  private NewEvent newEvent(RowKey key) {
    return new NewEvent(
        key,
        source.bytes(),
        source.bytes(),
        source.row(columns),
        (int) source.var(),
        (int) source.var(),
        source.var(),
        source.text());
  }

  /** Adds the key of a record to a key set, if the record is an event. */
  void addEventTo(KeySet keys, PackedRecord record) {
    source.read(record.bytes());
    byte[] key = source.take(source.size());
    if (source.tag() == NEW_EVENT) {
      keys.add(new RowKey(key), source.bytes(), source.bytes());
    }
  }
}
