package io.sluice.sequencing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;

/** Takes the parts that {@link Wire} wrote from an array of bytes, in order. */
final class WireReader {

  private byte[] bytes;
  private int at;

  void read(byte[] from) {
    bytes = from;
    at = 0;
  }

  int tag() {
    return bytes[at++];
  }

  int size() {
    int value = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes[at++];
      value |= (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }

  long var() {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return (value >>> 1) ^ -(value & 1);
  }

  void skip(int length) {
    at += length;
  }

  byte[] take(int length) {
    int from = at;
    at += length;
    return Arrays.copyOfRange(bytes, from, at);
  }

  byte[] bytes() {
    int length = (int) var();
    return length < 0 ? null : take(length);
  }

  String text() {
    int length = (int) var();
    if (length < 0) {
      return null;
    }
    at += length;
    return new String(bytes, at - length, length, StandardCharsets.UTF_8);
  }

  BinaryRowData row(int arity) {
    int length = (int) var();
    if (length < 0) {
      return null;
    }
    BinaryRowData row = new BinaryRowData(arity);
    row.pointTo(MemorySegmentFactory.wrap(bytes), at, length);
    at += length;
    return row;
  }
}
