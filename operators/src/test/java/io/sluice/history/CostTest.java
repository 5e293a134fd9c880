package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cost law, in comparisons of values instead of time. */
class CostTest {

  private static final int[] LENGTHS = {10, 1_000, 100_000};

  private final RowValues values = new RowValues();

  @Test
  void anInOrderEventCostsTheSameWhateverTheLengthOfTheHistory() {
    for (int length : LENGTHS) {
      assertThat(cost(versions(length), TestEvents.upsert("new", 10L * length)))
          .as("new version after %d", length)
          .isEqualTo(1);
      assertThat(cost(versions(length), TestEvents.delete(10L * length)))
          .as("delete after %d", length)
          .isZero();
    }
  }

  @Test
  void anAbsorbedEventCostsTheSameWhateverTheLengthOfItsRun() {
    for (int length : LENGTHS) {
      History<Row> history = History.empty(StorageType.SCD2, values);
      List<Event<Row>> run = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        run.add(TestEvents.upsert("a/" + i, i));
      }
      history.apply(run);
      assertThat(cost(history, TestEvents.upsert("a/new", length)))
          .as("run of %d", length)
          .isEqualTo(2);
    }
  }

  @Test
  void aLateEventCostsThePartOfTheLogBehindItNotTheOneBefore() {
    for (int behind : new int[] {1, 10, 100}) {
      long expected = -1;
      for (int length : new int[] {1_000, 100_000}) {
        long late = 10L * (length - behind) - 5;
        long cost = cost(versions(length), TestEvents.upsert("late", late));
        assertThat(cost).as("%d behind in %d", behind, length).isBetween(1L, 3L * behind + 3);
        assertThat(expected == -1 || cost == expected).isTrue();
        expected = cost;
      }
    }
  }

  @Test
  void aBitemporalEventThatIsLearnedLastCostsTheSameWhereverItStandsInHoweverLongAHistory() {
    for (int length : new int[] {10, 1_000, 20_000}) {
      long middle = 10L * (length / 2);
      assertThat(cost(beliefs(length), TestEvents.upsert("new", 10L * length, length)))
          .as("new version after %d", length)
          .isBetween(1L, 2L);
      assertThat(cost(beliefs(length), TestEvents.upsert("late", middle + 5, length)))
          .as("late business time in %d", length)
          .isBetween(1L, 4L);
      assertThat(cost(beliefs(length), TestEvents.upsert("right", middle, length)))
          .as("correction in %d", length)
          .isBetween(1L, 5L);
      assertThat(cost(beliefs(length), TestEvents.delete(middle + 5, length)))
          .as("late delete in %d", length)
          .isBetween(0L, 3L);
    }
  }

  @Test
  void anEventThatIsLateOnTheSystemAxisCostsTheStepsBehindIt() {
    for (int behind : new int[] {1, 10, 100}) {
      for (int length : new int[] {1_000, 20_000}) {
        long system = length - behind - 1;
        Event<Row> late = TestEvents.upsert("late", 10 * system + 5, system);
        assertThat(cost(beliefs(length), late))
            .as("%d behind in %d", behind, length)
            .isBetween((long) behind, 10L * behind + 10);
      }
    }
  }

  @Test
  void anScd1EventCostsAConstant() {
    History<Row> history = History.empty(StorageType.SCD1, values);
    history.apply(List.of(TestEvents.upsert("a", 1)));
    assertThat(cost(history, TestEvents.upsert("b", 2))).isZero();
    assertThat(cost(history, TestEvents.upsert("a", 1))).isEqualTo(1);
  }

  @Test
  void aFirstEventOfAKeyComparesNothing() {
    for (StorageType type : StorageType.values()) {
      assertThat(cost(History.empty(type, values), TestEvents.upsert("a", 1))).isZero();
    }
  }

  private History<Row> versions(int length) {
    History<Row> history = History.empty(StorageType.SCD2, values);
    List<Event<Row>> events = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      events.add(TestEvents.upsert("v" + i, 10L * i));
    }
    history.apply(events);
    return history;
  }

  private History<Row> beliefs(int length) {
    History<Row> history = History.empty(StorageType.BITEMPORAL, values);
    List<Event<Row>> events = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      events.add(TestEvents.upsert("v" + i, 10L * i, i));
    }
    history.apply(events);
    return history;
  }

  private long cost(History<Row> history, Event<Row> event) {
    long before = values.comparisons();
    history.apply(List.of(event));
    return values.comparisons() - before;
  }
}
