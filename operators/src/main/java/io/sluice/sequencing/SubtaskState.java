package io.sluice.sequencing;

import io.sluice.history.Sequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What one subtask of a {@link ContinuousSequencer} keeps beside the state of its keys.
 *
 * @param firstKeyGroup its first key group
 * @param lastKeyGroup its last one
 * @param rebuilding whether rows of the table may still be missing
 * @param tombstones how many deletes it remembers
 * @param mark the greatest sequence of what it has forgotten
 * @param target files of the target
 * @param companion files of the companion
 */
record SubtaskState(
    int firstKeyGroup,
    int lastKeyGroup,
    boolean rebuilding,
    long tombstones,
    Sequence mark,
    Files target,
    Files companion) {

  private static final int VERSION = 1;

  /**
   * Files of one table.
   *
   * @param next what numbers were given, see {@link FileNumbers#next}
   */
  record Files(long next, List<FileNumbers.Entry> entries) {
    static Files of(FileNumbers numbers) {
      return new Files(numbers.next(), numbers.entries());
    }

    private void write(DataOutputSerializer target) throws IOException {
      Wire.writeVar(next, target);
      Wire.writeSize(entries.size(), target);
      for (FileNumbers.Entry entry : entries) {
        Wire.writeVar(entry.number(), target);
        Wire.writeText(entry.path(), target);
        Wire.writeVar(entry.rows(), target);
      }
    }

    private static Files read(DataInputDeserializer source) throws IOException {
      long next = Wire.readVar(source);
      int size = Wire.readSize(source);
      List<FileNumbers.Entry> entries = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        entries.add(
            new FileNumbers.Entry(
                Wire.readVar(source), Wire.readText(source), Wire.readVar(source)));
      }
      return new Files(next, entries);
    }
  }

  boolean isOf(int first, int last) {
    return firstKeyGroup == first && lastKeyGroup == last;
  }

  byte[] toBytes() throws IOException {
    DataOutputSerializer bytes = new DataOutputSerializer(256);
    bytes.writeByte(VERSION);
    Wire.writeSize(firstKeyGroup, bytes);
    Wire.writeSize(lastKeyGroup, bytes);
    bytes.writeBoolean(rebuilding);
    Wire.writeVar(tombstones, bytes);
    Wire.writeBytes(mark.bytes(), bytes);
    target.write(bytes);
    companion.write(bytes);
    return bytes.getCopyOfBuffer();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IOException if a later version wrote it
   */
  static SubtaskState of(byte[] bytes) throws IOException {
    DataInputDeserializer source = new DataInputDeserializer(bytes);
    int version = source.readByte();
    if (version != VERSION) {
      throw new IOException("the state of the sequencer has the unknown version " + version);
    }
    return new SubtaskState(
        Wire.readSize(source),
        Wire.readSize(source),
        source.readBoolean(),
        Wire.readVar(source),
        Sequence.of(Wire.readBytes(source)),
        Files.read(source),
        Files.read(source));
  }
}
