package io.sluice.history;

import static io.sluice.history.TestEvents.offset;
import static io.sluice.history.TestEvents.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Partial updates out of order, semantics 8.2 and 8.3, against a naive second implementation. */
class PartialHistoryTest {

  private static final int EVENTS = 4;
  private static final int HISTORIES = 400;

  /** A delete, and upserts that author all, some or none of the leaves. */
  private static final List<Sparse> CONTENTS =
      Arrays.asList(
          null,
          Sparse.of("a", "p", "x"),
          Sparse.of("a", "-", "-"),
          Sparse.of("b", "-", "y"),
          Sparse.of("NULL", "-", "-"),
          Sparse.of("-", "q", "-"),
          Sparse.of("-", "NULL", "z"),
          Sparse.of("-", "-", "-"));

  /** What is kept of a key: a storage type, and for SCD 2 whether all leaves are tracked. */
  private record World(StorageType type, boolean trackAll) {

    static final List<World> ALL =
        List.of(
            new World(StorageType.SCD1, true),
            new World(StorageType.SCD2, true),
            new World(StorageType.SCD2, false));

    Values<Sparse> values() {
      return new Sparse.Order(trackAll);
    }

    List<Version<Sparse>> rows(List<Event<Sparse>> arrived, Sequence floor) {
      NaivePartialHistory naive = new NaivePartialHistory(arrived, floor);
      return type == StorageType.SCD1 ? naive.current() : naive.versions(trackAll);
    }

    History<Sparse> recover(
        List<Version<Sparse>> rows, List<Event<Sparse>> remembered, List<Event<Sparse>> batch) {
      try {
        Sequence from =
            batch.stream().map(Event::sequence).min(Sequence::compareTo).orElse(Sequence.LOWEST);
        return History.recoverSuffix(type, values(), rows, remembered, from);
      } catch (InvalidHistoryException e) {
        throw new AssertionError(e);
      }
    }

    History<Sparse> recover(List<Version<Sparse>> rows, List<Event<Sparse>> remembered) {
      try {
        return History.recover(type, values(), rows, remembered);
      } catch (InvalidHistoryException e) {
        throw new AssertionError(e);
      }
    }
  }

  private long checked;

  private static Event<Sparse> event(Sparse content, long at, long offset) {
    return content == null
        ? Event.delete(sequence(at), offset(offset))
        : Event.upsert(sequence(at), content, offset(offset));
  }

