package io.sluice.plan;

import io.sluice.history.Sequence;
import io.sluice.sequencing.Collection;
import io.sluice.table.CommitId;
import io.sluice.table.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * When the last updates of a target were applied, as its ledger tells, and what may be collected by
 * it: nothing that is younger than the retention, and nothing before two later updates have
 * finished (semantics 0.5). An update is a run, however many commits it makes.
 *
 * @param micros the times, newest first, one for each of the last updates
 * @param lastUpdate identity of the newest of them
 * @param collection what earlier updates went through; its end is not known yet
 */
public record AppliedTimes(List<Long> micros, Optional<String> lastUpdate, Collection collection) {

  private static final String TIMES = "applied";
  private static final String COLLECTED = "collected";
  private static final String MARK = "collected-sequence";

  /** Updates that have to finish after the one that applied an event. */
  private static final int LATER_UPDATES = 2;

  public AppliedTimes {
    micros = List.copyOf(micros);
  }

  /** As a ledger has it. */
  public static AppliedTimes of(Ledger ledger) {
    List<Long> micros = new ArrayList<>();
    for (String time : ledger.extra(TIMES).orElse("").split(",")) {
      if (!time.isEmpty()) {
        micros.add(Long.parseLong(time));
      }
    }
    long collected = ledger.extraNumber(COLLECTED).orElse(Long.MIN_VALUE);
    Sequence mark = ledger.extra(MARK).map(Sequence::parse).orElse(Sequence.LOWEST);
    return new AppliedTimes(
        micros,
        ledger.commit().map(CommitId::update),
        new Collection(collected, Long.MIN_VALUE, mark));
  }

  /** What the clock says, microseconds since 1970. */
  public static long nowMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  /** The time of an update that begins now: later than all before, whatever the clock says. */
  public long next(long nowMicros) {
    return micros.isEmpty() ? nowMicros : Math.max(nowMicros, micros.get(0) + 1);
  }

  /**
   * What an update may collect.
   *
   * @param round so much time has to have come to its end since the last collection
   */
  Collection collectable(CommitId commit, long nowMicros, Duration retention, Duration round) {
    int enough = LATER_UPDATES + (isOf(commit) ? 1 : 0);
    boolean never = retention.isZero() || micros.size() <= enough;
    long until =
        never
            ? Long.MIN_VALUE
            : Math.min(micros.get(enough), nowMicros - retention.toNanos() / 1000);
    long after = collection.afterMicros();
    boolean tooEarly = after != Long.MIN_VALUE && until < after + round.toNanos() / 1000;
    return new Collection(after, tooEarly ? Math.min(until, after) : until, collection.mark());
  }

  /**
   * Writes what the next update has to know.
   *
   * @param appliedAt time of the update that commits
   * @param done what it went through
   * @param expired the sequences of what it went through
   */
  public void write(
      Ledger.Builder ledger,
      CommitId commit,
      long appliedAt,
      Collection done,
      List<Sequence> expired) {
    List<Long> times = new ArrayList<>(micros);
    if (isOf(commit)) {
      times.remove(0);
    }
    times.add(0, appliedAt);
    ledger.extra(
        TIMES,
        times.stream()
            .limit(LATER_UPDATES + 2L)
            .map(String::valueOf)
            .collect(Collectors.joining(",")));
    if (done.isDue()) {
      ledger.extra(COLLECTED, Long.toString(done.untilMicros()));
    }
    expired.stream()
        .filter(sequence -> sequence.compareTo(collection.mark()) > 0)
        .max(Sequence::compareTo)
        .ifPresent(greatest -> ledger.extra(MARK, greatest.toString()));
  }

  private boolean isOf(CommitId commit) {
    return !micros.isEmpty() && lastUpdate.equals(Optional.of(commit.update()));
  }
}
