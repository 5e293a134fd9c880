package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every set of up to five events over small domains of both axes and of contents, in every
 * permutation and batching. State, rows and remembered events are functions of the set of events
 * alone: for every set and every way to cut it in two, the part that came first is read back and
 * the rest is applied, and everything is compared with the oracle. By induction that is every order
 * of arrival in every batching.
 */
class ExhaustiveBitemporalTest {

  /** One row in two tracked values, one of them with two untracked ones. */
  private static final List<String> WITH_UNTRACKED = List.of("a/1", "a/2", "b/1");

  private static final List<String> TRACKED = List.of("a/1", "b/1");

  private final RowValues values = new RowValues();
  private final Map<List<Event<Row>>, NaiveBitemporal> oracles = new HashMap<>();
  private long checkedBatches;

  @Test
  void everyArrivalOfFourEventsOnAGridWithUntrackedColumnsGivesTheRowsOfTheLaw() throws Exception {
    for (int events = 1; events <= 4; events++) {
      grid(events, 0, WITH_UNTRACKED, new ArrayList<>());
    }
    assertThat(checkedBatches).isGreaterThan(150_000);
  }

  @Test
  void everyArrivalOfFiveEventsOnAGridGivesTheRowsOfTheLaw() throws Exception {
    grid(5, 0, TRACKED, new ArrayList<>());
    assertThat(checkedBatches).isGreaterThan(400_000);
  }

  @Test
  void everyArrivalOfFiveEventsInEveryOrderOfBothAxesGivesTheRowsOfTheLaw() throws Exception {
    permute(5, 0, new ArrayList<>());
    assertThat(checkedBatches).isGreaterThan(400_000);
  }

  /** Sets of events on a grid of three by three: corrections, and steps of several events. */
  private void grid(int events, int from, List<String> contents, List<Event<Row>> chosen)
      throws Exception {
    if (chosen.size() == events) {
      check(chosen);
      return;
    }
    for (int cell = from; cell < 9; cell++) {
      for (String row : choices(contents, chosen)) {
        chosen.add(event(row, 1 + cell % 3, 1 + cell / 3));
        grid(events, cell + 1, contents, chosen);
        chosen.remove(chosen.size() - 1);
      }
    }
  }

  /** Sets of events that share no place of an axis: every order of one axis against the other. */
  private void permute(int events, int used, List<Event<Row>> chosen) throws Exception {
    if (chosen.size() == events) {
      check(chosen);
      return;
    }
    for (int system = 0; system < events; system++) {
      if ((used & 1 << system) == 0) {
        for (String row : choices(TRACKED, chosen)) {
          chosen.add(event(row, chosen.size() + 1, system + 1));
          permute(events, used | 1 << system, chosen);
          chosen.remove(chosen.size() - 1);
        }
      }
    }
  }

  /** A delete, and the contents; only the first until it was used, since names do not matter. */
  private static List<String> choices(List<String> contents, List<Event<Row>> chosen) {
    boolean first = chosen.stream().noneMatch(Event::isUpsert);
    List<String> choices = new ArrayList<>(first ? contents.subList(0, 1) : contents);
    choices.add(null);
    return choices;
  }

  private static Event<Row> event(String row, long sequence, long system) {
    return row == null
        ? TestEvents.delete(sequence, system)
        : TestEvents.upsert(row, sequence, system);
  }

  private void check(List<Event<Row>> all) throws Exception {
    NaiveBitemporal after = new NaiveBitemporal(all);
    for (int cut = 0; cut < (1 << all.size()) - 1; cut++) {
      List<Event<Row>> first = new ArrayList<>();
      List<Event<Row>> batch = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        ((cut & 1 << i) == 0 ? batch : first).add(all.get(i));
      }
      NaiveBitemporal before = oracles.computeIfAbsent(first, NaiveBitemporal::new);
      new BitemporalCheck(values, before, after, first, batch).everything();
      checkedBatches++;
    }
    if (oracles.size() > 200_000) {
      oracles.clear();
    }
  }
}
