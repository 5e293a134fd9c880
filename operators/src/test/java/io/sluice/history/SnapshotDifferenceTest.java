package io.sluice.history;

import static io.sluice.history.StorageType.SCD1;
import static io.sluice.history.StorageType.SCD2;
import static io.sluice.history.TestEvents.delete;
import static io.sluice.history.TestEvents.offset;
import static io.sluice.history.TestEvents.openRow;
import static io.sluice.history.TestEvents.sequence;
import static io.sluice.history.TestEvents.show;
import static io.sluice.history.TestEvents.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots alone (semantics 11.1) and beside change feeds (semantics 12, 0.9). */
class SnapshotDifferenceTest {

  /** What a snapshot or an event says of the key: nothing there, or one of these rows. */
  private static final String[] STATES = {null, "a/x", "a/y", "b/x"};

  private static final int VERSIONS = 5;
  private static final int SEQUENCES = 3;

  private long checked;

  private static Changes<Row> difference(
      StorageType type, List<Version<Row>> rows, String stated, long version) {
    return difference(
        type,
        new SnapshotDifference.Before<>(rows, Sequence.LOWEST, Sequence.LOWEST),
        stated,
        version);
  }

  private static Changes<Row> difference(
      StorageType type, SnapshotDifference.Before<Row> before, String stated, long version) {
    try {
      return SnapshotDifference.of(
          type, new RowValues(), before, stated == null ? null : Row.of(stated), sequence(version));
    } catch (InvalidHistoryException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_row_that_the_snapshot_confirms_is_not_written_again() {
    for (StorageType type : List.of(SCD1, SCD2)) {
      assertThat(difference(type, List.of(openRow("a", 1)), "a", 2).isEmpty()).isTrue();
      assertThat(difference(type, List.of(), null, 2).isEmpty()).isTrue();
    }
  }

  @Test
  void a_version_below_a_truncate_says_nothing_any_more() {
    var truncated = new SnapshotDifference.Before<Row>(List.of(), Sequence.LOWEST, sequence(9));
    assertThat(difference(SCD1, truncated, "a", 8).isEmpty()).isTrue();
    assertThat(show(difference(SCD1, truncated, "a", 9).added())).containsExactly("(a,9,-)");
    var kept =
        new SnapshotDifference.Before<>(List.of(openRow("b", 9)), Sequence.LOWEST, sequence(9));
    assertThat(difference(SCD1, kept, null, 8).isEmpty()).isTrue();
  }

  @Test
  void rows_that_no_snapshots_could_have_made_are_refused() {
    assertThatThrownBy(
            () ->
                SnapshotDifference.of(
                    SCD2,
                    new RowValues(),
                    new SnapshotDifference.Before<>(
                        List.of(openRow("a", 4)), Sequence.LOWEST, Sequence.LOWEST),
                    null,
                    sequence(4)))
        .extracting(e -> ((InvalidHistoryException) e).reason())
        .isEqualTo(Reason.NOT_BEFORE_VERSION);
    for (StorageType type : List.of(SCD1, SCD2)) {
      assertThatThrownBy(
              () ->
                  SnapshotDifference.of(
                      type,
                      new RowValues(),
                      new SnapshotDifference.Before<>(
                          List.of(openRow("a", 1), openRow("b", 2)),
                          Sequence.LOWEST,
                          Sequence.LOWEST),
                      null,
                      sequence(4)))
          .extracting(e -> ((InvalidHistoryException) e).reason())
          .isEqualTo(Reason.MORE_THAN_ONE_ROW);
    }
  }

  @Test
  void every_run_of_five_snapshots_gives_the_rows_of_the_same_events() {
    int runs = (int) Math.pow(STATES.length, VERSIONS);
    for (StorageType type : List.of(SCD1, SCD2)) {
      for (int run = 0; run < runs; run++) {
        List<Version<Row>> rows = new ArrayList<>();
        List<Event<Row>> events = new ArrayList<>();
        for (int version = 1, rest = run; version <= VERSIONS; version++, rest /= STATES.length) {
          String stated = STATES[rest % STATES.length];
          List<Version<Row>> current = rows.stream().filter(Version::isOpen).toList();
          Changes<Row> changes = difference(type, current, stated, version);
          assertThat(rows).containsAll(changes.removed());
          rows.removeAll(changes.removed());
          rows.addAll(changes.added());
          events.add(stated == null ? delete(version) : upsert(stated, version));
        }
        assertThat(values(type, rows))
            .as("%s, run %d", type, run)
            .containsExactlyInAnyOrderElementsOf(
                values(type, new NaiveHistory(type, events).rows()));
      }
    }
  }

  /** The sequence of an SCD 1 row stays where a snapshot confirms it. */
  private static List<String> values(StorageType type, List<Version<Row>> rows) {
    return type == SCD2 ? show(rows) : rows.stream().map(row -> row.values().toString()).toList();
  }

  /** One thing that arrives: an event of a change feed, or the key's part of a snapshot. */
  private record Item(long sequence, boolean snapshot, String state) {}

  @Test
  void the_newest_event_or_snapshot_decides_in_every_order_and_batching_and_feeds_win_ties() {
    int choices = STATES.length + 1;
    int cases = (int) Math.pow(choices * choices, SEQUENCES);
    for (int number = 0; number < cases; number++) {
      List<Item> items = new ArrayList<>();
      for (int at = 1, rest = number; at <= SEQUENCES; at++, rest /= choices * choices) {
        int event = rest % choices;
        int snapshot = rest / choices % choices;
        if (snapshot > 0) {
          items.add(new Item(at, true, STATES[snapshot - 1]));
        }
        if (event > 0) {
          items.add(new Item(at, false, STATES[event - 1]));
        }
      }
      arrive(items, new ArrayList<>());
    }
    assertThat(checked).isGreaterThan(500_000);
  }

  /** All orders of arrival in which the versions rise. */
  private void arrive(List<Item> items, List<Item> arrived) {
    if (arrived.size() == items.size()) {
      String expected = items.isEmpty() ? null : items.get(items.size() - 1).state();
      for (boolean together : new boolean[] {false, true}) {
        checked++;
        Key key = new Key();
        List<Event<Row>> waiting = new ArrayList<>();
        for (Item item : arrived) {
          if (item.snapshot()) {
            key.feed(waiting);
            waiting.clear();
            key.snapshot(item);
          } else {
            waiting.add(event(item, waiting.size()));
            if (!together) {
              key.feed(waiting);
              waiting.clear();
            }
          }
        }
        key.feed(waiting);
        assertThat(key.rows.stream().map(row -> row.values().toString()).toList())
            .as("%s, together %s", arrived, together)
            .isEqualTo(expected == null ? List.of() : List.of(expected));
      }
      return;
    }
    for (Item next : items) {
      boolean tooEarly =
          next.snapshot()
              && items.stream()
                  .anyMatch(
                      item ->
                          item.snapshot()
                              && item.sequence() < next.sequence()
                              && !arrived.contains(item));
      if (!arrived.contains(next) && !tooEarly) {
        arrived.add(next);
        arrive(items, arrived);
        arrived.remove(arrived.size() - 1);
      }
    }
  }

  private static Event<Row> event(Item item, int place) {
    return item.state() == null
        ? delete(item.sequence(), offset(place))
        : upsert(item.state(), item.sequence(), offset(place));
  }

  /** A key of an SCD 1 target between commits: its row, its companion entries, the floor. */
  private static final class Key {

    private List<Version<Row>> rows = List.of();
    private List<Event<Row>> remembered = List.of();
    private Sequence floor = Sequence.LOWEST;

    void feed(List<Event<Row>> events) {
      if (events.isEmpty()) {
        return;
      }
      try {
        History<Row> history = History.recover(SCD1, new RowValues(), rows, remembered);
        history.apply(events, Floor.at(floor));
        rows = history.versions();
        remembered = history.remembered();
      } catch (InvalidHistoryException e) {
        throw new AssertionError(e);
      }
    }

    void snapshot(Item item) {
      Sequence newest =
          remembered.stream().map(Event::sequence).max(Sequence::compareTo).orElse(Sequence.LOWEST);
      Changes<Row> changes =
          difference(
              SCD1,
              new SnapshotDifference.Before<>(rows, newest, floor),
              item.state(),
              item.sequence());
      List<Version<Row>> after = new ArrayList<>(rows);
      after.removeAll(changes.removed());
      after.addAll(changes.added());
      rows = List.copyOf(after);
      Sequence version = sequence(item.sequence());
      remembered = remembered.stream().filter(e -> e.sequence().compareTo(version) >= 0).toList();
      floor = version;
    }
  }
}
