package io.sluice.sequencing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The form in which the companion keeps what an event authors: the names of the leaves, {@code a,
 * address, address.city}, so that a table may get columns and fields later; these are then not
 * authored. Feeds have few different combinations, which are kept. Not thread-safe.
 */
final class LeafNames {

  private static final int MOST_KEPT = 10_000;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> leaves = new HashMap<>();
  private final Map<ByteBuffer, StringData> texts = new HashMap<>();
  private final Map<StringData, ByteBuffer> masks = new HashMap<>();
  private final StringData all;

  LeafNames(RowType columns) {
    add("", columns);
    for (int i = 0; i < names.size(); i++) {
      leaves.put(names.get(i), i);
    }
    all = StringData.fromString(String.join(",", names));
  }

  private void add(String prefix, RowType struct) {
    for (int i = 0; i < struct.getFieldCount(); i++) {
      String name = prefix + struct.getFieldNames().get(i).replaceAll("[\\\\,.]", "\\\\$0");
      LogicalType type = struct.getTypeAt(i);
      names.add(name);
      if (type instanceof RowType nested) {
        add(name + ".", nested);
      }
    }
  }

  /**
   * @param mask bits of the authored leaves; null for all
   */
  StringData text(byte[] mask) {
    if (mask == null) {
      return all;
    }
    if (texts.size() > MOST_KEPT) {
      texts.clear();
    }
    return texts.computeIfAbsent(
        ByteBuffer.wrap(mask),
        bits -> {
          LeafMask authored = new LeafMask(mask, names.size());
          List<String> listed = new ArrayList<>();
          for (int i = 0; i < names.size(); i++) {
            if (authored.get(i)) {
              listed.add(names.get(i));
            }
          }
          return StringData.fromString(String.join(",", listed));
        });
  }

  /**
   * @return bits of the authored leaves; null for all
   */
  byte[] mask(StringData text) {
    if (masks.size() > MOST_KEPT) {
      masks.clear();
    }
    ByteBuffer bits = masks.get(text);
    if (bits == null) {
      LeafMask authored = new LeafMask(names.size());
      for (String name : text.toString().split("(?<!\\\\),")) {
        Integer leaf = leaves.get(name);
        if (leaf != null) {
          authored.set(leaf);
        }
      }
      byte[] mask = authored.toBytes();
      bits = mask == null ? ByteBuffer.allocate(0) : ByteBuffer.wrap(mask);
      masks.put(StringData.fromString(text.toString()), bits);
    }
    return bits.capacity() == 0 ? null : bits.array();
  }
}
