package io.sluice.history;

import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/**
 * What one call of {@link History#apply} did.
 *
 * @param removed rows that are no more, the very objects that were recovered or added before, by
 *     start
 * @param added rows that are new, by start; a changed row is in both lists
 * @param late events below the greatest sequence that the key had before the call, or below the
 *     floor of the target; duplicates included
 * @param duplicates events equal in sequence and content to one that was there
 * @param tiesResolved one entry per event that met another content at its sequence
 */
public record Changes<V>(
    List<Version<V>> removed,
    List<Version<V>> added,
    int late,
    int duplicates,
    List<Tie<V>> tiesResolved) {

  public Changes {
    removed = Collections.unmodifiableList(removed);
    added = Collections.unmodifiableList(added);
    tiesResolved = Collections.unmodifiableList(tiesResolved);
  }

  /** The number of {@link #tiesResolved}. */
  public int ties() {
    return tiesResolved.size();
  }

  /** The same with further events that were below the floor. */
  Changes<V> withStale(int stale) {
    return stale == 0
        ? this
        : new Changes<>(removed, added, late + stale, duplicates, tiesResolved);
  }

  /** The same without some of the ties. */
  public Changes<V> withoutTies(Predicate<Tie<V>> no) {
    return tiesResolved.stream().noneMatch(no)
        ? this
        : new Changes<>(
            removed, added, late, duplicates, tiesResolved.stream().filter(no.negate()).toList());
  }

  /** Whether no row changed; the remembered events may have. */
  public boolean isEmpty() {
    return removed.isEmpty() && added.isEmpty();
  }
}
