package io.sluice.history;

import static io.sluice.history.StorageType.SCD1;
import static io.sluice.history.StorageType.SCD2;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.offset;
import static io.sluice.history.TestEvents.openRow;
import static io.sluice.history.TestEvents.row;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.show;
import static io.sluice.history.TestEvents.showEvents;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoverTest {

  private static History<Row> recover(
      StorageType type, List<Version<Row>> rows, List<Event<Row>> remembered)
      throws InvalidHistoryException {
    return History.recover(type, new RowValues(), rows, remembered);
  }

  private static InvalidHistoryException refused(StorageType type, List<Version<Row>> rows) {
    return catchThrowableOfType(
        InvalidHistoryException.class, () -> recover(type, rows, List.of()));
  }

  @Test
  void rowsInAnyOrderGiveAnUpsertPerStartAndADeletePerEndWithoutSuccessor() throws Exception {
    History<Row> history =
        recover(SCD2, List.of(openRow("c", 40), row("a", 10, 20), row("b", 20, 30)), List.of());
    assertThat(showEvents(history.log())).containsExactly("u(a,10)", "u(b,20)", "d(30)", "u(c,40)");
    assertThat(show(history.versions())).containsExactly("(a,10,20)", "(b,20,30)", "(c,40,-)");
    assertThat(history.remembered()).isEmpty();
    assertThat(history.droppedRemembered()).isFalse();
  }

  @Test
  void rememberedEventsReplaceWhatTheRowShowsAtTheirSequence() throws Exception {
    History<Row> history =
        recover(
            SCD2,
            List.of(row("a/2", 10, 30)),
            List.of(delete(40), upsert("a/2", 20), upsert("a/1", 10), delete(30, offset(7))));
    assertThat(showEvents(history.log()))
        .containsExactly("u(a/1,10)", "u(a/2,20)", "d(30)@7", "d(40)");
    assertThat(history.droppedRemembered()).isFalse();
  }

  @Test
  void theRowObjectsThatWereReadAreTheOnesThatAreRemoved() throws Exception {
    Version<Row> closed = row("a", 10, 20);
    Version<Row> open = openRow("b", 20);
    History<Row> history = recover(SCD2, List.of(closed, open), List.of());
    Changes<Row> changes = history.apply(List.of(delete(30)));
    assertThat(changes.removed()).hasSize(1);
    assertThat(changes.removed().get(0)).isSameAs(open);
    assertThat(history.versions().get(0)).isSameAs(closed);
  }

  @Test
  void changedValuesOfARowWinOverRememberedEvents() throws Exception {
    History<Row> history =
        recover(
            SCD2,
            List.of(openRow("a/edited", 10)),
            List.of(upsert("a/1", 10), upsert("a/2", 20), delete(5)));
    assertThat(history.droppedRemembered()).isTrue();
    assertThat(showEvents(history.log())).containsExactly("u(a/edited,10)");
    assertThat(history.remembered()).isEmpty();
  }

  @Test
  void aRowThatWasDeletedByOthersWinsOverItsAbsorbedEvents() throws Exception {
    assertThat(recover(SCD2, List.of(), List.of(upsert("a", 20))).droppedRemembered()).isTrue();
    assertThat(recover(SCD1, List.of(), List.of(upsert("a", 20, offset(1)))).droppedRemembered())
        .isTrue();
  }

  @Test
  void aRowThatOthersPutOverATombstoneWins() throws Exception {
    History<Row> two = recover(SCD2, List.of(row("a", 10, 30)), List.of(delete(20)));
    assertThat(two.droppedRemembered()).isTrue();
    assertThat(show(two.versions())).containsExactly("(a,10,30)");
    History<Row> one = recover(SCD1, List.of(openRow("a", 10)), List.of(delete(20)));
    assertThat(one.droppedRemembered()).isTrue();
    assertThat(show(one.versions())).containsExactly("(a,10,-)");
    assertThat(showEvents(one.log())).containsExactly("u(a,10)");
  }

  @Test
  void aRowChangedInATrackedColumnWinsOverItsRun() throws Exception {
    History<Row> history =
        recover(SCD2, List.of(openRow("b", 10)), List.of(upsert("a", 20), upsert("b", 30)));
    assertThat(history.droppedRemembered()).isTrue();
  }

  @Test
  void aRememberedDeleteAtARowStartContradictsTheRow() throws Exception {
    History<Row> history = recover(SCD2, List.of(openRow("a", 10)), List.of(delete(10)));
    assertThat(history.droppedRemembered()).isTrue();
    assertThat(show(history.versions())).containsExactly("(a,10,-)");
  }

  @Test
  void scd1KeepsTheTieWinnerAndForgetsDeletesBelowTheRow() throws Exception {
    History<Row> history =
        recover(SCD1, List.of(openRow("a", 10)), List.of(delete(5), upsert("a", 10, offset(3))));
    assertThat(showEvents(history.log())).containsExactly("u(a,10)@3");
    assertThat(history.droppedRemembered()).isFalse();
  }

  @Test
  void neighboursThatOthersWroteAlikeStayUntilAnEventTouchesThem() throws Exception {
    List<Version<Row>> rows = List.of(row("a/1", 10, 20), row("a/2", 20, 30), openRow("b", 30));
    History<Row> history = recover(SCD2, rows, List.of(delete(5)));
    assertThat(history.droppedRemembered()).isFalse();
    Changes<Row> elsewhere = history.apply(List.of(upsert("c", 40)));
    assertThat(show(elsewhere.removed())).containsExactly("(b,30,-)");
    Changes<Row> first = history.apply(List.of(upsert("a/0", 7)));
    assertThat(show(first.removed())).containsExactly("(a/1,10,20)", "(a/2,20,30)");
    assertThat(show(first.added())).containsExactly("(a/2,7,30)");
  }

  @Test
  void twoRememberedEventsWithOneSequenceAreOne() throws Exception {
    History<Row> history = recover(SCD2, List.of(), List.of(delete(5), delete(5)));
    assertThat(showEvents(history.log())).containsExactly("d(5)");
  }

  @Test
  void aRowWithoutStartIsRefusedAndNamed() {
    Version<Row> bad = new Version<>(null, sequence(20), Row.of("a"));
    for (StorageType type : StorageType.values()) {
      InvalidHistoryException refused = refused(type, List.of(bad));
      assertThat(refused.reason()).isEqualTo(Reason.NULL_START);
      assertThat(refused.row()).isSameAs(bad);
      assertThat(refused.other()).isEmpty();
    }
  }

  @Test
  void anEmptyOrInvertedIntervalIsRefusedAndNamed() {
    for (Version<Row> bad : List.of(row("a", 20, 20), row("a", 20, 10))) {
      InvalidHistoryException refused = refused(SCD2, List.of(openRow("z", 90), bad));
      assertThat(refused.reason()).isEqualTo(Reason.EMPTY_INTERVAL);
      assertThat(refused.row()).isSameAs(bad);
    }
  }

  @Test
  void twoRowsWithOneStartAreRefusedAndNamed() {
    Version<Row> first = row("a", 10, 20);
    Version<Row> second = openRow("b", 10);
    InvalidHistoryException refused = refused(SCD2, List.of(first, second));
    assertThat(refused.reason()).isEqualTo(Reason.SAME_START);
    assertThat(refused.row()).isSameAs(first);
    assertThat(refused.other()).containsSame(second);
    assertThat(refused).hasMessageContaining("same start");
  }

  @Test
  void overlappingRowsAreRefusedAndNamed() {
    Version<Row> later = row("b", 15, 40);
    for (Version<Row> earlier : List.of(row("a", 10, 16), openRow("a", 10))) {
      InvalidHistoryException refused = refused(SCD2, List.of(later, earlier));
      assertThat(refused.reason()).isEqualTo(Reason.OVERLAP);
      assertThat(refused.row()).isSameAs(earlier);
      assertThat(refused.other()).containsSame(later);
    }
  }

  @Test
  void twoRowsOfOneKeyAreRefusedForScd1() {
    InvalidHistoryException refused = refused(SCD1, List.of(openRow("a", 1), openRow("b", 2)));
    assertThat(refused.reason()).isEqualTo(Reason.MORE_THAN_ONE_ROW);
  }
}
