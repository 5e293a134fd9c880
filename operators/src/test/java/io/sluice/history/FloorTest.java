package io.sluice.history;

import static io.sluice.history.StorageType.SCD1;
import static io.sluice.history.StorageType.SCD2;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.show;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The floor of a target, semantics 0.8. */
class FloorTest {

  private static final int ITEMS = 5;

  /** What arrives at one place: an upsert of a, of b, a delete, or a truncate. */
  private static final int CONTENTS = 4;

  private long checked;

  private static Floor truncate(long committed, long truncate) {
    return new Floor(sequence(committed), sequence(truncate));
  }

  private static History<Row> historyOf(List<Event<Row>> events) {
    History<Row> history = History.empty(SCD1, new RowValues());
    history.apply(events);
    return history;
  }

  @Test
  void a_truncate_removes_what_is_older_and_keeps_what_is_newer() {
    assertThat(show(historyOf(List.of(upsert("a", 2))).apply(List.of(), truncate(0, 3)).removed()))
        .containsExactly("(a,2,-)");
    assertThat(historyOf(List.of(upsert("a", 4))).apply(List.of(), truncate(0, 3)).isEmpty())
        .isTrue();
    assertThat(historyOf(List.of(upsert("a", 3))).apply(List.of(), truncate(0, 3)).isEmpty())
        .as("an event at the floor is not below it")
        .isTrue();
  }

  @Test
  void an_event_below_the_floor_is_stale_for_a_key_never_seen() {
    Changes<Row> changes =
        History.empty(SCD1, new RowValues()).apply(List.of(upsert("a", 2)), Floor.at(sequence(3)));
    assertThat(changes.isEmpty()).isTrue();
    assertThat(changes.late()).isEqualTo(1);
    assertThat(
            History.empty(SCD1, new RowValues())
                .apply(List.of(upsert("a", 3)), Floor.at(sequence(3)))
                .added())
        .hasSize(1);
  }

  @Test
  void a_row_below_the_committed_floor_stays_until_a_truncate_raises_it() {
    assertThat(historyOf(List.of(upsert("a", 2))).apply(List.of(), truncate(5, 3)).isEmpty())
        .isTrue();
    assertThat(historyOf(List.of(upsert("a", 2))).apply(List.of(), truncate(5, 5)).isEmpty())
        .isTrue();
    assertThat(historyOf(List.of(upsert("a", 2))).apply(List.of(), truncate(5, 6)).removed())
        .hasSize(1);
  }

  @Test
  void a_tombstone_below_the_floor_is_not_remembered() {
    History<Row> history = historyOf(List.of(delete(2)));
    history.apply(List.of(), truncate(0, 3));
    assertThat(history.remembered()).isEmpty();
    assertThat(history.log()).isEmpty();
  }

  @Test
  void a_history_of_versions_has_no_floor() {
    History<Row> history = History.empty(SCD2, new RowValues());
    assertThatThrownBy(() -> history.apply(List.of(), truncate(0, 3)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void every_permutation_and_batching_of_five_events_and_truncates_gives_the_same_row() {
    permute(new ArrayList<>());
    assertThat(checked).isGreaterThan(1_000_000);
  }

  private void permute(List<Integer> order) {
    if (order.size() == ITEMS) {
      for (int contents = 0; contents < Math.pow(CONTENTS, ITEMS); contents++) {
        for (int cuts = 0; cuts < 1 << (ITEMS - 1); cuts++) {
          check(order, contents, cuts);
        }
      }
      return;
    }
    for (int next = 1; next <= ITEMS; next++) {
      if (!order.contains(next)) {
        order.add(next);
        permute(order);
        order.remove(order.size() - 1);
      }
    }
  }

  private void check(List<Integer> order, int contents, int cuts) {
    checked++;
    History<Row> history = History.empty(SCD1, new RowValues());
    Sequence committed = Sequence.LOWEST;
    Sequence truncate = Sequence.LOWEST;
    List<Event<Row>> batch = new ArrayList<>();
    long greatestTruncate = 0;
    long greatest = 0;
    String row = null;
    for (int i = 0, rest = contents; i < ITEMS; i++, rest /= CONTENTS) {
      long at = order.get(i);
      switch (rest % CONTENTS) {
        case 0 -> batch.add(upsert("a", at));
        case 1 -> batch.add(upsert("b", at));
        case 2 -> batch.add(delete(at));
        default -> {
          truncate = sequence(at).compareTo(truncate) > 0 ? sequence(at) : truncate;
          greatestTruncate = Math.max(greatestTruncate, at);
        }
      }
      if (rest % CONTENTS < 3 && at > greatest) {
        greatest = at;
        row = rest % CONTENTS == 2 ? null : rest % CONTENTS == 0 ? "a" : "b";
      }
      if (i == ITEMS - 1 || (cuts & 1 << i) != 0) {
        Floor floor = new Floor(committed, truncate);
        history.apply(batch, floor);
        history = TestEvents.roundTrip(SCD1, history);
        committed = floor.sequence();
        truncate = Sequence.LOWEST;
        batch = new ArrayList<>();
      }
    }
    List<String> wanted =
        row == null || greatest < greatestTruncate
            ? List.of()
            : List.of("(" + row + "," + greatest + ",-)");
    if (!show(history.versions()).equals(wanted)) {
      throw new AssertionError(
          "order %s, contents %d, cuts %d: %s instead of %s"
              .formatted(order, contents, cuts, show(history.versions()), wanted));
    }
  }
}
