package io.sluice.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of an SCD 2 key that events from a sequence on can touch; see {@link
 * History#recoverSuffix}.
 */
record Suffix<V>(List<Version<V>> rows, List<Event<V>> remembered) {

  static <V> Suffix<V> of(List<Version<V>> rows, List<Event<V>> remembered, Sequence from) {
    List<Version<V>> reached = new ArrayList<>(rows.size());
    Sequence lowest = from;
    for (Version<V> row : rows) {
      if (row.start() == null) {
        reached.add(row); // recovery refuses it, wherever it ends
      } else if (row.isOpen() || row.end().compareTo(from) >= 0) {
        reached.add(row);
        lowest = row.start().compareTo(lowest) < 0 ? row.start() : lowest;
      }
    }
    List<Event<V>> kept = new ArrayList<>();
    for (Event<V> event : remembered) {
      if (event.sequence().compareTo(lowest) >= 0) {
        kept.add(event);
      }
    }
    return new Suffix<>(reached, kept);
  }
}
