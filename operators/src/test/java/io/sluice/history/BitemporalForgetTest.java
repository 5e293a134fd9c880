package io.sluice.history;

import static io.sluice.history.StorageType.BITEMPORAL;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.roundTrip;
import static io.sluice.history.TestEvents.showAll;
import static io.sluice.history.TestEvents.showBitemporal;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the retention may drop of a bitemporal key, semantics 0.16. */
class BitemporalForgetTest {

  @SafeVarargs
  private static History<Row> history(Event<Row>... events) {
    History<Row> history = History.empty(BITEMPORAL, new RowValues());
    history.apply(List.of(events));
    return history;
  }

  @Test
  void anEventInsideARunGoesItsFirstAndItsLastStay() {
    History<Row> history =
        history(upsert("A", 10, 1), upsert("A", 30, 2), upsert("A", 20, 3), upsert("B", 40, 4));
    assertThat(history.forget(event -> true)).isEqualTo(1);
    assertThat(showBitemporal(history.log()))
        .containsExactly("u(A,10,1)", "u(A,30,2)", "u(B,40,4)");
  }

  @Test
  void anEventThatWasTheLastOfItsRunOnceGoesUnlessARowHadItsValues() {
    History<Row> same = history(upsert("A", 10, 1), upsert("A", 20, 2), upsert("A", 30, 3));
    assertThat(same.forget(event -> true)).isEqualTo(1);
    assertThat(showBitemporal(same.log())).containsExactly("u(A,10,1)", "u(A,30,3)");
    History<Row> shown = history(upsert("A/1", 10, 1), upsert("A/2", 20, 2), upsert("A/3", 30, 3));
    assertThat(showAll(shown.versions())).contains("(A/2,10,-,2,3)");
    assertThat(shown.forget(event -> true)).isZero();
  }

  @Test
  void deletesBehindADeleteAndOfAbsentKeysGo() {
    History<Row> history =
        history(delete(5, 1), upsert("A", 10, 2), delete(20, 3), delete(30, 4), upsert("B", 40, 5));
    assertThat(history.forget(event -> true)).isEqualTo(2);
    assertThat(history.remembered()).isEmpty();
    assertThat(showBitemporal(history.log())).containsExactly("u(A,10,2)", "d(20,3)", "u(B,40,5)");
  }

  @Test
  void repetitionsOfWhatOneRowHasShownSinceGo() {
    History<Row> history = history(upsert("A", 10, 1), upsert("A", 10, 2), upsert("A", 10, 3));
    assertThat(history.forget(event -> true)).isZero();
    History<Row> once = history(upsert("A", 10, 1), upsert("A", 10, 2));
    assertThat(once.forget(event -> true)).isEqualTo(1);
    assertThat(once.remembered()).isEmpty();
  }

  @Test
  void onlyExpiredEventsGo() {
    History<Row> history = history(delete(5, 1), delete(6, 2));
    assertThat(history.forget(event -> false)).isZero();
    assertThat(history.forget(event -> event.sequence().equals(TestEvents.sequence(5))))
        .isEqualTo(1);
    assertThat(showBitemporal(history.log())).containsExactly("d(6,2)");
  }

  @Test
  void aLateEventBehavesAsIfTheForgottenOnesHadNeverBeenSent() {
    History<Row> history = history(upsert("A", 10, 1), upsert("A", 30, 2), upsert("A", 20, 3));
    history.forget(event -> true);
    history.apply(List.of(upsert("B", 15, 9)));
    assertThat(showAll(history.versions()))
        .containsExactly("(A,10,-,1,9)", "(A,10,15,9,-)", "(B,15,30,9,-)", "(A,30,-,9,-)");
  }

  @Test
  void inRandomHistoriesTheRowsStayAndTheRestIsTheHistoryOfWhatIsKept() {
    int forgotten = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      History<Row> history = History.empty(BITEMPORAL, new RowValues());
      for (int round = 0; round < 4; round++) {
        List<Event<Row>> batch = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
          long sequence = random.nextInt(12);
          long system = 10L * round + random.nextInt(15);
          batch.add(
              random.nextInt(3) == 0
                  ? delete(sequence, system)
                  : upsert("a/" + random.nextInt(2), sequence, system));
        }
        history.apply(batch);
        List<Version<Row>> rows = history.versions();
        forgotten += history.forget(event -> random.nextBoolean());
        assertThat(history.versions()).as("seed %d", seed).isEqualTo(rows);
        NaiveBitemporal kept = new NaiveBitemporal(history.log());
        assertThat(showAll(kept.rows())).as("seed %d", seed).isEqualTo(showAll(rows));
        history = roundTrip(BITEMPORAL, history);
        assertThat(history.log()).as("seed %d", seed).isEqualTo(kept.log());
        assertThat(history.droppedRemembered()).isFalse();
      }
    }
    assertThat(forgotten).isGreaterThan(100);
  }
}
