package io.sluice.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Every set of a few events over small domains of both axes and of contents, in every order of
 * arrival and every batching. State, rows and remembered events are functions of the set of events
 * alone: for every set and every way to cut it in two, the part that came first is read back and
 * the rest is applied, and everything is compared with the oracle. By induction that is every order
 * of arrival in every batching.
 */
final class BitemporalSets<V> {

  private final BitemporalWorld<V> world;
  private final Function<List<Event<V>>, List<V>> choices;
  private final Map<List<Event<V>>, NaiveBitemporal<V>> oracles = new HashMap<>();
  private long checkedBatches;

  /**
   * @param choices what the next event may have, after those that are chosen; null for a delete
   */
  BitemporalSets(BitemporalWorld<V> world, Function<List<Event<V>>, List<V>> choices) {
    this.world = world;
    this.choices = choices;
  }

  long checkedBatches() {
    return checkedBatches;
  }

  /** Sets of events on a grid of three by three: corrections, and steps of several events. */
  void grid(int events) throws Exception {
    grid(events, 0, new ArrayList<>());
  }

  /** Sets of events that share no place of an axis: every order of one axis against the other. */
  void permute(int events) throws Exception {
    permute(events, 0, new ArrayList<>());
  }

  private void grid(int events, int from, List<Event<V>> chosen) throws Exception {
    if (chosen.size() == events) {
      check(chosen);
      return;
    }
    for (int cell = from; cell < 9; cell++) {
      for (V columns : choices.apply(chosen)) {
        chosen.add(event(columns, 1 + cell % 3, 1 + cell / 3));
        grid(events, cell + 1, chosen);
        chosen.remove(chosen.size() - 1);
      }
    }
  }

  private void permute(int events, int used, List<Event<V>> chosen) throws Exception {
    if (chosen.size() == events) {
      check(chosen);
      return;
    }
    for (int system = 0; system < events; system++) {
      if ((used & 1 << system) == 0) {
        for (V columns : choices.apply(chosen)) {
          chosen.add(event(columns, chosen.size() + 1, system + 1));
          permute(events, used | 1 << system, chosen);
          chosen.remove(chosen.size() - 1);
        }
      }
    }
  }

  private Event<V> event(V columns, long sequence, long system) {
    return new Event<>(
        TestEvents.sequence(sequence),
        TestEvents.sequence(system),
        columns == null ? Kind.DELETE : Kind.UPSERT,
        columns,
        Origin.UNKNOWN);
  }

  private void check(List<Event<V>> all) throws Exception {
    NaiveBitemporal<V> after = world.naive(all);
    for (int cut = 0; cut < (1 << all.size()) - 1; cut++) {
      List<Event<V>> first = new ArrayList<>();
      List<Event<V>> batch = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        ((cut & 1 << i) == 0 ? batch : first).add(all.get(i));
      }
      NaiveBitemporal<V> before = oracles.computeIfAbsent(first, world::naive);
      new BitemporalCheck<>(world, before, after, first, batch).everything();
      checkedBatches++;
    }
    if (oracles.size() > 200_000) {
      oracles.clear();
    }
  }
}
