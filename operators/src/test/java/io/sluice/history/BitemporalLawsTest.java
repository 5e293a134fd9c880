package io.sluice.history;

import static io.sluice.history.StorageType.BITEMPORAL;
import static io.sluice.history.StorageType.SCD2;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Laws 5 and 6 of semantics 20.7 and the promises of 10.2, without the oracle. */
class BitemporalLawsTest {

  private static final int WORLDS = 300;

  @Test
  void law5WhatIsBelievedNowIsTheScd2HistoryByBusinessTime() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Event<Row>> events = uniqueSequences(random);
      History<Row> bitemporal = feed(events, random);
      assertThat(businessRows(bitemporal, null)).as("seed %d", seed).isEqualTo(scd2(events));
    }
  }

  @Test
  void law6WhatWasBelievedAtATimeIsTheScd2HistoryOfTheEventsLearnedUntilThen() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Event<Row>> events = uniqueSequences(random);
      History<Row> bitemporal = feed(events, random);
      for (int system = -1; system <= 25; system++) {
        Sequence time = TestEvents.sequence(system);
        List<Event<Row>> learned =
            events.stream().filter(e -> e.systemSequence().compareTo(time) <= 0).toList();
        assertThat(businessRows(bitemporal, time))
            .as("seed %d at %d", seed, system)
            .isEqualTo(scd2(learned));
      }
    }
  }

  @Test
  void supersededRowsStayAsTheyAreAsLongAsNoEventIsLateOnTheSystemAxis() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Event<Row>> events = uniqueSequences(random);
      events.sort(BitemporalHistory::comparePositions);
      History<Row> history = History.empty(BITEMPORAL, new RowValues());
      for (Event<Row> event : events) {
        List<Version<Row>> before =
            history.versions().stream()
                .filter(
                    row ->
                        !row.isBelieved() && row.systemEnd().compareTo(event.systemSequence()) < 0)
                .toList();
        history.apply(List.of(event));
        assertThat(identities(history.versions())).as("seed %d", seed).containsAll(before);
        for (Version<Row> row : before) {
          assertThat(identities(history.versions()).contains(row)).isTrue();
        }
      }
    }
  }

  @Test
  void noRowIsEmptyOnAnAxisAndNoTwoSayTheSameAtOneTime() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Version<Row>> rows = feed(uniqueSequences(random), random).versions();
      for (Version<Row> row : rows) {
        assertThat(row.endsAfter(row.start())).isTrue();
        assertThat(row.isBelieved() || row.systemEnd().compareTo(row.systemStart()) > 0).isTrue();
        for (Version<Row> other : rows) {
          boolean atOneTime =
              other != row
                  && row.endsAfter(other.start())
                  && other.endsAfter(row.start())
                  && (row.isBelieved() || other.systemStart().compareTo(row.systemEnd()) < 0)
                  && (other.isBelieved() || row.systemStart().compareTo(other.systemEnd()) < 0)
                  && row.start().compareTo(other.start()) <= 0;
          assertThat(atOneTime).as("seed %d: %s and %s", seed, row, other).isFalse();
        }
      }
    }
  }

  @Test
  void whatTheChangesSaySummedUpIsTheTable() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      Set<Version<Row>> table = Collections.newSetFromMap(new IdentityHashMap<>());
      History<Row> history = History.empty(BITEMPORAL, new RowValues());
      for (Event<Row> event : uniqueSequences(random)) {
        Changes<Row> changes = history.apply(List.of(event));
        for (Version<Row> removed : changes.removed()) {
          assertThat(table.remove(removed)).as("seed %d: the object that was added", seed).isTrue();
        }
        table.addAll(changes.added());
      }
      assertThat(new HashSet<>(table)).isEqualTo(new HashSet<>(history.versions()));
      assertThat(table).hasSameSizeAs(history.versions());
    }
  }

  private static Set<Version<Row>> identities(List<Version<Row>> rows) {
    Set<Version<Row>> identities = Collections.newSetFromMap(new IdentityHashMap<>());
    identities.addAll(rows);
    return identities;
  }

  /** The business rows that are believed at a system time; null for now. */
  private static List<Version<Row>> businessRows(History<Row> history, Sequence time) {
    return history.versions().stream()
        .filter(
            row ->
                time == null
                    ? row.isBelieved()
                    : row.systemStart().compareTo(time) <= 0
                        && (row.isBelieved() || row.systemEnd().compareTo(time) > 0))
        .map(row -> new Version<>(row.start(), row.end(), row.values()))
        .toList();
  }

  private static List<Version<Row>> scd2(List<Event<Row>> events) {
    History<Row> history = History.empty(SCD2, new RowValues());
    history.apply(events);
    return history.versions();
  }

  /** Every business time once; several events may be learned together. */
  private static List<Event<Row>> uniqueSequences(Random random) {
    List<Event<Row>> events = new ArrayList<>();
    int count = 1 + random.nextInt(40);
    for (int sequence = 0; sequence < count; sequence++) {
      long system = random.nextInt(25);
      events.add(
          random.nextInt(4) == 0
              ? TestEvents.delete(sequence, system)
              : TestEvents.upsert(random.nextInt(2) + "/" + random.nextInt(2), sequence, system));
    }
    Collections.shuffle(events, random);
    return events;
  }

  private static History<Row> feed(List<Event<Row>> events, Random random) {
    History<Row> history = History.empty(BITEMPORAL, new RowValues());
    for (int begin = 0, end; begin < events.size(); begin = end) {
      end = Math.min(events.size(), begin + 1 + random.nextInt(10));
      history.apply(events.subList(begin, end));
      if (random.nextBoolean()) {
        history = TestEvents.roundTrip(BITEMPORAL, history);
      }
    }
    return history;
  }
}
