package io.sluice.sequencing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;

/** Compact forms of the parts of records. A length of -1 stands for null. */
final class Wire {

  private Wire() {}

  static void writeVar(long value, DataOutputView target) throws IOException {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7fL) != 0) {
      target.writeByte((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    target.writeByte((int) rest);
  }

  /** A length that is never negative. */
  static void writeSize(int size, DataOutputView target) throws IOException {
    int rest = size;
    while ((rest & ~0x7f) != 0) {
      target.writeByte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    target.writeByte(rest);
  }

  static int readSize(DataInputView source) throws IOException {
    int size = 0;
    int shift = 0;
    while (true) {
      int b = source.readByte();
      size |= (b & 0x7f) << shift;
      if ((b & 0x80) == 0) {
        return size;
      }
      shift += 7;
    }
  }

  static long readVar(DataInputView source) throws IOException {
    long value = 0;
    int shift = 0;
    while (true) {
      int b = source.readByte();
      value |= (long) (b & 0x7f) << shift;
      if ((b & 0x80) == 0) {
        return (value >>> 1) ^ -(value & 1);
      }
      shift += 7;
    }
  }

  static void writeBytes(byte[] bytes, DataOutputView target) throws IOException {
    if (bytes == null) {
      writeVar(-1, target);
      return;
    }
    writeVar(bytes.length, target);
    target.write(bytes, 0, bytes.length);
  }

  static byte[] readBytes(DataInputView source) throws IOException {
    int length = (int) readVar(source);
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    source.readFully(bytes, 0, length);
    return bytes;
  }

  static void writeText(String text, DataOutputView target) throws IOException {
    writeBytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8), target);
  }

  static String readText(DataInputView source) throws IOException {
    byte[] bytes = readBytes(source);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  static void writeRow(BinaryRowData row, DataOutputView target) throws IOException {
    if (row == null) {
      writeVar(-1, target);
      return;
    }
    int length = row.getSizeInBytes();
    writeVar(length, target);
    MemorySegment[] segments = row.getSegments();
    if (segments.length == 1 && !segments[0].isOffHeap()) {
      target.write(segments[0].getArray(), row.getOffset(), length);
    } else {
      target.write(BinarySegmentUtils.copyToBytes(segments, row.getOffset(), length), 0, length);
    }
  }
}
