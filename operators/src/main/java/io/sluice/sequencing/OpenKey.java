package io.sluice.sequencing;

import io.sluice.history.Sequence;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One key while a checkpoint touches it: as much of what its state holds as its events need. The
 * head of the state is what an in-order event needs: the rows that are not closed, all remembered
 * events, and how far the closed rows behind it reach.
 */
final class OpenKey {

  /** Bytes that a key takes beside its rows and events. */
  private static final int KEY_BYTES = 200;

  /** Bytes that a row or an event takes beside its values. */
  private static final int ROW_BYTES = 150;

  final RowKey key;

  /** Rows in memory: those of the head, new ones, and once loaded those behind it. */
  final List<ExistingRow> rows = new ArrayList<>(2);

  final List<Remembered> remembered = new ArrayList<>(0);

  /** Numbers of the rows behind the head in the state; null until these are loaded. */
  Map<ExistingRow, Integer> behind;

  /** Numbers of rows behind the head that are gone. */
  final List<Integer> gone = new ArrayList<>(0);

  /** How many rows the state has behind the head. */
  int rowsBehind;

  /** Number of the next row behind the head. */
  int nextBehind;

  /** Greatest end of the believed rows behind the head; null if there are none. */
  byte[] greatestEnd;

  /** Greatest system end of the others; null if there are none. */
  byte[] greatestSystemEnd;

  /** When its timer fires, milliseconds since 1970; 0 if it has none. */
  long timer;

  /**
   * What was applied up to then was looked at when its retention ended, microseconds since 1970.
   */
  long lookedUntil;

  boolean loaded;
  boolean changed;
  private long weight;

  OpenKey(RowKey key) {
    this.key = key;
  }

  /** Whether events from these sequences on may touch rows behind the head that are not loaded. */
  boolean reachesBehind(Sequence from, Sequence systemFrom) {
    return behind == null
        && rowsBehind > 0
        && (isAtOrBelow(from, greatestEnd) || isAtOrBelow(systemFrom, greatestSystemEnd));
  }

  private static boolean isAtOrBelow(Sequence from, byte[] end) {
    return end != null && from.compareTo(Sequence.of(end)) <= 0;
  }

  /** The rows behind the head get their numbers. */
  void loadBehind(int number, ExistingRow row) {
    rows.add(row);
    behind.put(row, number);
  }

  void beginBehind() {
    behind = new IdentityHashMap<>();
  }

  /** Takes a row out. */
  void remove(ExistingRow row) {
    rows.removeIf(each -> each == row);
    Integer number = behind == null ? null : behind.remove(row);
    if (number != null) {
      gone.add(number);
    }
    changed = true;
  }

  void remove(Remembered event) {
    remembered.removeIf(each -> each == event);
    changed = true;
  }

  void add(ExistingRow row) {
    rows.add(row);
    changed = true;
  }

  void add(Remembered event) {
    remembered.add(event);
    changed = true;
  }

  /** Looks at its size anew; by how much it has grown, in bytes. */
  long grown() {
    long before = weight;
    weight = KEY_BYTES + (long) ROW_BYTES * (rows.size() + remembered.size());
    for (ExistingRow row : rows) {
      weight += row.values().getSizeInBytes();
    }
    return weight - before;
  }

  long weight() {
    return weight;
  }
}
