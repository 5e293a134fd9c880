package io.sluice.history;

import static io.sluice.history.StorageType.SCD1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of semantics 20.1 and 20.2, by their names. */
class Scd1ExamplesTest {

  private final Target target = new Target(SCD1);

  @Test
  void c1TheDocumentedFeedGivesTheNewestStateOfEachUser() {
    target.update(
        """
        u(124,Raul Oaxaca,1) u(123,Isabel Monterrey,1) u(125,Mercedes Tijuana,2)
        u(126,Lily Cancun,2) d(123,6) u(125,Mercedes Guadalajara,6)
        u(125,Mercedes Mexicali,5) u(123,Isabel Chihuahua,5)
        """);
    assertThat(target.rows())
        .containsExactly("(124,Raul Oaxaca)", "(125,Mercedes Guadalajara)", "(126,Lily Cancun)");
  }

  @Test
  void s1dash1AnOldUpdateSentAgainChangesNothing() {
    assertThat(target.update("u(1,alice,1) u(2,bob,1)").rows())
        .containsExactly("(1,alice)", "(2,bob)");
    assertThat(target.update("u(1,alicia,2) u(1,alice,1) d(2,2) u(3,carol,1)").rows())
        .containsExactly("(1,alicia)", "(3,carol)");
    assertThat(target.update("u(1,alice,1)").rows()).containsExactly("(1,alicia)", "(3,carol)");
    assertThat(target.isUnchanged()).isTrue();
  }

  @Test
  void s1dash2TheSameEventAgainLeavesTheRowUntouched() {
    target.update("u(1,ACTIVE,10)");
    assertThat(target.update("u(1,ACTIVE,10)").isUnchanged()).isTrue();
    assertThat(target.rows()).containsExactly("(1,ACTIVE)");
  }

  @Test
  void s1dash3AnOlderUpdateDoesNotWin() {
    assertThat(Target.after(SCD1, "u(1,ACTIVE,12) | u(1,PENDING,10)").rows())
        .containsExactly("(1,ACTIVE)");
  }

  @Test
  void s1dash4AnUpdateOlderThanTheDeleteDoesNotBringTheRowBack() {
    assertThat(Target.after(SCD1, "u(1,ACTIVE,17) d(1,20) | u(1,SUSPENDED,18)").rows()).isEmpty();
  }

  @Test
  void s1dash5AWholeLifeSentAgainStaysDeleted() {
    String life = "u(1,a,10) u(1,b,20) u(1,c,30) u(1,d,40) d(1,50)";
    assertThat(target.update(life).rows()).isEmpty();
    assertThat(target.update(life).rows()).isEmpty();
    assertThat(target.isUnchanged()).isTrue();
  }

  @Test
  void s1dash6EachUpdateIsJudgedByItsSequence() {
    assertThat(target.update("u(1,alice,1) u(1,bob,3)").rows()).containsExactly("(1,bob)");
    assertThat(target.update("u(1,carol,2)").rows()).containsExactly("(1,bob)");
    assertThat(target.update("u(1,dave,4)").rows()).containsExactly("(1,dave)");
    assertThat(target.update("d(1,2)").rows()).containsExactly("(1,dave)");
    assertThat(target.update("d(1,5)").rows()).isEmpty();
    assertThat(target.update("u(1,ghost,4)").rows()).isEmpty();
  }

  @Test
  void s1dash7ADeleteOfAnUnknownKeySuppressesOlderUpserts() {
    assertThat(target.update("d(99,1)").rows()).isEmpty();
    assertThat(target.update("u(99,x,0)").rows()).isEmpty();
  }

  @Test
  void s1dash8ReinsertInOneBatch() {
    assertThat(Target.after(SCD1, "u(1,alice,1) d(1,2) u(1,alice2,3)").rows())
        .containsExactly("(1,alice2)");
  }

  @Test
  void s1dash9OnlyWhatIsNewerThanTheTombstoneLives() {
    assertThat(Target.after(SCD1, "d(1,10) d(2,10) | u(1,stale,5) u(2,fresh,20)").rows())
        .containsExactly("(2,fresh)");
  }

  @Test
  void s1dash10LateDeletes() {
    target.update("u(1,a,10) u(2,b,10) u(3,c,10) u(4,d,10)");
    target.update("d(1,20) d(2,20) u(3,Miami,30)");
    target.update("u(1,Tacoma,15) d(2,15) d(3,25) d(4,25)");
    assertThat(target.rows()).containsExactly("(3,Miami)");
  }

  @Test
  void s1dash11AStructSequenceComparesFieldByField() throws Exception {
    SequenceType type =
        SequenceType.struct(
            new StructType.Field("ts", SequenceType.timestamp(6)),
            new StructType.Field("txn", SequenceType.INTEGER));
    History<Row> history = History.empty(SCD1, new RowValues());
    history.apply(
        List.of(
            Event.upsert(type.encode(List.of(0L, 2)), Row.of("SUSPENDED"), Origin.UNKNOWN),
            Event.upsert(type.encode(List.of(0L, 1)), Row.of("ACTIVE"), Origin.UNKNOWN)));
    assertThat(history.versions()).extracting(Version::values).containsExactly(Row.of("SUSPENDED"));
  }

  @Test
  void s1dash12TheChosenClockDecides() {
    assertThat(Target.after(SCD1, "u(ingest,ACTIVE,1010) u(ingest,SUSPENDED,1006)").rows())
        .containsExactly("(ingest,ACTIVE)");
    assertThat(Target.after(SCD1, "u(source,ACTIVE,1000) u(source,SUSPENDED,1005)").rows())
        .containsExactly("(source,SUSPENDED)");
  }

  @Test
  void aNewerUpsertWithTheSameValuesMovesTheSequenceOfTheRow() {
    target.update("u(1,a,10)");
    assertThat(target.update("u(1,a,20)").isUnchanged()).isFalse();
    assertThat(TestEvents.show(target.history("1").versions())).containsExactly("(a,20,-)");
  }

  @Test
  void aRowWithoutSequenceRanksBelowEveryEvent() throws Exception {
    Version<Row> foreign = new Version<>(Sequence.LOWEST, null, Row.of("seed"));
    History<Row> history = History.recover(SCD1, new RowValues(), List.of(foreign), List.of());
    Changes<Row> changes = history.apply(List.of(TestEvents.upsert("a", Long.MIN_VALUE)));
    assertThat(changes.removed()).containsExactly(foreign);
    assertThat(TestEvents.show(changes.added())).containsExactly("(a," + Long.MIN_VALUE + ",-)");
    assertThat(changes.late()).isZero();
  }

  @Test
  void onlyTheTombstoneIsRememberedAndAnUpsertRemovesIt() {
    target.update("u(1,a,10) d(1,15) d(1,20) d(1,12)");
    assertThat(TestEvents.showEvents(target.history("1").remembered())).containsExactly("d(20)");
    target.update("u(1,b,30)");
    assertThat(target.history("1").remembered()).isEmpty();
    assertThat(TestEvents.showEvents(target.history("1").log())).containsExactly("u(b,30)");
  }
}
