package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every set of up to five events on both axes; see {@link BitemporalSets}. */
class ExhaustiveBitemporalTest {

  /** One row in two tracked values, one of them with two untracked ones. */
  private static final List<String> WITH_UNTRACKED = List.of("a/1", "a/2", "b/1");

  private static final List<String> TRACKED = List.of("a/1", "b/1");

  /** A delete, and upserts that author all, one or none of the leaves, NULL included. */
  private static final List<Sparse> PARTIAL =
      Arrays.asList(
          null,
          Sparse.of("a", "p", "x"),
          Sparse.of("b", "-", "-"),
          Sparse.of("a", "-", "y"),
          Sparse.of("NULL", "q", "-"),
          Sparse.of("-", "-", "-"));

  private static final List<Sparse> FEW_PARTIAL =
      Arrays.asList(
          null, Sparse.of("a", "p", "x"), Sparse.of("b", "-", "-"), Sparse.of("-", "q", "-"));

  private static BitemporalSets<Row> rows(List<String> contents) {
    return new BitemporalSets<>(BitemporalWorld.ofRows(), chosen -> choices(contents, chosen));
  }

  /** A delete, and the contents; only the first until it was used, since names do not matter. */
  private static List<Row> choices(List<String> contents, List<Event<Row>> chosen) {
    boolean first = chosen.stream().noneMatch(Event::isUpsert);
    List<Row> choices = new ArrayList<>();
    (first ? contents.subList(0, 1) : contents).forEach(text -> choices.add(Row.of(text)));
    choices.add(null);
    return choices;
  }

  private static BitemporalSets<Sparse> partial(boolean trackAll, List<Sparse> contents) {
    return new BitemporalSets<>(BitemporalWorld.ofSparse(trackAll), chosen -> contents);
  }

  @Test
  void everyArrivalOfFourEventsOnAGridWithUntrackedColumnsGivesTheRowsOfTheLaw() throws Exception {
    BitemporalSets<Row> sets = rows(WITH_UNTRACKED);
    for (int events = 1; events <= 4; events++) {
      sets.grid(events);
    }
    assertThat(sets.checkedBatches()).isGreaterThan(150_000);
  }

  @Test
  void everyArrivalOfFiveEventsOnAGridGivesTheRowsOfTheLaw() throws Exception {
    BitemporalSets<Row> sets = rows(TRACKED);
    sets.grid(5);
    assertThat(sets.checkedBatches()).isGreaterThan(400_000);
  }

  @Test
  void everyArrivalOfFiveEventsInEveryOrderOfBothAxesGivesTheRowsOfTheLaw() throws Exception {
    BitemporalSets<Row> sets = rows(TRACKED);
    sets.permute(5);
    assertThat(sets.checkedBatches()).isGreaterThan(400_000);
  }

  @Test
  void everyArrivalOfThreePartialEventsOnAGridGivesTheRowsOfTheLaw() throws Exception {
    for (boolean trackAll : new boolean[] {true, false}) {
      BitemporalSets<Sparse> sets = partial(trackAll, PARTIAL);
      for (int events = 1; events <= 3; events++) {
        sets.grid(events);
      }
      assertThat(sets.checkedBatches()).isGreaterThan(100_000);
    }
  }

  @Test
  void everyArrivalOfFourPartialEventsOnAGridGivesTheRowsOfTheLaw() throws Exception {
    BitemporalSets<Sparse> sets = partial(true, FEW_PARTIAL);
    sets.grid(4);
    assertThat(sets.checkedBatches()).isGreaterThan(400_000);
  }

  @Test
  void everyArrivalOfFourPartialEventsInEveryOrderOfBothAxesGivesTheRowsOfTheLaw()
      throws Exception {
    BitemporalSets<Sparse> sets = partial(true, PARTIAL);
    sets.permute(4);
    assertThat(sets.checkedBatches()).isGreaterThan(400_000);
    BitemporalSets<Sparse> oneTracked = partial(false, FEW_PARTIAL);
    oneTracked.permute(4);
    assertThat(oneTracked.checkedBatches()).isGreaterThan(90_000);
  }

  @Test
  void everyArrivalOfFivePartialEventsInEveryOrderOfBothAxesGivesTheRowsOfTheLaw()
      throws Exception {
    List<Sparse> upserts = FEW_PARTIAL.subList(1, 3);
    BitemporalSets<Sparse> sets =
        new BitemporalSets<>(
            BitemporalWorld.ofSparse(true),
            chosen ->
                chosen.stream().allMatch(Event::isUpsert) ? FEW_PARTIAL.subList(0, 3) : upserts);
    sets.permute(5);
    assertThat(sets.checkedBatches()).as("one delete at most").isGreaterThan(400_000);
  }
}
