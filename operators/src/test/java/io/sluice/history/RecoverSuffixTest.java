package io.sluice.history;

import static io.sluice.history.StorageType.SCD1;
import static io.sluice.history.StorageType.SCD2;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.openRow;
import static io.sluice.history.TestEvents.row;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.show;
import static io.sluice.history.TestEvents.showEvents;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Partial loading. That the answers equal those of a full load is checked in every world of {@link
 * ExhaustiveHistoryTest} and {@link RandomHistoryTest}; here is what is left out.
 */
class RecoverSuffixTest {

  private static final List<Version<Row>> ROWS =
      List.of(row("a/2", 10, 30), row("b", 30, 50), row("c", 70, 90), openRow("d", 100));
  private static final List<Event<Row>> REMEMBERED =
      List.of(
          delete(5),
          upsert("a/1", 10),
          upsert("a/2", 20),
          upsert("b", 40),
          delete(60),
          upsert("d", 110));

  private static History<Row> suffix(long from) throws InvalidHistoryException {
    return History.recoverSuffix(SCD2, new RowValues(), ROWS, REMEMBERED, sequence(from));
  }

  @Test
  void rowsThatEndBeforeTheFirstEventAreLeftOutWithWhatIsRememberedOfThem() throws Exception {
    History<Row> history = suffix(95);
    assertThat(show(history.versions())).containsExactly("(d,100,-)");
    assertThat(showEvents(history.remembered())).containsExactly("u(d,110)");
    assertThat(history.droppedRemembered()).isFalse();
  }

  @Test
  void aRowThatEndsExactlyAtTheFirstEventIsLoadedWithItsWholeRun() throws Exception {
    History<Row> history = suffix(50);
    assertThat(show(history.versions()).get(0)).isEqualTo("(b,30,50)");
    assertThat(showEvents(history.log()))
        .containsExactly(
            "u(b,30)", "u(b,40)", "d(50)", "d(60)", "u(c,70)", "d(90)", "u(d,100)", "u(d,110)");
  }

  @Test
  void aTombstoneBetweenTheFirstEventAndTheNextRowStillEndsALateRow() throws Exception {
    History<Row> history = suffix(55);
    Changes<Row> changes = history.apply(List.of(upsert("x", 55)));
    assertThat(show(changes.added())).containsExactly("(x,55,60)");
    assertThat(showEvents(history.remembered())).containsExactly("u(d,110)");
  }

  @Test
  void lateEventsAreCountedAsWithEverythingLoaded() throws Exception {
    assertThat(suffix(105).apply(List.of(upsert("x", 105))).late()).isEqualTo(1);
    assertThat(suffix(115).apply(List.of(upsert("x", 115))).late()).isZero();
  }

  @Test
  void aRowWithoutStartIsRefusedWhereverItEnds() {
    List<Version<Row>> rows = List.of(new Version<>(null, sequence(1), Row.of("a")));
    assertThatThrownBy(
            () -> History.recoverSuffix(SCD2, new RowValues(), rows, List.of(), sequence(100)))
        .isInstanceOf(InvalidHistoryException.class);
  }

  @Test
  void scd1LoadsItsOnlyRowAlways() throws Exception {
    History<Row> history =
        History.recoverSuffix(
            SCD1, new RowValues(), List.of(openRow("a", 10)), List.of(), sequence(100));
    assertThat(show(history.versions())).containsExactly("(a,10,-)");
  }
}
