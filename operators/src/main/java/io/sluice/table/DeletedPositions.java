package io.sluice.table;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * A set of row positions of one data file, compressed as a roaring bitmap. Java-serialisable; not
 * thread-safe.
 */
public final class DeletedPositions implements Serializable {

  private static final long serialVersionUID = 1L;

  private final Roaring64Bitmap bitmap = new Roaring64Bitmap();

  public static DeletedPositions of(long... positions) {
    DeletedPositions result = new DeletedPositions();
    for (long position : positions) {
      result.add(position);
    }
    return result;
  }

  public void add(long position) {
    bitmap.addLong(position);
  }

  public void addAll(DeletedPositions other) {
    bitmap.or(other.bitmap);
  }

  public boolean contains(long position) {
    return bitmap.contains(position);
  }

  public boolean isEmpty() {
    return bitmap.isEmpty();
  }

  public long count() {
    return bitmap.getLongCardinality();
  }

  /** The greatest position; there must be one. */
  public long last() {
    return bitmap.last();
  }

  /** Hands over every position in ascending order. */
  public void forEach(LongConsumer consumer) {
    bitmap.forEach(consumer::accept);
  }

  /** The positions both sets have. */
  public DeletedPositions intersection(DeletedPositions other) {
    DeletedPositions result = new DeletedPositions();
    result.bitmap.or(bitmap);
    result.bitmap.and(other.bitmap);
    return result;
  }

  /** How many positions of the set are not above the given one. */
  long countUpTo(long position) {
    return bitmap.rankLong(position);
  }

  /** The positions that the other set does not have. */
  DeletedPositions without(DeletedPositions other) {
    DeletedPositions result = new DeletedPositions();
    result.bitmap.or(bitmap);
    result.bitmap.andNot(other.bitmap);
    return result;
  }

  /** Writes the set in the portable form of roaring bitmaps. */
  void write(DataOutput out) throws IOException {
    bitmap.serialize(out);
  }

  /** Reads what {@link #write} wrote. */
  static DeletedPositions read(DataInput in) throws IOException {
    DeletedPositions result = new DeletedPositions();
    result.bitmap.deserialize(in);
    return result;
  }

  /**
   * The same set as disjoint pieces, each within a window of {@code window} positions, so that a
   * piece's serialised size is bounded by about {@code window / 8} bytes.
   */
  public List<DeletedPositions> split(long window) {
    List<DeletedPositions> pieces = new ArrayList<>();
    long[] end = {-1};
    forEach(
        position -> {
          if (position >= end[0]) {
            pieces.add(new DeletedPositions());
            end[0] = (position / window + 1) * window;
          }
          pieces.get(pieces.size() - 1).add(position);
        });
    pieces.forEach(piece -> piece.bitmap.runOptimize());
    return List.copyOf(pieces);
  }

  /** Bytes the bitmap takes when it is serialised. */
  public long serializedBytes() {
    return bitmap.serializedSizeInBytes();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeletedPositions that && bitmap.equals(that.bitmap);
  }

  @Override
  public int hashCode() {
    return bitmap.hashCode();
  }

  @Override
  public String toString() {
    return count() + " positions";
  }
}
