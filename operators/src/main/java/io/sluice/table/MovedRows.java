package io.sluice.table;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the rows of rewritten files lie now. A rewrite keeps the order of rows, so the place of a
 * row follows from how many rows of its file before it were kept. Not thread-safe.
 */
final class MovedRows {

  private static final int VERSION = 1;

  /**
   * Rows of one file that went to one other file, in their order, without a gap.
   *
   * @param rows positions in the old file
   * @param target location of the new file
   * @param first position of the first of them there
   */
  record Segment(DeletedPositions rows, String target, long first) {}

  private final Map<String, List<Segment>> segments = new HashMap<>();

  /** Adds rows of a rewritten file. */
  void add(String source, Segment segment) {
    segments.computeIfAbsent(source, file -> new ArrayList<>()).add(segment);
  }

  void addAll(MovedRows other) {
    other.segments.forEach((source, list) -> list.forEach(segment -> add(source, segment)));
  }

  /** The files whose rows have moved. */
  Set<String> sources() {
    return segments.keySet();
  }

  /**
   * The same rows by the places where they lie now. Rows that did not move keep their place, also
   * in a file that is gone.
   */
  Map<String, DeletedPositions> translate(Map<String, DeletedPositions> rows) {
    Map<String, DeletedPositions> translated = new HashMap<>();
    rows.forEach(
        (file, positions) -> {
          DeletedPositions left = positions;
          for (Segment segment : segments.getOrDefault(file, List.of())) {
            DeletedPositions moved = positions.intersection(segment.rows());
            if (!moved.isEmpty()) {
              DeletedPositions there = positions(translated, segment.target());
              moved.forEach(
                  position -> there.add(segment.first() + segment.rows().countUpTo(position) - 1));
              left = left.without(moved);
            }
          }
          if (!left.isEmpty()) {
            positions(translated, file).addAll(left);
          }
        });
    return translated;
  }

  private static DeletedPositions positions(Map<String, DeletedPositions> rows, String file) {
    return rows.computeIfAbsent(file, absent -> new DeletedPositions());
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(VERSION);
      out.writeInt(segments.size());
      for (Map.Entry<String, List<Segment>> entry : segments.entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeInt(entry.getValue().size());
        for (Segment segment : entry.getValue()) {
          out.writeUTF(segment.target());
          out.writeLong(segment.first());
          segment.rows().write(out);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws UncheckedIOException if it is something else
   */
  static MovedRows of(byte[] bytes) {
    MovedRows moves = new MovedRows();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readInt();
      if (version != VERSION) {
        throw new IOException("moved rows have version " + version + ", known is " + VERSION);
      }
      int sources = in.readInt();
      for (int i = 0; i < sources; i++) {
        String source = in.readUTF();
        int count = in.readInt();
        for (int j = 0; j < count; j++) {
          String target = in.readUTF();
          long first = in.readLong();
          moves.add(source, new Segment(DeletedPositions.read(in), target, first));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return moves;
  }
}
