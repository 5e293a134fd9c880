package io.sluice.history;

import static io.sluice.history.StorageType.SCD2;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The examples of semantics 20.1 and 20.4, by their names. Values are written {@code
 * tracked/untracked}.
 */
class Scd2ExamplesTest {

  private final Target target = new Target(SCD2);

  @Test
  void c3TheDocumentedFeedGivesEveryVersion() {
    target.update(
        """
        u(124,Raul Oaxaca,1) u(123,Isabel Monterrey,1) u(125,Mercedes Tijuana,2)
        u(126,Lily Cancun,2) d(123,6) u(125,Mercedes Guadalajara,6)
        u(125,Mercedes Mexicali,5) u(123,Isabel Chihuahua,5)
        """);
    assertThat(target.rows())
        .containsExactly(
            "(123,Isabel Monterrey,1,5)",
            "(123,Isabel Chihuahua,5,6)",
            "(124,Raul Oaxaca,1,-)",
            "(125,Mercedes Tijuana,2,5)",
            "(125,Mercedes Mexicali,5,6)",
            "(125,Mercedes Guadalajara,6,-)",
            "(126,Lily Cancun,2,-)");
  }

  @Test
  void c4AnUntrackedCityIsUpdatedInPlaceAlsoInAClosedRow() {
    target.update("u(124,Raul/Oaxaca,1) u(123,Isabel/Monterrey,1) u(125,Mercedes/Tijuana,2)");
    target.update("u(126,Lily/Cancun,2) d(123,6) u(125,Mercedes/Guadalajara,6)");
    target.update("u(125,Mercedes/Mexicali,5) u(123,Isabel/Chihuahua,5)");
    assertThat(target.rows())
        .containsExactly(
            "(123,Isabel/Chihuahua,1,6)",
            "(124,Raul/Oaxaca,1,-)",
            "(125,Mercedes/Guadalajara,2,-)",
            "(126,Lily/Cancun,2,-)");
  }

  @Test
  void s2dash1AnOlderUpdateBecomesAClosedRow() {
    assertThat(Target.after(SCD2, "u(1,ACTIVE,12) | u(1,PENDING,10)").rows())
        .containsExactly("(1,PENDING,10,12)", "(1,ACTIVE,12,-)");
  }

  @Test
  void s2dash2AnUpdateOlderThanTheDeleteEndsAtIt() {
    assertThat(Target.after(SCD2, "u(1,ACTIVE,17) d(1,20) | u(1,SUSPENDED,18)").rows())
        .containsExactly("(1,ACTIVE,17,18)", "(1,SUSPENDED,18,20)");
  }

  @Test
  void s2dash3AWholeLifeSentAgainChangesNothing() {
    String life =
        "u(1,PENDING,10) u(1,ACTIVE Antalya,20) u(1,ACTIVE Izmir,30) u(1,SUSPENDED,40) d(1,50)";
    target.update(life);
    assertThat(target.update(life).isUnchanged()).isTrue();
    assertThat(target.rows())
        .containsExactly(
            "(1,PENDING,10,20)",
            "(1,ACTIVE Antalya,20,30)",
            "(1,ACTIVE Izmir,30,40)",
            "(1,SUSPENDED,40,50)");
  }

  @Test
  void s2dash4FiftySyncsAreFiftyOneRowsOrOneWhereTheyAreNotTracked() {
    for (int sync = 0; sync <= 50; sync++) {
      target.update(
          "u(tracked,a" + sync + "," + sync + ") u(untracked,a/" + sync + "," + sync + ")");
    }
    assertThat(target.history("tracked").versions()).hasSize(51);
    assertThat(TestEvents.show(target.history("untracked").versions()))
        .containsExactly("(a/50,0,-)");
  }

  @Test
  void s2dash5ReinsertAfterADelete() {
    assertThat(Target.after(SCD2, "u(1,a,10) u(1,b,20) d(1,30) u(1,c,40)").rows())
        .containsExactly("(1,a,10,20)", "(1,b,20,30)", "(1,c,40,-)");
  }

  @Test
  void s2dash6AnUnchangedResendIsAbsorbed() {
    assertThat(Target.after(SCD2, "u(1,a,10) u(1,a,20)").rows()).containsExactly("(1,a,10,-)");
  }

  @Test
  void s2dash7AChangeAfterAnAbsorbedResend() {
    assertThat(target.update("u(1,a,10)").rows()).containsExactly("(1,a,10,-)");
    assertThat(target.update("u(1,a,20)").rows()).containsExactly("(1,a,10,-)");
    assertThat(target.isUnchanged()).isTrue();
    assertThat(target.update("u(1,b,30)").rows()).containsExactly("(1,a,10,30)", "(1,b,30,-)");
  }

  @Test
  void s2dash8ADeleteAloneGivesNoRow() {
    assertThat(target.update("d(1,5)").rows()).isEmpty();
    assertThat(TestEvents.showEvents(target.history("1").remembered())).containsExactly("d(5)");
  }

