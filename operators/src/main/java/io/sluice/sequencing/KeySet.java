package io.sluice.sequencing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The keys that have events in an update, in bounded memory: their hashes up to a limit, beyond it
 * only the bounds. With them the greatest truncate, which touches every key with something below. A
 * key that is in the set is always found; a key that is not may be found too, which costs reading
 * its rows and changes no result.
 */
public final class KeySet implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Above this many distinct keys an update reads every row anyway (64 MiB of hashes). */
  private static final int MOST_HASHES = 8 << 20;

  /** So many keys are also kept whole, to be looked up in the statistics of data files. */
  private static final int MOST_EXACT = 256;

  private final int mostHashes;
  private long[] hashes = new long[64];
  private int size;
  private boolean everything;
  private byte[] least;
  private byte[] greatest;
  private byte[] leastSequence;
  private byte[] leastSystemSequence;
  private byte[] truncate;
  private TreeSet<RowKey> exact = new TreeSet<>();

  public KeySet() {
    this(MOST_HASHES);
  }

  KeySet(int mostHashes) {
    this.mostHashes = mostHashes;
  }

  /** The set of all keys, with events from the lowest sequence on. */
  public static KeySet all() {
    KeySet all = new KeySet(0);
    all.leastSequence = new byte[0];
    all.everything = true;
    return all;
  }

  /**
   * Adds the key of an event.
   *
   * @param sequence order-preserving bytes of its sequence
   * @param systemSequence the same of its system sequence; null where the target has no system axis
   */
  public void add(RowKey key, byte[] sequence, byte[] systemSequence) {
    leastSystemSequence = lesser(leastSystemSequence, systemSequence);
    add(key, sequence);
  }

  private static byte[] lesser(byte[] left, byte[] right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return Arrays.compareUnsigned(left, right) <= 0 ? left : right;
  }

  /** Adds the key of an event with this sequence (order-preserving bytes). */
  public void add(RowKey key, byte[] sequence) {
    if (leastSequence == null || Arrays.compareUnsigned(sequence, leastSequence) < 0) {
      leastSequence = sequence;
    }
    if (everything || !addHash(key.hash64())) {
      return;
    }
    byte[] bytes = key.bytes();
    if (least == null || Arrays.compareUnsigned(bytes, least) < 0) {
      least = bytes;
    }
    if (greatest == null || Arrays.compareUnsigned(bytes, greatest) > 0) {
      greatest = bytes;
    }
    if (exact != null && exact.add(key) && exact.size() > MOST_EXACT) {
      exact = null;
    }
  }

  /** Notes a truncate at a sequence (order-preserving bytes); the greatest counts. */
  public void truncateAt(byte[] sequence) {
    if (truncate == null || Arrays.compareUnsigned(sequence, truncate) > 0) {
      truncate = sequence;
    }
  }

  /** The sequence of the greatest truncate; null if there is none. */
  public byte[] truncate() {
    return truncate;
  }

  /** Whether there is a key with an event. */
  public boolean hasKeys() {
    return leastSequence != null;
  }

  /** Adds all keys of another part of the same update. */
  public void addAll(KeySet other) {
    if (other.truncate != null) {
      truncateAt(other.truncate);
    }
    if (other.leastSequence == null) {
      return;
    }
    leastSystemSequence = lesser(leastSystemSequence, other.leastSystemSequence);
    if (leastSequence == null || Arrays.compareUnsigned(other.leastSequence, leastSequence) < 0) {
      leastSequence = other.leastSequence;
    }
    everything |= other.everything;
    reserve(size + other.size);
    for (long hash : other.hashes) {
      if (hash != 0 && !everything) {
        addHash(hash);
      }
    }
    if (least == null || Arrays.compareUnsigned(other.least, least) < 0) {
      least = other.least;
    }
    if (greatest == null || Arrays.compareUnsigned(other.greatest, greatest) > 0) {
      greatest = other.greatest;
    }
    if (exact != null) {
      if (other.exact == null) {
        exact = null;
      } else {
        exact.addAll(other.exact);
        if (exact.size() > MOST_EXACT) {
          exact = null;
        }
      }
    }
  }

  public boolean isEmpty() {
    return leastSequence == null && truncate == null;
  }

  /** Number of distinct keys, or {@link Integer#MAX_VALUE} where there are too many to tell. */
  public int size() {
    return everything ? Integer.MAX_VALUE : size;
  }

  /** Number of distinct keys, as far as they are counted. */
  long sizeAtMost() {
    return everything ? mostHashes : size;
  }

  /** True for every key of the set, and for hardly any other. */
  public boolean mayContain(RowKey key) {
    if (everything) {
      return true;
    }
    long hash = nonZero(key.hash64());
    int mask = hashes.length - 1;
    for (int slot = (int) hash & mask; hashes[slot] != 0; slot = (slot + 1) & mask) {
      if (hashes[slot] == hash) {
        return true;
      }
    }
    return false;
  }

  /** The keys themselves, in order, or an empty list where there are more than a few hundred. */
  public List<RowKey> few() {
    return exact == null || everything ? List.of() : new ArrayList<>(exact);
  }

  /** The least and the greatest key; null where the bounds are not known. */
  public byte[] least() {
    return everything ? null : least;
  }

  public byte[] greatest() {
    return everything ? null : greatest;
  }

  /** The least sequence of all events, or null if there are none. */
  public byte[] leastSequence() {
    return leastSequence;
  }

  /** The least system sequence of all events, or null if there are none with one. */
  public byte[] leastSystemSequence() {
    return leastSystemSequence;
  }

  private static long nonZero(long hash) {
    return hash == 0 ? 1 : hash;
  }

  private boolean addHash(long raw) {
    long hash = nonZero(raw);
    int mask = hashes.length - 1;
    int slot = (int) hash & mask;
    while (hashes[slot] != 0) {
      if (hashes[slot] == hash) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    if (size == mostHashes) {
      everything = true;
      hashes = new long[1];
      return true;
    }
    hashes[slot] = hash;
    size++;
    reserve(size);
    return true;
  }

  /**
   * Makes room for so many hashes in all. Those of another set come in the order of their places:
   * in a table that is smaller than theirs they would all crowd at its beginning.
   */
  private void reserve(int wanted) {
    int length = hashes.length;
    while (!everything && Math.min(wanted, mostHashes) > length / 10 * 6) {
      length *= 2;
    }
    if (length > hashes.length) {
      resize(length);
    }
  }

  private void resize(int length) {
    long[] old = hashes;
    hashes = new long[length];
    int mask = hashes.length - 1;
    for (long hash : old) {
      if (hash != 0) {
        int slot = (int) hash & mask;
        while (hashes[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        hashes[slot] = hash;
      }
    }
  }
}
