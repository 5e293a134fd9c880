package io.sluice.history;

import static io.sluice.history.StorageType.BITEMPORAL;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.showAll;
import static io.sluice.history.TestEvents.showBitemporal;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
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
    History<Row> once = history(upsert("A", 10, 1), upsert("A", 10, 2));
    assertThat(once.forget(event -> true)).isEqualTo(1);
    assertThat(once.remembered()).isEmpty();
    History<Row> corrected = history(upsert("A", 10, 1), upsert("A", 10, 2), upsert("B", 10, 3));
    assertThat(corrected.forget(event -> true)).isZero();
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
  void ofManyRepetitionsTheFirstStays() {
    History<Row> history =
        history(upsert("A", 10, 1), upsert("A", 10, 2), upsert("A", 10, 3), upsert("A", 10, 4));
    assertThat(history.forget(event -> !event.systemSequence().equals(TestEvents.sequence(4))))
        .as("the newest is young, the first repetition says since when")
        .isEqualTo(1);
    assertThat(history.forget(event -> true)).isEqualTo(2);
    assertThat(history.remembered()).isEmpty();
  }

  @SafeVarargs
  private static History<Sparse> partial(Event<Sparse>... events) {
    History<Sparse> history = History.empty(BITEMPORAL, new Sparse.Order(true));
    history.apply(List.of(events));
    return history;
  }

  private static Event<Sparse> sparse(long sequence, long system, String... words) {
    return Event.upsert(TestEvents.sequence(sequence), Sparse.of(words), Origin.UNKNOWN)
        .learnedAt(TestEvents.sequence(system));
  }

  @Test
  void aPartialEventThatWroteWhatWasThereGoes() {
    History<Sparse> history =
        partial(
            sparse(10, 1, "a", "p", "x"),
            sparse(20, 2, "-", "q", "-"),
            sparse(30, 3, "a", "q", "-"),
            sparse(40, 4, "-", "-", "-"),
            sparse(50, 5, "-", "-", "y"));
    assertThat(history.forget(event -> true)).as("30; the last of its run stays").isEqualTo(1);
    assertThat(showBitemporal(history.log())).noneMatch(event -> event.contains(",30,"));
  }

  @Test
  void aPartialEventStaysThatOnceChangedWhatWasBelieved() {
    History<Sparse> history =
        partial(
            sparse(10, 1, "a", "p", "x"),
            sparse(30, 2, "b", "-", "-"),
            sparse(40, 3, "-", "-", "-"),
            sparse(20, 4, "b", "-", "-"));
    assertThat(history.forget(event -> true)).isZero();
    assertThat(showAll(history.versions())).hasSize(5);
  }

  @Test
  void aPartialEventStaysFromWhichALaterOneInherits() {
    History<Sparse> history =
        partial(
            sparse(10, 1, "a", "p", "x"),
            sparse(20, 2, "a", "-", "-"),
            sparse(30, 3, "-", "-", "-"));
    history.apply(List.of(sparse(15, 4, "b", "-", "-")));
    assertThat(history.forget(event -> true)).isZero();
  }

  @Test
  void inRandomHistoriesTheRowsStayAndTheRestIsTheHistoryOfWhatIsKept() {
    int ofRows =
        forgetAtRandom(BitemporalWorld.ofRows(), random -> Row.of("a/" + random.nextInt(2)));
    assertThat(ofRows).isGreaterThan(1000);
    for (boolean trackAll : new boolean[] {true, false}) {
      int partial =
          forgetAtRandom(BitemporalWorld.ofSparse(trackAll), BitemporalForgetTest::sparseWords);
      assertThat(partial).isGreaterThan(500);
    }
  }

  private static Sparse sparseWords(Random random) {
    String[] words = new String[Sparse.LEAVES];
    for (int i = 0; i < words.length; i++) {
      words[i] = List.of("-", "-", "v", "v", "w").get(random.nextInt(5));
    }
    return Sparse.of(words);
  }

  private static <V> int forgetAtRandom(BitemporalWorld<V> world, Function<Random, V> columns) {
    int forgotten = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      History<V> history = History.empty(BITEMPORAL, world.values());
      for (int round = 0; round < 4; round++) {
        List<Event<V>> batch = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
          boolean deletes = random.nextInt(4) == 0;
          batch.add(
              new Event<>(
                  TestEvents.sequence(random.nextInt(12)),
                  TestEvents.sequence(10L * round + random.nextInt(15)),
                  deletes ? Kind.DELETE : Kind.UPSERT,
                  deletes ? null : columns.apply(random),
                  Origin.UNKNOWN));
        }
        history.apply(batch);
        List<Version<V>> rows = history.versions();
        forgotten += history.forget(event -> random.nextBoolean());
        assertThat(history.versions()).as("seed %d", seed).isEqualTo(rows);
        NaiveBitemporal<V> kept = world.naive(history.log());
        assertThat(showAll(kept.rows())).as("seed %d", seed).isEqualTo(showAll(rows));
        history = world.roundTrip(history);
        assertThat(history.log()).as("seed %d", seed).isEqualTo(kept.log());
        assertThat(history.droppedRemembered()).isFalse();
      }
    }
    return forgotten;
  }
}
