package io.sluice.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random histories of up to 200 events, arriving partly out of order, with ties and replays, in
 * random batches with and without a way through the table in between. A failure names its seed: run
 * it alone with {@code -Dsluice.test.seed=<seed>}.
 */
class RandomHistoryTest {

  private static final int HISTORIES = 400;
  private static final int MAX_EVENTS = 200;

  @TestFactory
  List<DynamicTest> randomHistoriesGiveTheRowsOfTheLaw() {
    Long only = Long.getLong("sluice.test.seed");
    List<DynamicTest> tests = new ArrayList<>();
    for (StorageType type : TestEvents.ONE_AXIS) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        long chosen = only == null ? seed : only;
        tests.add(DynamicTest.dynamicTest(type + " seed " + chosen, () -> run(type, chosen)));
        if (only != null) {
          break;
        }
      }
    }
    return tests;
  }

  private static void run(StorageType type, long seed) throws Exception {
    Random random = new Random(seed);
    List<Event<Row>> arrivals = arrivals(random);
    History<Row> history = History.empty(type, new RowValues());
    NaiveHistory before = new NaiveHistory(type, List.of());
    for (int begin = 0, end; begin < arrivals.size(); begin = end) {
      end = Math.min(arrivals.size(), begin + 1 + random.nextInt(1 + random.nextInt(20)));
      List<Event<Row>> arrived = arrivals.subList(0, end);
      List<Event<Row>> batch = new ArrayList<>(arrivals.subList(begin, end));
      Collections.shuffle(batch, random);
      NaiveHistory after = new NaiveHistory(type, arrived);
      HistoryCheck check = new HistoryCheck(type, before, after, batch, arrived);
      try {
        Sequence from = batch.stream().map(Event::sequence).min(Sequence::compareTo).orElseThrow();
        History<Row> suffix =
            History.recoverSuffix(
                type, new RowValues(), history.versions(), history.remembered(), from);
        Changes<Row> ofSuffix = suffix.apply(batch);
        Changes<Row> changes = history.apply(batch);
        check.changes(changes, true);
        check.state(history);
        check.equal("changes of the suffix", ofSuffix, changes);
        check.isSuffix(suffix);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      if (random.nextInt(3) > 0) {
        history = TestEvents.roundTrip(type, history);
        check.state(history);
      }
      before = after;
    }
  }

  private static List<Event<Row>> arrivals(Random random) {
    int count = 1 + random.nextInt(MAX_EVENTS);
    int lateness = 1 + random.nextInt(1 + random.nextInt(count));
    int deletesInTen = random.nextInt(5);
    int contents = 1 + random.nextInt(3);
    List<Event<Row>> arrivals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Origin origin = TestEvents.offset(i);
      if (i > 0 && random.nextInt(20) == 0) {
        Event<Row> again = arrivals.get(random.nextInt(i));
        arrivals.add(new Event<>(again.sequence(), again.kind(), again.values(), origin));
        continue;
      }
      long sequence = i - random.nextInt(lateness);
      String row = "t" + random.nextInt(contents) + "/u" + random.nextInt(contents);
      arrivals.add(
          random.nextInt(10) < deletesInTen
              ? TestEvents.delete(sequence, origin)
              : TestEvents.upsert(row, sequence, origin));
    }
    return arrivals;
  }
}
