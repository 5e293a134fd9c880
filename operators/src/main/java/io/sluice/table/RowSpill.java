package io.sluice.table;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ObjIntConsumer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Rows that wait on the local disk for a later pass of the writer, each with its group. Used where
 * a table has more partitions than a writer keeps open files: without it a file per few rows would
 * come out.
 */
final class RowSpill implements AutoCloseable {

  private final RowDataSerializer serializer;
  private final Path path;
  private final DataOutputStream output;
  private long rows;

  RowSpill(RowType type) {
    this.serializer = new RowDataSerializer(type);
    try {
      this.path = Files.createTempFile("sluice-rows-", ".spill");
      this.output = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot spill rows to the local disk", e);
    }
  }

  void add(RowData row, int group) {
    try {
      output.writeInt(group);
      serializer.serialize(row, new DataOutputViewStreamWrapper(output));
      rows++;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot spill rows to " + path, e);
    }
  }

  /** Hands over every row in the order of arrival; the row object is reused. Nothing is left. */
  void drain(ObjIntConsumer<RowData> consumer) {
    try {
      output.close();
      try (DataInputStream input =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
        DataInputViewStreamWrapper view = new DataInputViewStreamWrapper(input);
        for (long i = 0; i < rows; i++) {
          int group = input.readInt();
          consumer.accept(serializer.deserialize(view), group);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read spilled rows from " + path, e);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    try {
      output.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + path, e);
    }
  }
}