  @Test
  void s2dash9AnUpsertOlderThanTheTombstoneIsAClosedRow() {
    assertThat(Target.after(SCD2, "d(1,20) | u(1,x,10)").rows()).containsExactly("(1,x,10,20)");
  }

  @Test
  void s2dash10ALateEventSplitsARow() {
    assertThat(Target.after(SCD2, "u(1,a,10) u(1,c,20) | u(1,b,15)").rows())
        .containsExactly("(1,a,10,15)", "(1,b,15,20)", "(1,c,20,-)");
  }

  @Test
  void s2dash11ALateDeleteShortensARow() {
    assertThat(Target.after(SCD2, "u(1,a,10) u(1,b,30) | d(1,20)").rows())
        .containsExactly("(1,a,10,20)", "(1,b,30,-)");
  }

  @Test
  void s2dash12ALateEventSplitsARunOfAbsorbedEvents() {
    target.update("u(1,Alice,5) u(1,Alice,10) u(1,Alice,15)");
    assertThat(target.update("u(1,Charlie,20)").rows())
        .containsExactly("(1,Alice,5,20)", "(1,Charlie,20,-)");
    assertThat(target.update("u(1,Bob,12)").rows())
        .containsExactly("(1,Alice,5,12)", "(1,Bob,12,15)", "(1,Alice,15,20)", "(1,Charlie,20,-)");
  }

  @Test
  void s2dash13TwoLateEventsInOneUpdate() {
    target.update("u(1,a,1) u(1,b,5) u(1,c,10) u(1,d,20)");
    assertThat(target.update("u(1,x,7) u(1,y,15)").rows())
        .containsExactly(
            "(1,a,1,5)", "(1,b,5,7)", "(1,x,7,10)", "(1,c,10,15)", "(1,y,15,20)", "(1,d,20,-)");
  }

  @Test
  void s2dash14ALateEventBecomesTheFirstRow() {
    assertThat(Target.after(SCD2, "u(1,a,10) | u(1,b,5)").rows())
        .containsExactly("(1,b,5,10)", "(1,a,10,-)");
  }

  @Test
  void s2dash15AnUpsertAfterTheTombstoneOpensARow() {
    assertThat(Target.after(SCD2, "d(1,20) | u(1,x,30)").rows()).containsExactly("(1,x,30,-)");
  }

  @Test
  void s2dash16AnIdenticalDuplicateInOneBatchOrALaterOneIsOneRow() {
    target.update("u(1,a,10) u(1,a,10)");
    assertThat(target.update("u(1,a,10)").isUnchanged()).isTrue();
    assertThat(target.rows()).containsExactly("(1,a,10,-)");
  }

  @Test
  void s2dash17AnUntrackedScoreIsThatOfTheLastEventOfTheRun() {
    assertThat(target.update("u(1,alice/100,10) u(1,alice/200,20)").rows())
        .containsExactly("(1,alice/200,10,-)");
    assertThat(target.update("u(1,alice/300,30)").rows()).containsExactly("(1,alice/300,10,-)");
  }

  @Test
  void s2dash18AnotherNameOpensARow() {
    assertThat(Target.after(SCD2, "u(1,alice/100,10) u(1,bob/100,20)").rows())
        .containsExactly("(1,alice/100,10,20)", "(1,bob/100,20,-)");
  }

  @Test
  void s2dash19AnUpsertBetweenRowAndDelete() {
    assertThat(Target.after(SCD2, "u(1,Seattle,10) d(1,20) | u(1,Tacoma,15)").rows())
        .containsExactly("(1,Seattle,10,15)", "(1,Tacoma,15,20)");
  }

  @Test
  void s2dash20AnEarlierDeleteLeavesNoBoundaryVisible() {
    assertThat(Target.after(SCD2, "u(2,Portland,10) d(2,20) | d(2,15)").rows())
        .containsExactly("(2,Portland,10,15)");
  }

  @Test
  void s2dash21ALateDeleteBeforeTheCurrentRow() {
    assertThat(Target.after(SCD2, "u(3,Denver,10) u(3,Miami,30) | d(3,25)").rows())
        .containsExactly("(3,Denver,10,25)", "(3,Miami,30,-)");
  }

  @Test
  void aLateUntrackedChangeInTheMiddleOfARunIsRememberedOnly() {
    target.update("u(1,a/x,10) u(1,a/z,30)");
    assertThat(target.update("u(1,a/y,20)").isUnchanged()).isTrue();
    assertThat(TestEvents.showEvents(target.history("1").remembered()))
        .containsExactly("u(a/x,10)", "u(a/y,20)", "u(a/z,30)");
    assertThat(target.update("d(1,25)").rows()).containsExactly("(1,a/y,10,25)", "(1,a/z,30,-)");
  }

  @Test
  void aPlainInOrderFeedLeavesNothingToRemember() {
    target.update("u(1,a,10) u(1,b,20)").update("d(1,30)").update("u(1,a,40) u(1,c,50)");
    assertThat(target.history("1").remembered()).isEmpty();
  }
}
