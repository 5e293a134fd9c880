package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Laws 1 to 4 of semantics 20.7, without the oracle. */
class HistoryLawsTest {

  private static final int WORLDS = 300;

  @ParameterizedTest
  @EnumSource
  void law1AnyPermutationAndBatchingOfUniqueSequencesGivesTheSameTarget(StorageType type) {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Event<Row>> events = uniqueSequences(random);
      History<Row> inOrder = feed(type, events, new Random(seed), 1);
      Collections.shuffle(events, random);
      History<Row> shuffled = feed(type, events, random, 1 + random.nextInt(30));
      assertThat(shuffled.versions()).as("seed %d", seed).isEqualTo(inOrder.versions());
      assertThat(shuffled.log()).as("seed %d", seed).isEqualTo(inOrder.log());
      assertThat(shuffled.remembered()).as("seed %d", seed).isEqualTo(inOrder.remembered());
    }
  }

  @ParameterizedTest
  @EnumSource
  void law2ReplayingAnyPrefixChangesNothingEvenWithTies(StorageType type) {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Event<Row>> events = withTies(random);
      History<Row> history = feed(type, events, random, 1 + random.nextInt(30));
      List<Version<Row>> rows = history.versions();
      List<Event<Row>> log = history.log();
      for (int replay = 0; replay < 5; replay++) {
        int prefix = replay == 0 ? events.size() : random.nextInt(events.size() + 1);
        Changes<Row> changes = history.apply(events.subList(0, prefix));
        assertThat(changes.isEmpty()).as("seed %d", seed).isTrue();
        assertThat(history.versions()).as("seed %d", seed).isEqualTo(rows);
        assertThat(history.log()).as("seed %d", seed).isEqualTo(log);
        history = TestEvents.roundTrip(type, history);
      }
    }
  }

  @Test
  void law3TheOpenRowOfScd2IsTheRowOfScd1() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Event<Row>> events = withTies(random);
      History<Row> one = feed(StorageType.SCD1, events, random, 10);
      History<Row> two = feed(StorageType.SCD2, events, random, 10);
      assertThat(one.versions())
          .as("seed %d", seed)
          .extracting(Version::values)
          .isEqualTo(two.versions().stream().filter(Version::isOpen).map(Version::values).toList());
    }
  }

  @Test
  void law4RowsNeverOverlapAtMostOneIsOpenNoneIsEmpty() {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      List<Version<Row>> rows = feed(StorageType.SCD2, withTies(random), random, 10).versions();
      for (int i = 0; i < rows.size(); i++) {
        Version<Row> row = rows.get(i);
        boolean last = i + 1 == rows.size();
        assertThat(row.isOpen() && !last).as("seed %d: open in the middle", seed).isFalse();
        assertThat(row.endsAfter(row.start())).as("seed %d: zero width", seed).isTrue();
        if (!last) {
          assertThat(row.endsAfter(rows.get(i + 1).start())).as("seed %d: overlap", seed).isFalse();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheChangesSaySummedUpIsTheTable(StorageType type) {
    for (int seed = 0; seed < WORLDS; seed++) {
      Random random = new Random(seed);
      Set<Version<Row>> table = Collections.newSetFromMap(new IdentityHashMap<>());
      History<Row> history = History.empty(type, new RowValues());
      for (Event<Row> event : withTies(random)) {
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

  private static List<Event<Row>> uniqueSequences(Random random) {
    List<Event<Row>> events = new ArrayList<>();
    int count = 1 + random.nextInt(40);
    for (int sequence = 0; sequence < count; sequence++) {
      events.add(event(random, sequence, sequence));
    }
    return events;
  }

  private static List<Event<Row>> withTies(Random random) {
    List<Event<Row>> events = new ArrayList<>();
    int count = 1 + random.nextInt(40);
    for (int offset = 0; offset < count; offset++) {
      events.add(event(random, random.nextInt(count), offset));
    }
    return events;
  }

  private static Event<Row> event(Random random, long sequence, long offset) {
    Origin origin = TestEvents.offset(offset);
    return random.nextInt(4) == 0
        ? TestEvents.delete(sequence, origin)
        : TestEvents.upsert(random.nextInt(2) + "/" + random.nextInt(2), sequence, origin);
  }

  private static History<Row> feed(
      StorageType type, List<Event<Row>> events, Random random, int maxBatch) {
    History<Row> history = History.empty(type, new RowValues());
    for (int begin = 0, end; begin < events.size(); begin = end) {
      end = Math.min(events.size(), begin + 1 + random.nextInt(maxBatch));
      history.apply(events.subList(begin, end));
      if (random.nextBoolean()) {
        history = TestEvents.roundTrip(type, history);
      }
    }
    return history;
  }
}
