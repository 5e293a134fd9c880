package io.sluice.history;

/**
 * Two events of one key with one sequence and different contents (semantics 0.2).
 *
 * @param winner the greater in the total order; it stays
 * @param loser leaves no trace
 */
public record Tie<V>(Event<V> winner, Event<V> loser) {

  public Sequence sequence() {
    return winner.sequence();
  }
}