  private static void equal(String what, Object actual, Object expected, Object of) {
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "%s%n  of %s%n  expected %s%n  but was  %s".formatted(what, of, expected, actual));
    }
  }

  @Test
  void every_permutation_and_batching_of_four_partial_events_gives_the_rows_of_the_law() {
    for (World world : World.ALL) {
      permute(world, new ArrayList<>());
    }
    assertThat(checked).isGreaterThan(500_000);
  }

  private void permute(World world, List<Integer> order) {
    if (order.size() == EVENTS) {
      List<List<Version<Sparse>>> rows = new ArrayList<>(List.of(List.of()));
      List<List<Event<Sparse>>> remembered = new ArrayList<>(List.of(List.of()));
      extend(world, order, new ArrayList<>(), rows, remembered);
      return;
    }
    for (int next = 1; next <= EVENTS; next++) {
      if (!order.contains(next)) {
        order.add(next);
        permute(world, order);
        order.remove(order.size() - 1);
      }
    }
  }

  /** Every batching, by induction: all states in between are compared, too. */
  private void extend(
      World world,
      List<Integer> order,
      List<Event<Sparse>> arrived,
      List<List<Version<Sparse>>> rows,
      List<List<Event<Sparse>>> remembered) {
    int size = arrived.size();
    if (size == EVENTS) {
      return;
    }
    for (Sparse content : CONTENTS) {
      arrived.add(event(content, order.get(size), size));
      List<Version<Sparse>> wanted = world.rows(arrived, Sequence.LOWEST);
      History<Sparse> last = null;
      for (int begin = 0; begin <= size; begin++) {
        List<Event<Sparse>> batch = new ArrayList<>(arrived.subList(begin, size + 1));
        Collections.reverse(batch);
        last = world.recover(rows.get(begin), remembered.get(begin));
        check(last, batch, rows.get(begin), wanted, arrived);
        History<Sparse> suffix = world.recover(rows.get(begin), remembered.get(begin), batch);
        Changes<Sparse> changes = suffix.apply(batch);
        equal("added", changes.added(), without(wanted, rows.get(begin)), arrived);
        checked++;
      }
      History<Sparse> back = world.recover(last.versions(), last.remembered());
      equal("log", back.log(), last.log(), arrived);
      equal("dropped", back.droppedRemembered(), false, arrived);
      rows.add(wanted);
      remembered.add(last.remembered());
      extend(world, order, arrived, rows, remembered);
      rows.remove(size + 1);
      remembered.remove(size + 1);
      arrived.remove(size);
    }
  }

  private static void check(
      History<Sparse> history,
      List<Event<Sparse>> batch,
      List<Version<Sparse>> before,
      List<Version<Sparse>> wanted,
      List<Event<Sparse>> arrived) {
    Changes<Sparse> changes = history.apply(batch);
    equal("rows", history.versions(), wanted, arrived);
    equal("added", changes.added(), without(wanted, before), arrived);
    equal("removed", changes.removed(), without(before, wanted), arrived);
  }

  private static List<Version<Sparse>> without(
      List<Version<Sparse>> rows, List<Version<Sparse>> others) {
    List<Version<Sparse>> rest = new ArrayList<>(rows);
    rest.removeAll(others);
    return rest;
  }

  @TestFactory
  List<DynamicTest> random_partial_histories_give_the_rows_of_the_law() {
    List<DynamicTest> tests = new ArrayList<>();
    for (World world : World.ALL) {
      tests.add(
          DynamicTest.dynamicTest(
              world.toString(),
              () -> {
                Long only = Long.getLong("sluice.test.seed");
                for (long seed = only == null ? 1 : only;
                    seed <= (only == null ? HISTORIES : only);
                    seed++) {
                  try {
                    run(world, new Random(seed));
                  } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                  }
                }
              }));
    }
    return tests;
  }

  private static void run(World world, Random random) {
    int count = 1 + random.nextInt(80);
    List<Event<Sparse>> arrivals = new ArrayList<>();
    Set<Long> taken = new HashSet<>();
    for (int i = 0; i < count; i++) {
      long at = Math.max(0, i - random.nextInt(1 + random.nextInt(40)));
      // What a compacted log has dropped for the loser of a tie does not come back for its winner.
      if (world.type() == StorageType.SCD1 && !taken.add(at)) {
        Event<Sparse> again = arrivals.get(random.nextInt(i));
        arrivals.add(event(again.values(), TestEvents.number(again.sequence()), i));
      } else {
        arrivals.add(event(content(random), at, i));
      }
    }
    List<Version<Sparse>> rows = List.of();
    List<Event<Sparse>> remembered = List.of();
    Sequence floor = Sequence.LOWEST;
    for (int begin = 0, end; begin < count; begin = end) {
      end = Math.min(count, begin + 1 + random.nextInt(8));
      List<Event<Sparse>> batch = new ArrayList<>(arrivals.subList(begin, end));
      Collections.shuffle(batch, random);
      History<Sparse> history = world.recover(rows, remembered);
      Changes<Sparse> changes;
      if (world.type() == StorageType.SCD1) {
        boolean truncates = random.nextInt(6) == 0;
        Floor raised =
            new Floor(floor, truncates ? sequence(random.nextInt(count)) : Sequence.LOWEST);
        changes = history.apply(batch, raised);
        floor = raised.sequence();
      } else {
        History<Sparse> suffix = world.recover(rows, remembered, batch);
        changes = history.apply(batch);
        Changes<Sparse> ofSuffix = suffix.apply(batch);
        equal("added of the suffix", ofSuffix.added(), changes.added(), batch);
        equal("removed of the suffix", ofSuffix.removed(), changes.removed(), batch);
      }
      List<Version<Sparse>> wanted = world.rows(arrivals.subList(0, end), floor);
      equal("rows", history.versions(), wanted, arrivals.subList(0, end));
      equal("added", changes.added(), without(wanted, rows), batch);
      equal("removed", changes.removed(), without(rows, wanted), batch);
      History<Sparse> back = world.recover(history.versions(), history.remembered());
      equal("log", back.log(), history.log(), batch);
      equal("dropped", back.droppedRemembered(), false, batch);
      if (world.type() == StorageType.SCD1) {
        assertThat(history.log()).hasSizeLessThanOrEqualTo(Sparse.LEAVES + 2);
      }
      rows = history.versions();
      remembered = history.remembered();
      forgetsWithoutChangingRows(world, rows, remembered, random);
    }
  }

  private static void forgetsWithoutChangingRows(
      World world, List<Version<Sparse>> rows, List<Event<Sparse>> remembered, Random random) {
    History<Sparse> history = world.recover(rows, remembered);
    history.forget(event -> random.nextBoolean());
    History<Sparse> back = world.recover(rows, history.remembered());
    equal("rows after forgetting", back.versions(), rows, remembered);
    equal("dropped after forgetting", back.droppedRemembered(), false, remembered);
    equal("log after forgetting", back.log(), history.log(), remembered);
    // What is left still gives the rows when everything is evaluated anew.
    History<Sparse> anew = History.empty(world.type(), world.values());
    anew.apply(history.log());
    equal("rows of what is left", anew.versions(), rows, remembered);
  }

  private static Sparse content(Random random) {
    return random.nextInt(7) == 0 ? null : leaves(random);
  }

  /** Leaves of which about every second one is authored. */
  static Sparse leaves(Random random) {
    String[] words = new String[Sparse.LEAVES];
    for (int i = 0; i < words.length; i++) {
      words[i] = List.of("-", "-", "NULL", "v", "w").get(random.nextInt(5));
    }
    return Sparse.of(words);
  }

  @Test
  void a_row_from_before_the_option_counts_as_fully_authored_at_its_sequence() {
    World world = World.ALL.get(0);
    History<Sparse> history =
        world.recover(
            List.of(new Version<>(sequence(5), null, Sparse.of("a", "NULL", "x"))), List.of());
    history.apply(List.of(event(Sparse.of("-", "late", "-"), 3, 0)));
    assertThat(history.versions().get(0).values()).isEqualTo(Sparse.of("a", "NULL", "x"));
    history.apply(List.of(event(Sparse.of("-", "new", "-"), 7, 1)));
    assertThat(history.versions().get(0).values()).isEqualTo(Sparse.of("a", "new", "x"));
  }

  @Test
  void complete_events_in_order_leave_nothing_to_remember() {
    for (World world : World.ALL) {
      History<Sparse> history = History.empty(world.type(), world.values());
      for (int i = 0; i < 5; i++) {
        history.apply(List.of(event(Sparse.of("a" + i, "b", "c"), i, i)));
      }
      assertThat(history.remembered()).isEmpty();
    }
  }
}
