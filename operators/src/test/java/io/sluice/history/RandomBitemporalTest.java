package io.sluice.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random bitemporal histories of up to 200 events, late on either axis, with ties, corrections and
 * replays, in random batches with and without a way through the table in between. A failure names
 * its seed: run it alone with {@code -Dsluice.test.seed=<seed>}.
 */
class RandomBitemporalTest {

  private static final int HISTORIES = 120;
  private static final int MAX_EVENTS = 200;

  @TestFactory
  List<DynamicTest> randomHistoriesGiveTheRowsOfTheLaw() {
    Long only = Long.getLong("sluice.test.seed");
    List<DynamicTest> tests = new ArrayList<>();
    for (long seed = 1; seed <= (only == null ? HISTORIES : 1); seed++) {
      long chosen = only == null ? seed : only;
      tests.add(DynamicTest.dynamicTest("seed " + chosen, () -> run(chosen)));
    }
    return tests;
  }

  private static void run(long seed) throws Exception {
    Random random = new Random(seed);
    List<Event<Row>> arrivals = arrivals(random);
    RowValues values = new RowValues();
    History<Row> history = History.empty(StorageType.BITEMPORAL, values);
    NaiveBitemporal before = new NaiveBitemporal(List.of());
    for (int begin = 0, end; begin < arrivals.size(); begin = end) {
      end = Math.min(arrivals.size(), begin + 1 + random.nextInt(1 + random.nextInt(40)));
      List<Event<Row>> arrived = arrivals.subList(0, end);
      List<Event<Row>> batch = new ArrayList<>(arrivals.subList(begin, end));
      Collections.shuffle(batch, random);
      NaiveBitemporal after = new NaiveBitemporal(arrived);
      BitemporalCheck check =
          new BitemporalCheck(values, before, after, arrivals.subList(0, begin), batch);
      try {
        Changes<Row> changes = history.apply(batch);
        check.applied(history, changes);
        check.suffix(changes);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      if (random.nextInt(3) > 0) {
        history = TestEvents.roundTrip(StorageType.BITEMPORAL, history);
        check.equal("log after seed " + seed, history.log(), after.log());
        check.equal("remembered after seed " + seed, history.remembered(), after.remembered());
      }
      before = after;
    }
  }

  private static List<Event<Row>> arrivals(Random random) {
    int count = 1 + random.nextInt(MAX_EVENTS);
    int lateness = 1 + random.nextInt(1 + random.nextInt(count));
    int systemLateness = 1 + random.nextInt(1 + random.nextInt(count));
    int coarseness = 1 + random.nextInt(4);
    int deletesInTen = random.nextInt(5);
    int contents = 1 + random.nextInt(3);
    boolean tracksAll = random.nextBoolean();
    List<Event<Row>> arrivals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Origin origin = TestEvents.offset(i);
      if (i > 0 && random.nextInt(20) == 0) {
        arrivals.add(arrivals.get(random.nextInt(i)).from(origin));
        continue;
      }
      long sequence = i - random.nextInt(lateness);
      long system = (i - random.nextInt(systemLateness)) / coarseness;
      String row =
          "t"
              + random.nextInt(contents)
              + "/"
              + (tracksAll ? BitemporalCheck.UNTRACKED : "u" + random.nextInt(contents));
      Event<Row> event =
          random.nextInt(10) < deletesInTen
              ? TestEvents.delete(sequence, origin)
              : TestEvents.upsert(row, sequence, origin);
      arrivals.add(event.learnedAt(TestEvents.sequence(system)));
    }
    return arrivals;
  }
}
