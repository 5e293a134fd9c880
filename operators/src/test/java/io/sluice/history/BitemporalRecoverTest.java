package io.sluice.history;

import static io.sluice.history.StorageType.BITEMPORAL;
import static io.sluice.history.TestEvents.row;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.showAll;
import static io.sluice.history.TestEvents.showBitemporal;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What rows of a bitemporal key say, rows of other writers among them (semantics 0.17). */
class BitemporalRecoverTest {

  private static History<Row> recover(List<Version<Row>> rows, List<Event<Row>> remembered)
      throws InvalidHistoryException {
    return History.recover(BITEMPORAL, new RowValues(), rows, remembered);
  }

  private static InvalidHistoryException refused(List<Version<Row>> rows) {
    return catchThrowableOfType(InvalidHistoryException.class, () -> recover(rows, List.of()));
  }

  @Test
  void rowsInAnyOrderGiveTheEventsThatMadeThem() throws Exception {
    History<Row> history =
        recover(
            List.of(
                row("B", 20, 30L, 3, null),
                row("A", 10, null, 1, 2L),
                row("B", 20, null, 2, 3L),
                row("A", 10, 20L, 2, null)),
            List.of());
    assertThat(showBitemporal(history.log())).containsExactly("u(A,10,1)", "u(B,20,2)", "d(30,3)");
    assertThat(history.remembered()).isEmpty();
    assertThat(history.droppedRemembered()).isFalse();
  }

  @Test
  void aRowThatOthersInsertedIsAnEventLikeOurs() throws Exception {
    History<Row> history = recover(List.of(row("A", 10, 20L, 5, null)), List.of());
    assertThat(showBitemporal(history.log())).containsExactly("u(A,10,5)", "d(20,5)");
    history.apply(List.of(upsert("B", 15, 6)));
    assertThat(showAll(history.versions()))
        .containsExactly("(A,10,20,5,6)", "(A,10,15,6,-)", "(B,15,20,6,-)");
  }

  @Test
  void aRowThatOthersTookAwayIsADeleteAtItsStart() throws Exception {
    History<Row> history = recover(List.of(row("A", 10, null, 1, 4L)), List.of());
    assertThat(showBitemporal(history.log())).containsExactly("u(A,10,1)", "d(10,4)");
    history.apply(List.of(upsert("B", 5, 6)));
    assertThat(showAll(history.versions())).containsExactly("(B,5,10,6,-)", "(A,10,-,1,4)");
  }

  @Test
  void changedValuesOfARowWinOverRememberedEvents() throws Exception {
    History<Row> history =
        recover(
            List.of(row("edited", 10, null, 1, null)),
            List.of(upsert("A", 20, 2), upsert("A", 10, 3)));
    assertThat(history.droppedRemembered()).isTrue();
    assertThat(showBitemporal(history.log())).containsExactly("u(edited,10,1)");
    assertThat(history.remembered()).isEmpty();
  }

  @Test
  void neighboursThatOthersWroteAlikeStayUntilAnEventTouchesThem() throws Exception {
    List<Version<Row>> rows =
        List.of(row("A", 10, 20L, 1, null), row("A", 20, null, 1, 3L), row("A", 20, null, 3, null));
    History<Row> history = recover(rows, List.of());
    assertThat(history.droppedRemembered()).isFalse();
    assertThat(showAll(history.versions())).containsExactlyElementsOf(showAll(rows));
    Changes<Row> changes = history.apply(List.of(upsert("B", 30, 9)));
    assertThat(showAll(changes.removed())).containsExactly("(A,20,-,3,-)");
  }

  @Test
  void theRowObjectsThatWereReadAreTheOnesThatAreRemoved() throws Exception {
    Version<Row> superseded = row("A", 10, null, 1, 2L);
    Version<Row> believed = row("A", 10, 20L, 2, null);
    Version<Row> open = row("B", 20, null, 2, null);
    History<Row> history = recover(List.of(superseded, believed, open), List.of());
    Changes<Row> changes = history.apply(List.of(upsert("C", 30, 3)));
    assertThat(changes.removed()).hasSize(1);
    assertThat(changes.removed().get(0)).isSameAs(open);
    assertThat(history.versions().get(0)).isSameAs(superseded);
  }

  @Test
  void withoutSupersededRowsItIsOpenWhenAShownEventWasLearned() throws Exception {
    History<Row> history =
        History.recoverSuffix(
            BITEMPORAL,
            new RowValues(),
            List.of(row("A", 10, 20L, 2, null), row("B", 20, null, 2, null)),
            List.of(),
            Sequence.LOWEST,
            sequence(7));
    assertThat(showBitemporal(history.log())).containsExactly("u(A,10,?)", "u(B,20,?)");
    Changes<Row> changes = history.apply(List.of(upsert("A/1", 5, 8)));
    assertThat(showAll(changes.added())).containsExactly("(A,5,20,8,-)", "(A,10,20,2,8)");
    assertThat(showBitemporal(history.remembered())).containsExactly("u(A/1,5,8)", "u(A,10,8)~");
  }

  @Test
  void rowsThatNoBitemporalHistoryHasAreRefusedAndNamed() {
    Version<Row> good = row("A", 10, 20L, 1, null);
    Version<Row> noStart = new Version<>(null, null, sequence(1), null, Row.of("A"));
    Version<Row> noSystemStart = new Version<>(sequence(5), null, null, null, Row.of("A"));
    Version<Row> empty = row("A", 30, 30L, 1, null);
    Version<Row> neverBelieved = row("A", 30, null, 4, 4L);
    Version<Row> sameStart = row("B", 10, null, 3, null);
    Version<Row> overlapping = row("B", 5, 11L, 3, null);
    assertRefused(noStart, Reason.NULL_START, good);
    assertRefused(noSystemStart, Reason.NULL_SYSTEM_START, good);
    assertRefused(empty, Reason.EMPTY_INTERVAL, good);
    assertRefused(neverBelieved, Reason.EMPTY_SYSTEM_INTERVAL, good);
    assertRefused(sameStart, Reason.SAME_START, good);
    assertRefused(overlapping, Reason.OVERLAP, good);
  }

  private static void assertRefused(Version<Row> bad, Reason reason, Version<Row> good) {
    InvalidHistoryException refused = refused(List.of(good, bad));
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.row()).isSameAs(bad);
  }

  @Test
  void rowsThatNeverWereBelievedTogetherMayOverlap() throws Exception {
    History<Row> history =
        recover(List.of(row("A", 10, null, 1, 2L), row("B", 5, null, 2, null)), List.of());
    assertThat(showBitemporal(history.log())).contains("u(A,10,1)", "u(B,5,2)");
  }
}
