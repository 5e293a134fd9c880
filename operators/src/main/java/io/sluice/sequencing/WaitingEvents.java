package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Events in the order in which they came, as bytes in a few large arrays that stay: so many objects
 * that live for a second would be copied by every collection of garbage.
 */
final class WaitingEvents {

  /** Bytes of an array, if no event is larger. */
  static final int CHUNK_BYTES = 256 << 10;

  /** Bytes that an event takes beside its own. */
  private static final int EVENT_BYTES = 20;

  private final List<byte[]> chunks = new ArrayList<>();
  private int filled;
  private int end;
  private int count;
  private long bytes;

  /** Hash of the key in the upper half, number of the event in the lower. */
  private long[] order = new long[64];

  /** Number of the array in the upper half, where the event begins in it in the lower. */
  private long[] places = new long[64];

  private int[] lengths = new int[64];

  void add(PackedRecord event) {
    byte[] packed = event.bytes();
    if (count == order.length) {
      order = Arrays.copyOf(order, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    byte[] chunk = chunkFor(packed.length);
    System.arraycopy(packed, 0, chunk, end, packed.length);
    order[count] = (long) event.keyHash() << Integer.SIZE | count;
    places[count] = (long) (filled - 1) << Integer.SIZE | end;
    lengths[count] = packed.length;
    end += packed.length;
    count++;
    bytes += EVENT_BYTES + packed.length;
  }

  private byte[] chunkFor(int length) {
    while (filled == 0 || chunks.get(filled - 1).length - end < length) {
      if (filled == chunks.size()) {
        chunks.add(new byte[Math.max(CHUNK_BYTES, length)]);
      }
      filled++;
      end = 0;
    }
    return chunks.get(filled - 1);
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  /** Estimated bytes of all of them. */
  long bytes() {
    return bytes;
  }

  /** Orders them by the hashes of their keys, and those of one hash as they came. */
  void sortByKeyHash() {
    Arrays.sort(order, 0, count);
  }

  /** The hash of the key of the i-th event of the order. */
  int keyHash(int i) {
    return (int) (order[i] >>> Integer.SIZE);
  }

  /** The i-th event of the order. */
  PackedRecord get(int i) {
    int number = (int) order[i];
    int from = (int) places[number];
    byte[] chunk = chunks.get((int) (places[number] >>> Integer.SIZE));
    return new PackedRecord(Arrays.copyOfRange(chunk, from, from + lengths[number]));
  }

  /** Forgets them; as much memory stays as they have needed. */
  void clear() {
    chunks.subList(filled, chunks.size()).clear();
    filled = 0;
    end = 0;
    count = 0;
    bytes = 0;
  }
}
