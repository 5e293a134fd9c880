package io.sluice.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random bitemporal histories of up to 200 events, complete or partial ones, late on either axis,
 * with ties, corrections and replays, in random batches with and without a way through the table in
 * between. A failure names its seed: run it alone with {@code -Dsluice.test.seed=<seed>}.
 */
class RandomBitemporalTest {

  private static final int HISTORIES = 120;
  private static final int MAX_EVENTS = 200;

  @TestFactory
  List<DynamicTest> randomHistoriesGiveTheRowsOfTheLaw() {
    return seeds(random -> run(BitemporalWorld.ofRows(), random, rows(random)));
  }

  @TestFactory
  List<DynamicTest> randomPartialHistoriesGiveTheRowsOfTheLaw() {
    return seeds(
        random ->
            run(
                BitemporalWorld.ofSparse(random.nextInt(3) > 0),
                random,
                () -> PartialHistoryTest.leaves(random)));
  }

  private interface Run {
    void accept(Random random) throws Exception;
  }

  private static List<DynamicTest> seeds(Run run) {
    Long only = Long.getLong("sluice.test.seed");
    List<DynamicTest> tests = new ArrayList<>();
    for (long seed = 1; seed <= (only == null ? HISTORIES : 1); seed++) {
      long chosen = only == null ? seed : only;
      tests.add(
          DynamicTest.dynamicTest(
              "seed " + chosen,
              () -> {
                try {
                  run.accept(new Random(chosen));
                } catch (AssertionError e) {
                  throw new AssertionError("seed " + chosen + ": " + e.getMessage(), e);
                }
              }));
    }
    return tests;
  }

  private static <V> void run(BitemporalWorld<V> world, Random random, Supplier<V> columns)
      throws Exception {
    List<Event<V>> arrivals = arrivals(random, columns);
    History<V> history = History.empty(StorageType.BITEMPORAL, world.values());
    NaiveBitemporal<V> before = world.naive(List.of());
    for (int begin = 0, end; begin < arrivals.size(); begin = end) {
      end = Math.min(arrivals.size(), begin + 1 + random.nextInt(1 + random.nextInt(40)));
      List<Event<V>> arrived = arrivals.subList(0, end);
      List<Event<V>> batch = new ArrayList<>(arrivals.subList(begin, end));
      Collections.shuffle(batch, random);
      NaiveBitemporal<V> after = world.naive(arrived);
      BitemporalCheck<V> check =
          new BitemporalCheck<>(world, before, after, arrivals.subList(0, begin), batch);
      Changes<V> changes = history.apply(batch);
      check.applied(history, changes);
      check.suffix(changes);
      if (random.nextInt(3) > 0) {
        history = world.roundTrip(history);
        check.equal("log read back", history.log(), after.log());
        check.equal("remembered read back", history.remembered(), after.remembered());
      }
      before = after;
    }
  }

  private static Supplier<Row> rows(Random random) {
    int contents = 1 + random.nextInt(3);
    boolean tracksAll = random.nextBoolean();
    return () ->
        Row.of(
            "t"
                + random.nextInt(contents)
                + "/"
                + (tracksAll ? BitemporalWorld.UNTRACKED : "u" + random.nextInt(contents)));
  }

  private static <V> List<Event<V>> arrivals(Random random, Supplier<V> columns) {
    int count = 1 + random.nextInt(MAX_EVENTS);
    int lateness = 1 + random.nextInt(1 + random.nextInt(count));
    int systemLateness = 1 + random.nextInt(1 + random.nextInt(count));
    int coarseness = 1 + random.nextInt(4);
    int deletesInTen = random.nextInt(5);
    List<Event<V>> arrivals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Origin origin = TestEvents.offset(i);
      if (i > 0 && random.nextInt(20) == 0) {
        arrivals.add(arrivals.get(random.nextInt(i)).from(origin));
        continue;
      }
      Sequence sequence = TestEvents.sequence(i - random.nextInt(lateness));
      Sequence system = TestEvents.sequence((i - random.nextInt(systemLateness)) / coarseness);
      boolean deletes = random.nextInt(10) < deletesInTen;
      arrivals.add(
          new Event<>(
              sequence,
              system,
              deletes ? Kind.DELETE : Kind.UPSERT,
              deletes ? null : columns.get(),
              origin));
    }
    return arrivals;
  }
}
