package io.sluice.explain;

import io.sluice.explain.KeyExplanation.KeyRow;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The boundaries of rows on one axis of time, in order.
 *
 * @param startColumn column with the begin of a row
 * @param endColumn column with its end, NULL for an open one
 * @param boundaries every begin and end, each once, ascending
 */
record TimeAxis(String startColumn, String endColumn, List<Object> boundaries) {

  static TimeAxis of(List<KeyRow> rows, String startColumn, String endColumn) {
    TreeSet<Object> boundaries = new TreeSet<>(KeyValues.ORDER);
    rows.stream()
        .flatMap(row -> Stream.of(row.columns().get(startColumn), row.columns().get(endColumn)))
        .filter(Objects::nonNull)
        .forEach(boundaries::add);
    return new TimeAxis(startColumn, endColumn, List.copyOf(boundaries));
  }

  /** Number of intervals between boundaries; the last one is open. */
  int cells() {
    return boundaries.size();
  }

  /** Number of the boundary at which a row begins. */
  int start(KeyRow row) {
    return indexOf(row.columns().get(startColumn));
  }

  /** Number of the boundary at which a row ends; {@link #cells} for an open one. */
  int end(KeyRow row) {
    Object end = row.columns().get(endColumn);
    return end == null ? cells() : indexOf(end);
  }

  private int indexOf(Object boundary) {
    for (int i = 0; i < boundaries.size(); i++) {
      if (KeyValues.ORDER.compare(boundaries.get(i), boundary) == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException("no boundary of the axis: " + boundary);
  }
}
