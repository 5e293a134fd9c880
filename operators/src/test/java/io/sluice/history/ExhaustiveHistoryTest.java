package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every arrival of up to five events: all orders of their sequences, equal ones included, times all
 * contents (two tracked and two untracked values, deletes). For every arrival and every place where
 * its last batch may begin, the state before that batch is read back from rows and remembered
 * events, the batch is applied, and everything is compared with the oracle. Since all states in
 * between are compared too, this covers every batching of every permutation by induction.
 */
class ExhaustiveHistoryTest {

  private static final int EVENTS = 5;
  private static final String[] TRACKED = {"a", "b"};
  private static final String[] UNTRACKED = {"x", "y"};

  private final RowValues values = new RowValues();
  private long checkedBatches;

  @Test
  void everyPermutationAndBatchingOfFiveEventsGivesTheRowsOfTheLaw() throws Exception {
    for (StorageType type : TestEvents.ONE_AXIS) {
      for (int[] sequences : weakOrders(EVENTS)) {
        extend(new World(type, sequences, true), 0, 0);
      }
    }
    assertThat(checkedBatches).isGreaterThan(1_000_000);
  }

  @Test
  void tiesWithoutOriginAreResolvedByContentInEveryPermutationAndBatching() throws Exception {
    for (StorageType type : TestEvents.ONE_AXIS) {
      for (int[] sequences : weakOrders(EVENTS - 1)) {
        extend(new World(type, sequences, false), 0, 0);
      }
    }
    assertThat(checkedBatches).isGreaterThan(50_000);
  }

  /**
   * One order of sequences, and on the way down the events that arrived and the states they gave.
   */
  private record World(
      StorageType type,
      int[] sequences,
      boolean origins,
      List<Event<Row>> arrived,
      List<NaiveHistory> naive,
      List<List<Version<Row>>> rows,
      List<List<Event<Row>>> remembered) {

    World(StorageType type, int[] sequences, boolean origins) {
      this(
          type,
          sequences,
          origins,
          new ArrayList<>(),
          new ArrayList<>(List.of(new NaiveHistory(type, List.of()))),
          new ArrayList<>(List.of(List.of())),
          new ArrayList<>(List.of(List.of())));
    }

    Event<Row> event(Row row) {
      int position = arrived.size();
      Sequence sequence = TestEvents.sequence(sequences[position]);
      Origin origin = origins ? TestEvents.offset(position) : Origin.UNKNOWN;
      return row == null ? Event.delete(sequence, origin) : Event.upsert(sequence, row, origin);
    }
  }

  /**
   * Appends every content; a value is used only after the one before it was: names do not matter.
   */
  private void extend(World world, int trackedUsed, int untrackedUsed) throws Exception {
    if (world.arrived().size() == world.sequences().length) {
      return;
    }
    descend(world, null, trackedUsed, untrackedUsed);
    // Contents decide ties without origin, so there the names do matter.
    int tracked = world.origins() ? Math.min(trackedUsed + 1, TRACKED.length) : TRACKED.length;
    int untracked =
        world.origins() ? Math.min(untrackedUsed + 1, UNTRACKED.length) : UNTRACKED.length;
    for (int t = 0; t < tracked; t++) {
      for (int u = 0; u < untracked; u++) {
        Row row = new Row(TRACKED[t], UNTRACKED[u]);
        descend(world, row, Math.max(trackedUsed, t + 1), Math.max(untrackedUsed, u + 1));
      }
    }
  }

  private void descend(World world, Row row, int trackedUsed, int untrackedUsed) throws Exception {
    world.arrived().add(world.event(row));
    int size = world.arrived().size();
    world.naive().add(new NaiveHistory(world.type(), world.arrived()));
    History<Row> last = null;
    for (int begin = 0; begin < size; begin++) {
      last = checkBatch(world, begin);
    }
    world.rows().add(last.versions());
    world.remembered().add(last.remembered());
    checkReadBack(world, size);
    extend(world, trackedUsed, untrackedUsed);
    world.arrived().remove(size - 1);
    world.naive().remove(size);
    world.rows().remove(size);
    world.remembered().remove(size);
  }

  /** The log read back from table and companion is the log that was applied. */
  private void checkReadBack(World world, int size) throws Exception {
    History<Row> readBack =
        History.recover(world.type(), values, world.rows().get(size), world.remembered().get(size));
    NaiveHistory state = world.naive().get(size);
    new HistoryCheck(world.type(), state, state, List.of(), world.arrived()).state(readBack);
  }

  private History<Row> checkBatch(World world, int begin) throws Exception {
    checkedBatches++;
    List<Event<Row>> arrived = world.arrived();
    List<Event<Row>> batch = new ArrayList<>(arrived.subList(begin, arrived.size()));
    if (begin % 2 == 0) {
      Collections.reverse(batch); // the order inside a batch must not matter either
    }
    List<Version<Row>> rows = world.rows().get(begin);
    List<Event<Row>> remembered = world.remembered().get(begin);
    NaiveHistory before = world.naive().get(begin);
    NaiveHistory after = world.naive().get(arrived.size());
    History<Row> history = History.recover(world.type(), values, rows, remembered);
    Changes<Row> changes = history.apply(batch);
    HistoryCheck check = new HistoryCheck(world.type(), before, after, batch, arrived);
    check.changes(changes, world.origins());
    check.state(history);

    Sequence from = batch.stream().map(Event::sequence).min(Sequence::compareTo).orElseThrow();
    Changes<Row> ofSuffix =
        History.recoverSuffix(world.type(), values, rows, remembered, from).apply(batch);
    check.equal("changes of the suffix", ofSuffix, changes);
    return history;
  }

  /** All ways to order n things of which some may be equal, as ranks from 1 without gaps. */
  private static List<int[]> weakOrders(int n) {
    List<int[]> orders = new ArrayList<>();
    int total = (int) Math.pow(n, n);
    for (int code = 0; code < total; code++) {
      int[] ranks = new int[n];
      int used = 0;
      int highest = 0;
      for (int i = 0, rest = code; i < n; i++, rest /= n) {
        ranks[i] = rest % n + 1;
        used |= 1 << ranks[i];
        highest = Math.max(highest, ranks[i]);
      }
      if (used == (1 << (highest + 1)) - 2) {
        orders.add(ranks);
      }
    }
    return orders;
  }
}
