package io.sluice.history;

import static io.sluice.history.TestEvents.offset;
import static io.sluice.history.TestEvents.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows of before a leaf was added do not author it (semantics 0.13, 8.3): the log that is read back
 * from them, without any remembered event, is the one that was applied.
 */
class AddedLeafTest {

  private static final int HISTORIES = 20_000;

  /** What an event of before the third leaf was added says of it. */
  private static final List<Sparse> BEFORE =
      Arrays.asList(
          null,
          Sparse.of("a", "p", "-"),
          Sparse.of("b", "p", "-"),
          Sparse.of("b", "NULL", "-"),
          Sparse.of("a", "-", "-"),
          Sparse.of("-", "q", "-"));

  private static final List<Sparse> AFTER =
      Arrays.asList(
          null,
          Sparse.of("a", "p", "x"),
          Sparse.of("-", "-", "x"),
          Sparse.of("-", "-", "y"),
          Sparse.of("b", "-", "NULL"),
          Sparse.of("b", "-", "-"));

  @ParameterizedTest
  @CsvSource({"SCD1, true", "SCD2, true", "SCD2, false"})
  void the_rows_are_those_of_the_law_after_early_and_late_events(StorageType type, boolean trackAll)
      throws InvalidHistoryException {
    Values<Sparse> values = new Sparse.Order(trackAll);
    Random random = new Random(7);
    for (int i = 0; i < HISTORIES; i++) {
      List<Long> places = new ArrayList<>(List.of(1L, 2L, 3L, 4L, 5L, 6L));
      Collections.shuffle(places, random);
      List<Event<Sparse>> arrived = new ArrayList<>();
      History<Sparse> old = History.empty(type, values);
      for (int e = 0; e < 3; e++) {
        arrived.add(event(BEFORE, places.get(e), random));
        old.apply(arrived.subList(e, e + 1));
      }
      List<Version<Sparse>> rows = old.versions().stream().map(AddedLeafTest::ofOldFile).toList();
      List<Event<Sparse>> remembered = rememberedBefore(type, values, old, rows);
      for (int e = 3; e < 6; e++) {
        Event<Sparse> next = event(AFTER, places.get(e), random);
        History<Sparse> history =
            History.recoverSuffix(type, values, rows, remembered, next.sequence());
        assertThat(history.droppedRemembered()).isFalse();
        arrived.add(next);
        List<Version<Sparse>> suffixBefore = history.versions();
        Changes<Sparse> changes = history.apply(List.of(next));
        List<Version<Sparse>> all = new ArrayList<>(rows);
        assertThat(all).containsAll(changes.removed());
        all.removeAll(changes.removed());
        all.addAll(changes.added());
        List<Event<Sparse>> outside = outside(type, remembered, suffixBefore, next, trackAll);
        rows = all;
        remembered = new ArrayList<>(outside);
        remembered.addAll(history.remembered());
        NaivePartialHistory naive = new NaivePartialHistory(arrived, Sequence.LOWEST);
        assertThat(rows.stream().map(row -> complete(values, row)).toList())
            .as("history %d of %s: %s", i, type, arrived)
            .containsExactlyInAnyOrderElementsOf(
                type == StorageType.SCD1 ? naive.current() : naive.versions(trackAll));
      }
    }
  }

  private static Event<Sparse> event(List<Sparse> contents, long at, Random random) {
    Sparse content = contents.get(random.nextInt(contents.size()));
    return content == null
        ? Event.delete(sequence(at), offset(at))
        : Event.upsert(sequence(at), content, offset(at));
  }

  /** As the file has it: everything but the third leaf. */
  private static Version<Sparse> ofOldFile(Version<Sparse> row) {
    BitSet written = new BitSet();
    written.set(0, 2);
    return new Version<>(row.start(), row.end(), new Sparse(row.values().leaves(), written));
  }

  private static Version<Sparse> complete(Values<Sparse> values, Version<Sparse> row) {
    return new Version<>(row.start(), row.end(), values.complete(row.values()));
  }

  /** What was remembered when the table had two leaves: nothing that a row of it shows. */
  private static List<Event<Sparse>> rememberedBefore(
      StorageType type, Values<Sparse> values, History<Sparse> old, List<Version<Sparse>> rows) {
    List<Event<Sparse>> remembered = new ArrayList<>(old.remembered());
    boolean alone = type != StorageType.SCD1 || remembered.size() == 1;
    remembered.removeIf(
        event ->
            alone
                && event.isUpsert()
                && rows.stream()
                    .anyMatch(
                        row ->
                            row.startsAt(event.sequence())
                                && values.same(row.values(), event.values())));
    return remembered;
  }

  /** What is remembered below the part that was read back. */
  private static List<Event<Sparse>> outside(
      StorageType type,
      List<Event<Sparse>> remembered,
      List<Version<Sparse>> suffix,
      Event<Sparse> next,
      boolean trackAll) {
    if (type == StorageType.SCD1 || !trackAll) {
      return List.of();
    }
    Sequence lowest = next.sequence();
    for (Version<Sparse> row : suffix) {
      lowest = row.start().compareTo(lowest) < 0 ? row.start() : lowest;
    }
    Sequence from = lowest;
    return remembered.stream().filter(event -> event.sequence().compareTo(from) < 0).toList();
  }
}
