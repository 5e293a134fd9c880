package io.sluice.run;

import java.util.List;
import java.util.stream.Stream;

/**
 * What an update did for one flow. Where several flows of an AUTO CDC target took part, the rows
 * written belong to all of them and are told by a line of the table itself.
 *
 * @param flow name of the flow
 * @param kind append or AUTO CDC with its type, and ONCE
 * @param state what became of it
 * @param rowsRead records read from its sources
 * @param inserted rows that are new in the table; -1 if the table's line tells
 * @param updated rows that have new values or a new end; -1 if the table's line tells
 * @param deleted rows that are gone; -1 if the table's line tells
 * @param late events older than what their key had
 * @param ties events that met another one with the same key and sequence
 * @param invalid records that could not be applied
 * @param cutoverViolations its live events that are not behind what the seeds gave their key
 *     (semantics 0.15); of a seed: events that were in the table before and are not behind it
 * @param dropped rows that expectations have left out; {@code rowsRead} counts them, too
 * @param expectations what was found of the expectations that its rows have met
 */
public record FlowResult(
    String flow,
    String kind,
    State state,
    long rowsRead,
    long inserted,
    long updated,
    long deleted,
    long late,
    long ties,
    long invalid,
    long cutoverViolations,
    long dropped,
    List<ExpectationResult> expectations) {

  public FlowResult {
    expectations = List.copyOf(expectations);
  }

  /** A flow that has read nothing. */
  static FlowResult none(String flow, String kind, State state) {
    return new FlowResult(flow, kind, state, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
  }

  /** What became of a flow in an update. */
  public enum State {
    /** It read something. */
    RAN,
    /** There was nothing new. */
    UP_TO_DATE,
    /** It is ONCE and ran in an earlier update. */
    DONE
  }

  /** Adds what a later step did. */
  FlowResult plus(FlowResult more) {
    return new FlowResult(
        flow,
        kind,
        state == State.RAN ? state : more.state,
        rowsRead + more.rowsRead,
        sum(inserted, more.inserted),
        sum(updated, more.updated),
        sum(deleted, more.deleted),
        late + more.late,
        ties + more.ties,
        invalid + more.invalid,
        cutoverViolations + more.cutoverViolations,
        dropped + more.dropped,
        Expectations.sum(
            Stream.concat(expectations.stream(), more.expectations.stream()).toList()));
  }

  private static long sum(long left, long right) {
    return left < 0 || right < 0 ? -1 : left + right;
  }
}
