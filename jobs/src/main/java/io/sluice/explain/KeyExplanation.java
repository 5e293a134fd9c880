package io.sluice.explain;

import io.sluice.history.Fate;
import io.sluice.history.Kind;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A key of a table, explained. Values are in Flink's external form: {@code Integer}, {@code
 * String}, {@code Instant}, ..
 *
 * @param table full name of the table
 * @param storage how the table is kept, like {@code SCD type 2}
 * @param key the key columns with their values, in the order of KEYS
 * @param snapshot the table's snapshot that was read
 * @param committedAt when that snapshot was committed
 * @param rows the visible rows by start
 * @param events the remembered events by sequence
 * @param problem what is wrong with the rows; empty if nothing is
 * @param reading what was read to find this
 */
public record KeyExplanation(
    String table,
    String storage,
    Map<String, Object> key,
    long snapshot,
    Instant committedAt,
    List<KeyRow> rows,
    List<KeyEvent> events,
    Optional<String> problem,
    Reading reading) {

  /** The storage of a table with two axes of time. */
  static final String BITEMPORAL = "bitemporal";

  public KeyExplanation {
    key = ordered(key);
    rows = List.copyOf(rows);
    events = List.copyOf(events);
  }

  /** Whether rows have two axes of time. */
  public boolean bitemporal() {
    return storage.equals(BITEMPORAL);
  }

  /**
   * A visible row.
   *
   * @param columns all columns of the table with their values, in the table's order
   * @param file data file that holds it
   * @param position row position in that file
   * @param writtenBy the snapshot that wrote the row; empty if it is expired
   * @param writtenAt when that was
   */
  public record KeyRow(
      Map<String, Object> columns,
      String file,
      long position,
      Optional<Long> writtenBy,
      Optional<Instant> writtenAt) {
    public KeyRow {
      columns = ordered(columns);
    }
  }

  /**
   * A remembered event.
   *
   * @param sequence its sequence; null for a row of SCD type 1 that has none
   * @param systemSequence when the source learned of it; null without a system axis
   * @param kind upsert or delete
   * @param fate what it means for the rows
   * @param rowStart start of the row that it begins, ends or was absorbed by; null without such a
   *     row and for SCD type 1
   * @param givesValues whether that row has its values
   * @param wonTie whether it met another event at its sequence and stayed; the loser is not kept
   * @param inCompanion whether the companion holds it; if not, a row gives it back
   * @param flow flow it came from, where that is known
   * @param source file or partition it came from, where that is known
   * @param offset place in that source
   * @param appliedAt when it was applied, if the companion holds it
   * @param update number of the update that applied it, if the companion holds it
   * @param values the columns outside the key that it writes; empty for a delete
   */
  public record KeyEvent(
      Object sequence,
      Object systemSequence,
      Kind kind,
      Fate fate,
      Object rowStart,
      boolean givesValues,
      boolean wonTie,
      boolean inCompanion,
      Optional<String> flow,
      Optional<String> source,
      Optional<Long> offset,
      Optional<Instant> appliedAt,
      Optional<Long> update,
      Map<String, Object> values) {
    public KeyEvent {
      values = ordered(values);
    }
  }

  /**
   * What was read.
   *
   * @param parts parts of data files that were read
   * @param skippedParts parts that partition values and statistics ruled out
   * @param bytes bytes read
   */
  public record Reading(long parts, long skippedParts, long bytes) {}

  /** A copy that keeps order and NULL values. */
  private static Map<String, Object> ordered(Map<String, Object> values) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
