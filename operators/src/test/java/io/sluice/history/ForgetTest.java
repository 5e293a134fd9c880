package io.sluice.history;

import static io.sluice.history.StorageType.SCD1;
import static io.sluice.history.StorageType.SCD2;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.roundTrip;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.show;
import static io.sluice.history.TestEvents.showEvents;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the tombstone retention may drop, semantics 0.16. */
class ForgetTest {

  private static History<Row> history(StorageType type, List<Event<Row>> events) {
    History<Row> history = History.empty(type, new RowValues());
    history.apply(events);
    return history;
  }

  @Test
  void aRunKeepsItsFirstAndItsLastEvent() {
    History<Row> history =
        history(
            SCD2,
            List.of(
                upsert("a/1", 10),
                upsert("a/2", 20),
                upsert("a/3", 30),
                upsert("b", 40),
                upsert("b", 50),
                upsert("b", 60)));
    List<Version<Row>> rows = history.versions();
    assertThat(history.forget(event -> true)).isEqualTo(2);
    assertThat(history.versions()).isEqualTo(rows);
    assertThat(showEvents(history.log()))
        .containsExactly("u(a/1,10)", "u(a/3,30)", "u(b,40)", "u(b,60)");
    History<Row> recovered = roundTrip(SCD2, history);
    assertThat(recovered.log()).isEqualTo(history.log());
    assertThat(recovered.droppedRemembered()).isFalse();
  }

  @Test
  void deletesThatNoRowEndShowsGoOthersStay() {
    History<Row> history =
        history(SCD2, List.of(delete(5), upsert("a", 10), delete(20), delete(30), upsert("b", 40)));
    assertThat(history.forget(event -> true)).isEqualTo(2);
    assertThat(showEvents(history.log())).containsExactly("u(a,10)", "d(20)", "u(b,40)");
    assertThat(history.remembered()).isEmpty();
  }

  @Test
  void onlyExpiredEventsGo() {
    History<Row> history = history(SCD2, List.of(delete(5), delete(6), delete(7)));
    assertThat(history.forget(event -> event.sequence().compareTo(sequence(7)) < 0)).isEqualTo(2);
    assertThat(showEvents(history.log())).containsExactly("d(7)");
    assertThat(history.forget(event -> false)).isZero();
  }

  @Test
  void aLateEventBehavesAsIfTheForgottenOnesHadNeverBeenSent() {
    History<Row> history =
        history(SCD2, List.of(upsert("a", 10), upsert("a", 20), upsert("a", 30)));
    history.forget(event -> true);
    history.apply(List.of(upsert("b", 15)));
    assertThat(show(history.versions())).containsExactly("(a,10,15)", "(b,15,30)", "(a,30,-)");
  }

  @Test
  void anExpiredScd1TombstoneGoesARowStays() {
    History<Row> deleted = history(SCD1, List.of(delete(5)));
    assertThat(deleted.forget(event -> false)).isZero();
    assertThat(deleted.forget(event -> true)).isEqualTo(1);
    assertThat(deleted.log()).isEmpty();
    assertThat(show(deleted.apply(List.of(upsert("a", 3))).added())).containsExactly("(a,3,-)");
    assertThat(deleted.forget(event -> true)).isZero();
    assertThat(deleted.versions()).hasSize(1);
  }
}
