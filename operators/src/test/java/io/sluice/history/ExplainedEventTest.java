package io.sluice.history;

import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.offset;
import static io.sluice.history.TestEvents.openRow;
import static io.sluice.history.TestEvents.roundTrip;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The fates of remembered events. */
class ExplainedEventTest {

  private static final List<String> CONTENTS = List.of("", "delete", "a/x", "a/y", "b/x");
  private static final int LONGEST = 5;

  @Test
  void everyLogOfFiveEventsIsExplainedAsTheDefinitionOfRunsSays() {
    int logs = 0;
    for (int code = 0; code < Math.pow(CONTENTS.size(), LONGEST); code++) {
      List<Event<Row>> log = new ArrayList<>();
      int rest = code;
      for (int at = 1; at <= LONGEST; at++, rest /= CONTENTS.size()) {
        String content = CONTENTS.get(rest % CONTENTS.size());
        if (!content.isEmpty()) {
          log.add(content.equals("delete") ? delete(at) : upsert(content, at));
        }
      }
      History<Row> history = History.empty(StorageType.SCD2, new RowValues());
      history.apply(log);
      History<Row> recovered = roundTrip(StorageType.SCD2, history);
      assertThat(shown(ExplainedEvent.of(recovered, history.remembered())))
          .as("%s", log)
          .isEqualTo(naive(log));
      logs++;
    }
    assertThat(logs).isEqualTo(3125);
  }

  private static List<String> shown(List<ExplainedEvent<Row>> events) {
    return events.stream()
        .map(
            each ->
                each.fate()
                    + " "
                    + each.givesValues()
                    + " "
                    + each.row().map(row -> TestEvents.number(row.start())).orElse(null))
        .toList();
  }

  /** Two neighbouring upserts with the same tracked columns are of one run; nothing else counts. */
  private static List<String> naive(List<Event<Row>> log) {
    List<String> fates = new ArrayList<>();
    Long start = null;
    for (int i = 0; i < log.size(); i++) {
      Event<Row> event = log.get(i);
      boolean goesOn = i > 0 && sameRun(log.get(i - 1), event);
      if (!event.isUpsert()) {
        fates.add(start == null ? "TOMBSTONE false null" : "ROW_END false " + start);
        start = null;
        continue;
      }
      start = goesOn ? start : (Long) TestEvents.number(event.sequence());
      boolean last = i + 1 == log.size() || !sameRun(event, log.get(i + 1));
      fates.add((goesOn ? "ABSORBED " : "VISIBLE_ROW ") + last + " " + start);
    }
    return fates;
  }

  private static boolean sameRun(Event<Row> left, Event<Row> right) {
    return left.isUpsert()
        && right.isUpsert()
        && Objects.equals(left.values().tracked(), right.values().tracked());
  }

  @Test
  void anSCD1KeyHasItsRowOrItsTombstone() {
    History<Row> alive = History.empty(StorageType.SCD1, new RowValues());
    alive.apply(List.of(delete(3), upsert("a/x", 5), upsert("b/x", 4)));
    assertThat(shown(ExplainedEvent.of(alive, alive.remembered())))
        .containsExactly("VISIBLE_ROW true 5");
    alive.apply(List.of(delete(9)));
    assertThat(shown(ExplainedEvent.of(alive, alive.remembered())))
        .containsExactly("TOMBSTONE false null");
  }

  @Test
  void theWinnerOfATieIsTold() {
    History<Row> history = History.empty(StorageType.SCD2, new RowValues());
    history.apply(List.of(upsert("a/x", 5, offset(1)), upsert("b/x", 5, offset(2))));
    List<ExplainedEvent<Row>> events =
        ExplainedEvent.of(roundTrip(StorageType.SCD2, history), history.remembered());
    assertThat(events).singleElement().matches(ExplainedEvent::wonTie);
  }

  @Test
  void rememberedEventsThatChangedRowsContradictAreOverruledOrLostTheirSequence()
      throws InvalidHistoryException {
    List<Event<Row>> remembered = List.of(upsert("a/x", 5), upsert("b/y", 7));
    History<Row> history =
        History.recover(StorageType.SCD2, new RowValues(), List.of(openRow("c/x", 7)), remembered);
    assertThat(history.droppedRemembered()).isTrue();
    List<ExplainedEvent<Row>> events = ExplainedEvent.of(history, remembered);
    assertThat(events)
        .extracting(ExplainedEvent::fate)
        .containsExactlyInAnyOrder(Fate.OVERRULED, Fate.VISIBLE_ROW, Fate.TIE_LOST);
    assertThat(events.get(0).event().sequence()).isEqualTo(sequence(5));
  }
}
