package io.sluice.history;

import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.showAll;
import static io.sluice.history.TestEvents.showBitemporal;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The documented tables of semantics 10.3 and 10.4. */
class BitemporalExamplesTest {

  private final History<Row> history = History.empty(StorageType.BITEMPORAL, new RowValues());

  @SafeVarargs
  private List<String> after(Event<Row>... events) {
    history.apply(List.of(events));
    return showAll(history.versions());
  }

  @Test
  void b1InsertUpdateLateUpdateAndDelete() {
    assertThat(after(upsert("v1", 1001, 1005))).containsExactly("(v1,1001,-,1005,-)");
    assertThat(after(upsert("v2", 1215, 1220)))
        .containsExactly("(v1,1001,-,1005,1220)", "(v1,1001,1215,1220,-)", "(v2,1215,-,1220,-)");
    assertThat(after(upsert("v3", 1205, 1225)))
        .containsExactly(
            "(v1,1001,-,1005,1220)",
            "(v1,1001,1215,1220,1225)",
            "(v1,1001,1205,1225,-)",
            "(v3,1205,1215,1225,-)",
            "(v2,1215,-,1220,-)");
    assertThat(after(delete(1230, 1230)))
        .containsExactly(
            "(v1,1001,-,1005,1220)",
            "(v1,1001,1215,1220,1225)",
            "(v1,1001,1205,1225,-)",
            "(v3,1205,1215,1225,-)",
            "(v2,1215,-,1220,1230)",
            "(v2,1215,1230,1230,-)");
    assertThat(history.remembered()).isEmpty();
  }

  @Test
  void b2ThreeStatesGiveFiveRows() {
    assertThat(after(upsert("PENDING", 0, 1), upsert("ACTIVE", 2, 3), upsert("SUSPENDED", 4, 5)))
        .containsExactly(
            "(PENDING,0,-,1,3)",
            "(PENDING,0,2,3,-)",
            "(ACTIVE,2,-,3,5)",
            "(ACTIVE,2,4,5,-)",
            "(SUSPENDED,4,-,5,-)");
  }

  @Test
  void b5ACorrectionAtTheSameBusinessTimeSupersedesTheRow() {
    assertThat(after(upsert("v1", 1, 5))).containsExactly("(v1,1,-,5,-)");
    assertThat(after(upsert("v2", 1, 8))).containsExactly("(v1,1,-,5,8)", "(v2,1,-,8,-)");
  }

  @Test
  void b6AnEventThatIsLateOnTheSystemAxisMovesWhatWasBelieved() {
    after(upsert("A", 10, 100), upsert("C", 20, 300));
    Changes<Row> changes = history.apply(List.of(upsert("B", 15, 200)));
    assertThat(showAll(history.versions()))
        .containsExactly(
            "(A,10,-,100,200)",
            "(A,10,15,200,-)",
            "(B,15,-,200,300)",
            "(B,15,20,300,-)",
            "(C,20,-,300,-)");
    assertThat(showAll(changes.removed())).containsExactly("(A,10,-,100,300)", "(A,10,20,300,-)");
    assertThat(showAll(changes.added()))
        .containsExactly(
            "(A,10,-,100,200)", "(A,10,15,200,-)", "(B,15,-,200,300)", "(B,15,20,300,-)");
    assertThat(changes.late()).isEqualTo(1);
  }

  @Test
  void b7ALateDeleteShortensTheRowThatHoldsThen() {
    assertThat(after(upsert("A", 10, 100), upsert("C", 30, 200), delete(20, 300)))
        .containsExactly(
            "(A,10,-,100,200)", "(A,10,30,200,300)", "(A,10,20,300,-)", "(C,30,-,200,-)");
  }

  @Test
  void aCorrectionChangesOnlyTheRowItCorrects() {
    after(upsert("A", 10, 1), upsert("B", 20, 2), upsert("C", 30, 3));
    Changes<Row> changes = history.apply(List.of(upsert("X", 20, 9)));
    assertThat(showAll(changes.removed())).containsExactly("(B,20,30,3,-)");
    assertThat(showAll(changes.added())).containsExactly("(B,20,30,3,9)", "(X,20,30,9,-)");
  }

  @Test
  void severalEventsOfOneStepGiveNoRowOfNoSystemTime() {
    assertThat(after(upsert("A", 10, 7), upsert("B", 20, 7)))
        .containsExactly("(A,10,20,7,-)", "(B,20,-,7,-)");
    assertThat(after(upsert("C", 15, 7)))
        .containsExactly("(A,10,15,7,-)", "(C,15,20,7,-)", "(B,20,-,7,-)");
  }

  @Test
  void aDeleteOfAnUnknownKeyShowsNothingAndIsRemembered() {
    assertThat(after(delete(20, 5))).isEmpty();
    assertThat(showBitemporal(history.remembered())).containsExactly("d(20,5)");
    assertThat(after(upsert("A", 10, 6))).containsExactly("(A,10,20,6,-)");
  }

  @Test
  void repeatingAValueLaterOpensNoRowOnEitherAxis() {
    assertThat(after(upsert("A", 10, 1), upsert("A", 20, 2), upsert("A", 10, 3)))
        .containsExactly("(A,10,-,1,-)");
    assertThat(showBitemporal(history.remembered())).containsExactly("u(A,10,3)", "u(A,20,2)");
  }

  @Test
  void aWithdrawnCorrectionGivesTheFirstRowBackAsANewBelief() {
    assertThat(after(upsert("A", 10, 1), upsert("B", 10, 2), upsert("A", 10, 3)))
        .containsExactly("(A,10,-,1,2)", "(B,10,-,2,3)", "(A,10,-,3,-)");
  }

  @Test
  void anUntrackedColumnIsCorrectedOnTheSystemAxisOnly() {
    assertThat(after(upsert("A/1", 10, 1), upsert("A/2", 20, 2)))
        .containsExactly("(A/1,10,-,1,2)", "(A/2,10,-,2,-)");
    assertThat(showBitemporal(history.remembered())).containsExactly("u(A/1,10,2)~", "u(A/2,20,2)");
  }
}
