package io.sluice.history;

import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.offset;
import static io.sluice.history.TestEvents.roundTrip;
import static io.sluice.history.TestEvents.showEvents;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events with one sequence and different contents, semantics 0.2. */
class TieTest {

  @ParameterizedTest
  @EnumSource
  void theLaterDeclaredFlowWinsWhateverItsOffset(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    Event<Row> seed = upsert("seed", 5, new Origin(0, "seed", 99));
    Event<Row> live = upsert("live", 5, new Origin(1, "live", 1));
    Changes<Row> changes = history.apply(List.of(live, seed));
    assertThat(changes.tiesResolved()).containsExactly(new Tie<>(live, seed));
    assertThat(changes.tiesResolved().get(0).sequence()).isEqualTo(TestEvents.sequence(5));
    assertThat(changes.ties()).isEqualTo(1);
    assertThat(history.versions()).extracting(Version::values).containsExactly(Row.of("live"));
  }

  @ParameterizedTest
  @EnumSource
  void sourceThenOffsetDecideInsideAFlow(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(
        List.of(
            upsert("b", 5, new Origin(0, "p1", 1)),
            upsert("c", 5, new Origin(0, "p1", 2)),
            upsert("a", 5, new Origin(0, "p0", 9))));
    assertThat(showEvents(history.log())).containsExactly("u(c,5)@2");
  }

  @ParameterizedTest
  @EnumSource
  void withoutOriginAnUpsertBeatsADeleteAndThenTheContentDecides(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(List.of(upsert("a", 5), upsert("b", 5), delete(5)));
    assertThat(showEvents(history.log())).containsExactly("u(b,5)");
    assertThat(history.apply(List.of(delete(5), upsert("a", 5))).isEmpty()).isTrue();
    assertThat(history.remembered()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anEventThatMeetsARowOfUnknownOriginWinsAndIsRememberedWithItsOrigin(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(List.of(upsert("z", 5, offset(1))));
    History<Row> recovered = roundTrip(type, history);
    Changes<Row> changes = recovered.apply(List.of(upsert("a", 5, offset(2))));
    assertThat(changes.ties()).isEqualTo(1);
    assertThat(changes.late()).isZero();
    assertThat(showEvents(recovered.remembered())).containsExactly("u(a,5)@2");
  }

  @ParameterizedTest
  @EnumSource
  void aLoserThatIsSentAgainChangesNothingEvenAfterTheWayThroughTheTable(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(List.of(upsert("z", 5, offset(1)), upsert("a", 5, offset(2))));
    History<Row> recovered = roundTrip(type, history);
    Changes<Row> changes = recovered.apply(List.of(upsert("z", 5, offset(1))));
    assertThat(changes.isEmpty()).isTrue();
    assertThat(changes.ties()).isEqualTo(1);
    assertThat(recovered.log()).isEqualTo(history.log());
  }

  @ParameterizedTest
  @EnumSource
  void aDeleteThatWinsATieKeepsTheUpsertAway(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(List.of(upsert("a", 5, offset(1)), delete(5, offset(2))));
    History<Row> recovered = roundTrip(type, history);
    recovered.apply(List.of(upsert("a", 5, offset(1))));
    assertThat(recovered.versions()).isEmpty();
    assertThat(showEvents(recovered.remembered())).containsExactly("d(5)@2");
  }

  @ParameterizedTest
  @EnumSource
  void anIdenticalEventIsADuplicateAndLeavesTheStoredOneUntouched(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(List.of(upsert("a", 5, offset(1))));
    Changes<Row> changes = history.apply(List.of(upsert("a", 5, offset(7))));
    assertThat(changes.duplicates()).isEqualTo(1);
    assertThat(changes.ties()).isZero();
    assertThat(showEvents(history.log())).containsExactly("u(a,5)");
    assertThat(history.remembered()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void contentsThatComeAndGoEndWithTheLastOneInAnyBatching(StorageType type) {
    Event<Row> first = upsert("x", 5, offset(1));
    Event<Row> second = upsert("y", 5, offset(2));
    Event<Row> third = upsert("x", 5, offset(3));
    History<Row> once = History.empty(type, new RowValues());
    once.apply(List.of(first, second, third));
    History<Row> twice = History.empty(type, new RowValues());
    twice.apply(List.of(first));
    twice.apply(List.of(second, third));
    assertThat(showEvents(once.log())).containsExactly("u(x,5)@3");
    assertThat(twice.log()).isEqualTo(once.log());
    twice.apply(List.of(second));
    assertThat(showEvents(twice.log())).containsExactly("u(x,5)@3");
  }

  @ParameterizedTest
  @EnumSource
  void lateCountsOnlyAgainstWhatWasKnownBeforeTheCall(StorageType type) {
    History<Row> history = History.empty(type, new RowValues());
    assertThat(history.apply(List.of(upsert("b", 9), upsert("a", 1))).late()).isZero();
    assertThat(history.apply(List.of(upsert("d", 20), upsert("c", 8), delete(9))).late())
        .isEqualTo(1);
    assertThat(history.apply(List.of()).late()).isZero();
  }
}
